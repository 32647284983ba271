// htmlparser2, loaded when markup is read: it takes 30 ms and 16 MB that imports of CSV and JSON do not need.

import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export function loadHtmlParser(): typeof import('htmlparser2') {
  return require('htmlparser2') as typeof import('htmlparser2');
}
