// Headers that make the answers of a web host equal to those of the server: one rule for each route,
// rendered as configuration of several hosts.

/** Headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>;

/** The headers of one path, or of all paths with a prefix. */
interface Rule {
  /** Such as `/feed.xml`, or the prefix `/aspects/`. */
  readonly path: string;
  readonly isPrefix: boolean;
  readonly headers: Headers;
  /** The type of the files below the prefix that end with `.md`; null of other rules. */
  readonly markdown: string | null;
}

const MARKDOWN = '.md';

/** Headers that an exported file needs; hosts set the others themselves. */
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

/** The headers of an answer that its exported file needs. Hub links are removed: no hub is exported. */
export function headersOf(answer: Readonly<Record<string, unknown>>): Headers {
  const entries = KEPT.flatMap((name) => {
    const value = answer[name];
    if (typeof value !== 'string') return [];
    const kept = name === 'link' ? withoutHub(value) : value;
    return kept === '' ? [] : [[name, kept] as const];
  });
  return Object.fromEntries(entries);
}

function withoutHub(links: string): string {
  return links
    .split(', ')
    .filter((link) => !link.endsWith('rel="hub"'))
    .join(', ');
}

/**
 * The rules for routes and the headers of their answers.
 *
 * @throws {Error} if two routes with the same prefix have different headers.
 */
export function rulesOf(routes: ReadonlyMap<string, Headers>): Rule[] {
  const rules = new Map<string, Rule>();
  for (const [route, headers] of routes) {
    const parameter = route.search(/[:*]/);
    if (parameter >= 0 && route.endsWith(MARKDOWN)) continue;
    const markdown = routes.get(route + MARKDOWN)?.['content-type'] ?? null;
    const isPrefix = parameter >= 0;
    const path = isPrefix ? route.slice(0, parameter) : route;
    const known = rules.get(path);
    if (known && JSON.stringify(known.headers) !== JSON.stringify(headers)) {
      throw new Error(`the routes below ${path} answer with different headers`);
    }
    rules.set(path, { path, isPrefix, headers, markdown: isPrefix ? markdown : null });
  }
  return [...rules.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

export const MISSING_PATH = '/404.html';

/** Files of an export that hosts must not serve. */
const HIDDEN = ['/hosting', '/.public-reviews-export', '/.htaccess', '/_headers', '/.nojekyll'];

const COMPRESSED =
  'text/html text/css text/javascript text/plain text/markdown application/json application/feed+json ' +
  'application/atom+xml application/xml image/svg+xml';

/** `_headers` for Netlify and Cloudflare Pages. */
export function renderHeadersFile(rules: readonly Rule[]): string {
  return rules
    .map(({ path, isPrefix, headers, markdown }) => {
      // These hosts know the types of both endings, and join what two rules set.
      const shown = Object.entries(headers).filter(
        ([name]) => markdown === null || name !== 'content-type',
      );
      const lines = shown.map(([name, value]) => `  ${name}: ${value}\n`);
      return `${path}${isPrefix ? '*' : ''}\n${lines.join('')}`;
    })
    .join('\n');
}

/** `.htaccess` for Apache 2.4 with mod_headers and mod_rewrite. */
export function renderHtaccess(rules: readonly Rule[]): string {
  const blocks = rules.map(({ path, isPrefix, headers, markdown }) => {
    const pattern = path.replaceAll(/[.+*?^$()[\]{}|\\]/g, '\\$&');
    // After the rewrite, the URI of a page has the name of its file.
    const fileName = path === '/' ? '(?:index\\.html)?' : '(?:\\.html)?';
    const end = isPrefix ? '' : `${fileName}$`;
    const { 'content-type': type = '', ...others } = headers;
    const lines = Object.entries(others).map(
      ([name, value]) => `  Header always set ${name} "${quote(value).replaceAll('%', '%%')}"\n`,
    );
    const ofMarkdown =
      markdown === null
        ? ''
        : `  <If "%{REQUEST_URI} =~ m#\\.md$#">\n    ForceType "${quote(markdown)}"\n  </If>\n`;
    return `<If "%{REQUEST_URI} =~ m#^${pattern}${end}#">\n  ForceType "${quote(type)}"\n${lines.join('')}${ofMarkdown}</If>\n`;
  });
  const hidden = HIDDEN.map((path) => path.slice(1).replaceAll('.', '\\.'));
  return `DirectoryIndex index.html
DirectorySlash Off
<IfModule mod_autoindex.c>
  IndexIgnore *
</IfModule>
ErrorDocument 404 /404.html
<IfModule mod_deflate.c>
  AddOutputFilterByType DEFLATE ${COMPRESSED}
</IfModule>
RewriteEngine On
RewriteRule ^(?:${hidden.join('|')})(?:$|/) - [R=404,END]
RewriteCond %{REQUEST_FILENAME}.html -f
RewriteRule ^(.+)$ $1.html [END]
# Directories are not listed.
RewriteCond %{REQUEST_FILENAME} -d
RewriteRule . - [R=404,END]

${blocks.join('\n')}`;
}

/** Content of a `server` block of nginx. */
export function renderNginx(rules: readonly Rule[]): string {
  const blocks = rules.map(({ path, isPrefix, headers, markdown }) => {
    const { 'content-type': type = '', ...others } = headers;
    const lines = Object.entries(others).map(
      ([name, value]) => `    add_header ${name} "${quote(value)}" always;\n`,
    );
    const isFile = path === MISSING_PATH || !isPage(type);
    const file = path === '/' ? '/index.html' : isFile ? '$uri' : '$uri.html';
    // It has the headers of the block around it.
    const ofMarkdown =
      markdown === null
        ? ''
        : `    location ~ \\.md$ {
        types { }
        default_type "${quote(markdown)}";
        try_files $uri =404;
    }\n`;
    return `location ${isPrefix ? '^~' : '='} ${path} {
    types { }
    default_type "${quote(type)}";
    try_files ${file} =404;
${lines.join('')}${ofMarkdown}}\n`;
  });
  return `# Include this in a server block whose root is the exported directory.
gzip on;
gzip_vary on;
gzip_types ${COMPRESSED.replace('text/html ', '')};
error_page 404 /404.html;

${HIDDEN.map((path) => `location = ${path} {\n    return 404;\n}\n`).join('')}location ^~ /hosting/ {
    return 404;
}

${blocks.join('\n')}`;
}

/** Content of a site block of a Caddyfile. */
export function renderCaddy(rules: readonly Rule[]): string {
  const blocks = rules.map(({ path, isPrefix, headers, markdown }, index) => {
    const lines = Object.entries(headers).map(
      ([name, value]) => `header @rule${index} ${name} \`${value}\`\n`,
    );
    const ofMarkdown =
      markdown === null
        ? ''
        : `@markdown${index} path ${path}*.md\nheader @markdown${index} content-type \`${markdown}\`\n`;
    return `@rule${index} path ${path}${isPrefix ? '*' : ''}\n${lines.join('')}${ofMarkdown}`;
  });
  const missing = rules.find(({ path }) => path === MISSING_PATH);
  const missingHeaders = Object.entries(missing?.headers ?? {}).map(
    ([name, value]) => `\theader ${name} \`${value}\`\n`,
  );
  return `# Import this in the block of the site, with "root * /path/of/the/exported/directory" before it.
@hidden path ${HIDDEN.join(' ')} /hosting/*
error @hidden 404
try_files {path} {path}.html
encode zstd gzip
file_server
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
