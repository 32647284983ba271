// Which headers the answers of a web host need so that they are those of the server: a rule for each
// route, and the same rules as several hosts read them.

/** Headers by their names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** Headers of one path, or of all below one. */
export interface Rule {
  /** `/feed.xml`; or `/aspects/`, where the rule holds for what is below. */
  readonly path: string;
  readonly isPrefix: boolean;
  readonly headers: Headers;
}

/** Those that say how an answer is to be understood; the others a host sets by itself. */
const KEPT = [
  'content-type',
  'cache-control',
  'content-security-policy',
  'referrer-policy',
  'x-content-type-options',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cross-origin-resource-policy',
  'link',
] as const;

/** The headers of an answer that a file of it needs. No host answers to a hub. */
export function headersOf(answer: Readonly<Record<string, unknown>>): Headers {
  const kept = KEPT.flatMap((name) => {
    const value = answer[name];
    if (typeof value !== 'string') return [];
    const said = name === 'link' ? withoutHub(value) : value;
    return said === '' ? [] : [[name, said] as const];
  });
  return Object.fromEntries(kept);
}

function withoutHub(links: string): string {
  return links
    .split(', ')
    .filter((link) => !link.endsWith('rel="hub"'))
    .join(', ');
}

/** The rules of routes, each with the headers that its answers have. */
export function rulesOf(routes: ReadonlyMap<string, Headers>): Rule[] {
  const rules = new Map<string, Rule>();
  for (const [route, headers] of routes) {
    const parameter = route.indexOf(':');
    const isPrefix = parameter >= 0;
    const path = isPrefix ? route.slice(0, parameter) : route;
    const known = rules.get(path);
    if (known && !isSame(known.headers, headers)) {
      throw new Error(`the routes below ${path} answer with different headers`);
    }
    rules.set(path, { path, isPrefix, headers });
  }
  return [...rules.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function isSame(a: Headers, b: Headers): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The page for what is not there: hosts answer with it at any other path. */
export const MISSING_PATH = '/404.html';

/** Files of an export that are for hosts, and not for readers. */
const HIDDEN = ['/hosting', '/.public-reviews-export', '/.htaccess', '/_headers', '/.nojekyll'];

/** Encodings and the suffixes of their files, the best first. */
const PRECOMPRESSED = [
  ['br', 'br'],
  ['zstd', 'zst'],
  ['gzip', 'gz'],
] as const;

/** `_headers`, as Netlify and Cloudflare Pages read it. */
export function renderHeadersFile(rules: readonly Rule[]): string {
  return rules
    .map(({ path, isPrefix, headers }) => {
      const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
      return `${path}${isPrefix ? '*' : ''}\n${lines.join('')}`;
    })
    .join('\n');
}

/** `.htaccess` for Apache 2.4 with mod_headers and mod_rewrite. */
export function renderHtaccess(rules: readonly Rule[]): string {
  const blocks = rules.map(({ path, isPrefix, headers }) => {
    const pattern = path.replaceAll(/[.+*?^$()[\]{}|\\]/g, '\\$&');
    // A page is known by the name of its file too, once it was found.
    const fileName = path === '/' ? '(?:index\\.html)?' : '(?:\\.html)?';
    const end = isPrefix ? '' : `${fileName}(?:\\.(?:br|zst|gz))?$`;
    const { 'content-type': type = '', ...others } = headers;
    const lines = Object.entries(others).map(
      ([name, value]) => `  Header always set ${name} "${quote(value).replaceAll('%', '%%')}"\n`,
    );
    return `<If "%{REQUEST_URI} =~ m#^${pattern}${end}#">\n  ForceType "${quote(type)}"\n${lines.join('')}</If>\n`;
  });
  const hidden = HIDDEN.map((path) => path.slice(1).replaceAll('.', '\\.'));
  return `DirectoryIndex index.html
DirectorySlash Off
IndexIgnore *
ErrorDocument 404 /404.html
AddEncoding br .br
AddEncoding zstd .zst
AddEncoding gzip .gz
Header always merge Vary Accept-Encoding
RewriteEngine On
RewriteRule ^(?:${hidden.join('|')})(?:$|/) - [R=404,END]
${PRECOMPRESSED.map(renderPrecompressed).join('')}RewriteCond %{REQUEST_FILENAME}.html -f
RewriteRule ^(.+)$ $1.html [END]
# Directories are not listed.
RewriteCond %{REQUEST_FILENAME} -d
RewriteRule . - [R=404,END]

${blocks.join('\n')}`;
}

/** The file of an encoding, where there is one and the client accepts it. */
function renderPrecompressed([encoding, suffix]: readonly [string, string]): string {
  const isAccepted = `RewriteCond %{HTTP:Accept-Encoding} "(?:^|[ ,])${encoding}(?! *; *q=0(?:\\.0*)? *(?:,|$))"\n`;
  return [
    ['%{REQUEST_FILENAME}', '^(.+)$', '$1'],
    ['%{REQUEST_FILENAME}.html', '^(.+)$', '$1.html'],
    ['%{REQUEST_FILENAME}/index.html', '^$', 'index.html'],
  ]
    .map(
      ([file, pattern, target]) =>
        `${isAccepted}RewriteCond ${file}.${suffix} -f\nRewriteRule ${pattern} ${target}.${suffix} [END]\n`,
    )
    .join('');
}

/** What goes into the `server` block of nginx. */
export function renderNginx(rules: readonly Rule[]): string {
  const blocks = rules.map(({ path, isPrefix, headers }) => {
    const { 'content-type': type = '', ...others } = headers;
    const lines = Object.entries(others).map(
      ([name, value]) => `    add_header ${name} "${quote(value)}" always;\n`,
    );
    const isFile = path === MISSING_PATH || !isPage(type);
    const file = path === '/' ? '/index.html' : isFile ? '$uri' : '$uri.html';
    return `location ${isPrefix ? '^~' : '='} ${path} {
    types { }
    default_type "${quote(type)}";
    try_files ${file} =404;
${lines.join('')}}\n`;
  });
  return `# Include this in a server block whose root is the exported directory.
# With "export --precompress" and the modules for them: gzip_static on; brotli_static on;
gzip_vary on;
error_page 404 /404.html;

${HIDDEN.map((path) => `location = ${path} {\n    return 404;\n}\n`).join('')}location ^~ /hosting/ {
    return 404;
}

${blocks.join('\n')}`;
}

/** What goes into the site block of a Caddyfile. */
export function renderCaddy(rules: readonly Rule[]): string {
  const blocks = rules.map(({ path, isPrefix, headers }, place) => {
    const lines = Object.entries(headers).map(
      ([name, value]) => `header @rule${place} ${name} \`${value}\`\n`,
    );
    return `@rule${place} path ${path}${isPrefix ? '*' : ''}\n${lines.join('')}`;
  });
  const missing = rules.find(({ path }) => path === MISSING_PATH);
  const missingHeaders = Object.entries(missing?.headers ?? {}).map(
    ([name, value]) => `\theader ${name} \`${value}\`\n`,
  );
  return `# Import this in the block of the site, with "root * /path/of/the/exported/directory" before it.
@hidden path ${HIDDEN.join(' ')} /hosting/*
error @hidden 404
try_files {path} {path}.html
file_server {
	precompressed zstd br gzip
}
handle_errors {
	rewrite * /404.html
${missingHeaders.join('')}	file_server
}

${blocks.join('\n')}`;
}

export function isPage(contentType: string): boolean {
  return contentType.startsWith('text/html');
}

function quote(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
