// Every public URL: the one table that the router, the OpenAPI document, the links between pages, the
// descriptions for machines and the export are made from.

/** A group of operations: a tag of the OpenAPI document. */
export type Group =
  | 'Datasets'
  | 'Feeds'
  | 'Reviews'
  | 'Proof'
  | 'WebSub'
  | 'MCP'
  | 'About'
  | 'Pages'
  | 'Files'
  | 'Operating';

export interface Route {
  /** GET includes HEAD; every path also answers OPTIONS. */
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Parameters are written `:name`; `*` is the rest of the path, slashes included. */
  readonly path: string;
  readonly group: Group;
  /** One line: the summary of the OpenAPI operation. */
  readonly what: string;
  /** Whether `export` writes its answers to files. */
  readonly exported: boolean;
}

/** A row with its literal types. */
interface Row<Path extends string, In extends Group> extends Route {
  readonly path: Path;
  readonly group: In;
}

/** Answered by GET, and written to files by `export`. */
function file<Path extends string, In extends Group>(path: Path, group: In, what: string) {
  return row({ method: 'GET', path, group, what, exported: true });
}

/** Answered by GET, and only while a server runs. */
function live<Path extends string, In extends Group>(path: Path, group: In, what: string) {
  return row({ method: 'GET', path, group, what, exported: false });
}

function post<Path extends string, In extends Group>(path: Path, group: In, what: string) {
  return row({ method: 'POST', path, group, what, exported: false });
}

function remove<Path extends string, In extends Group>(path: Path, group: In, what: string) {
  return row({ method: 'DELETE', path, group, what, exported: false });
}

function row<Path extends string, In extends Group>(route: Row<Path, In>): Row<Path, In> {
  return route;
}

/** By operation id, which names the handler in serving/routes.ts and the operation of `/openapi.json`. */
export const ROUTES = {
  getReviews: file('/reviews.json', 'Datasets', 'Every review'),
  getInsights: file('/insights.json', 'Datasets', 'What the reviews say'),
  getJsonFeed: file('/api/feed.json', 'Feeds', 'The 50 newest reviews as JSON Feed 1.1'),
  getAtomFeed: file('/feed.xml', 'Feeds', 'The 50 newest reviews as Atom'),

  searchReviews: live('/api/reviews/search', 'Reviews', 'Find reviews'),
  getReviewsSince: live('/api/reviews/since/:date', 'Reviews', 'Every review of a date and after'),
  getReview: live('/api/reviews/:id', 'Reviews', 'One review'),

  getReviewVerification: live(
    '/api/reviews/:id/verification',
    'Proof',
    'How a review was verified',
  ),
  getVerification: file('/verification.json', 'Proof', 'Reviews by how they were verified'),
  getReviewProof: live('/api/reviews/:id/proof', 'Proof', 'The proof that a review is in the log'),
  getCheckpoint: file('/log/checkpoint', 'Proof', 'The signed size and root of the log'),
  getLogKey: file('/log/key', 'Proof', 'The keys that sign the log'),
  getLogSalts: file('/log/salts.json', 'Proof', 'What opens the digests of published reviews'),
  getLogTile: file('/log/tile/*', 'Proof', 'A tile of hashes, or a bundle of entries'),

  requestSubscription: post('/api/websub/hub', 'WebSub', 'Subscribe or unsubscribe'),

  callMcp: post('/mcp', 'MCP', 'Call the MCP server'),
  endMcpSession: remove('/mcp', 'MCP', 'End an MCP session'),
  getServerCard: live('/mcp/server-card', 'MCP', 'The MCP server card: how to connect'),
  getAgentCatalog: live('/.well-known/ai-catalog.json', 'MCP', 'The catalog for AI agents'),
  getResourceManifest: live('/.well-known/ard.json', 'MCP', 'The same, where ARD has it'),
  getRegistryRecord: live('/server.json', 'MCP', 'The record for the MCP registry'),

  getOpenApi: file('/openapi.json', 'About', 'This document'),
  getApiCatalog: file('/.well-known/api-catalog', 'About', 'Where the interfaces are described'),
  getBusinessSchema: file('/business.schema.json', 'About', 'JSON Schema of a business file'),
  getLlms: file('/llms.txt', 'About', 'For language models: the business and where the data is'),
  getLlmsFull: file('/llms-full.txt', 'About', 'The same with figures, summary and documentation'),
  getRobots: file('/robots.txt', 'About', 'For crawlers: everything may be read'),
  getSecurity: file('/.well-known/security.txt', 'About', 'Security contact (RFC 9116)'),
  getSitemap: file('/sitemap.xml', 'About', 'Index of the site map'),
  getSitemapFile: file('/sitemaps/:file', 'About', 'A file of the site map'),

  showHome: file('/', 'Pages', 'The business and what its reviews say'),
  showReviews: file('/reviews', 'Pages', 'The reviews, with a search'),
  showReview: file('/reviews/:id', 'Pages', 'One review'),
  showLocation: file('/locations/:id', 'Pages', 'One branch of the business'),
  showQuestions: file('/faq', 'Pages', 'Questions, answered by reviews'),
  showSummary: file('/summary', 'Pages', 'The summary'),
  showVerification: file('/verification', 'Pages', 'How the reviews are verified'),
  showTransparency: file('/transparency', 'Pages', 'What was published, withheld and removed'),
  showDevelopers: file('/developers', 'Pages', 'The documentation of the interfaces'),
  showReference: file('/developers/reference', 'Pages', 'This document as a page'),
  showEmbed: file('/developers/embed', 'Pages', 'Builds what other sites embed'),
  listTechnicians: file('/technicians', 'Pages', 'Technicians that reviews mention'),
  showTechnicians: file('/technicians/:id', 'Pages', 'What reviews say about a technician'),
  listServices: file('/services', 'Pages', 'Services that reviews mention'),
  showServices: file('/services/:id', 'Pages', 'What reviews say about a service'),
  listAreas: file('/areas', 'Pages', 'Service areas that reviews mention'),
  showAreas: file('/areas/:id', 'Pages', 'What reviews say about a service area'),
  listTopics: file('/topics', 'Pages', 'Topics that reviews mention'),
  showTopics: file('/topics/:id', 'Pages', 'What reviews say about a topic'),
  listAspects: file('/aspects', 'Pages', 'Aspects that reviews mention'),
  showAspects: file('/aspects/:id', 'Pages', 'What reviews say about an aspect'),
  listProblems: file('/problems', 'Pages', 'Problems that reviews mention'),
  showProblems: file('/problems/:id', 'Pages', 'What reviews say about a problem'),

  getAsset: file('/assets/:name', 'Files', 'Style, script or icon of the pages'),
  getEmbedScript: file('/embed.js', 'Files', 'The element that other sites show'),
  getEmbedData: file('/embed-data.js', 'Files', 'The data of that element, as a module'),
  getEmbedReview: file('/embed-reviews/:name', 'Files', 'One review for that element'),
  getBadge: file('/badge.svg', 'Files', 'The rating as a picture of one line'),
  getLocationFile: file('/locations/:id/:name', 'Files', 'Feeds, badge and embed of one branch'),
  getPicture: file('/og.png', 'Files', 'The picture that other sites show beside a link'),
  getSharePicture: live('/og/:kind/:name', 'Files', 'The picture beside a link to one page'),
  getLogo: file('/logo/:name', 'Files', 'The logo of the business'),
  getHeader: file('/header/:name', 'Files', 'The picture at the top of the first page'),
  getFavicon: file('/favicon.ico', 'Files', 'The icon of the site'),

  getHealth: live('/healthz', 'Operating', 'Whether the process runs'),
  getReadiness: live('/readyz', 'Operating', 'Whether reviews are served'),
  getMetrics: live('/metrics', 'Operating', 'Metrics for Prometheus'),
} as const;

export type OperationId = keyof typeof ROUTES;

export type OperationIn<In extends Group> = {
  [Id in OperationId]: (typeof ROUTES)[Id]['group'] extends In ? Id : never;
}[OperationId];

export const OPERATION_IDS = Object.keys(ROUTES) as OperationId[];

/** A path as a URI template (RFC 6570): its parameters in braces. */
export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}');
}

type ParameterOf<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParameterOf<More>
    : Rest
  : never;

/** A path with its parameter filled in, percent-encoded. */
export function fillPath<Path extends string>(
  path: Path,
  parameters: Readonly<Record<ParameterOf<Path>, string>>,
): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent((parameters as Readonly<Record<string, string>>)[name] as string),
  );
}

const PAGES = Object.values(ROUTES).flatMap(({ group, path }) =>
  group === 'Pages' ? path.replace(/:\w+/, '[^/?#]+(?:/:page|/page-\\d+)?') : [],
);
/** Matches the URL of a page. */
export const PAGE = new RegExp(`^(?:${PAGES.join('|')})(?=[?#]|$)`);

/** The address of a page in Markdown, with its query; other addresses as they are. */
export function markdownPath(url: string): string {
  return url.replace(PAGE, (path) => `${path === '/' ? '/index' : path}.md`);
}

/** The address of the page that an address in Markdown is of, without the part. */
export function pageOfMarkdown(url: string): string {
  const { pathname, search } = new URL(url, 'http://page');
  const page = pathname.replace(/\.md$/, '').replace(/^\/index$/, '/');
  const query = search
    .slice(1)
    .split('&')
    .filter((pair) => !/^part=|^$/.test(pair));
  return query.length === 0 ? page : `${page}?${query.join('&')}`;
}
