// The pages of docs/ that `/llms-full.txt` includes.

import { readFileSync } from 'node:fs';
import type { DocumentationPage } from './llms.ts';

const folder = new URL('../../docs/', import.meta.url);

export const DOCUMENTATION: readonly DocumentationPage[] = [
  'http',
  'insights',
  'mcp',
  'websub',
  'proof',
].map((name) => ({ name, markdown: readFileSync(new URL(`${name}.md`, folder), 'utf8') }));
