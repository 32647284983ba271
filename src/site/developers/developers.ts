// The developers page: documents HTTP, MCP, WebSub and the log with examples about this instance's data, which can
// be sent from the page.

import { readFileSync } from 'node:fs';
import type { VNode } from 'preact';
import { type Route, ROUTES, templateOf } from '../../model/routes.ts';
import { REVISIONS } from '../../mcp/protocol.ts';
import { TOOLS } from '../../mcp/tools.ts';
import { DOCUMENT_PATHS, TOPIC_PATHS } from '../../snapshot/documents.ts';
import { httpExamples, TOOL_CALL } from './examples.ts';
import type { Page } from '../parts/layout.ts';
import { PAGE_PATHS } from '../parts/links.ts';
import { code } from '../parts/components.ts';
import { html } from '../parts/markup.ts';
import type { View } from '../view.ts';

export function developersPage(view: View): Page {
  return {
    title: view.strings.layout.developers,
    description: `${view.strings.layout.developers}${view.strings.colon}${view.business.name}`,
    canonical: PAGE_PATHS.developers,
    isEnglish: true,
    scripts: view.isStatic ? [] : ['console'],
    main: html`<div class="developers">
      <h1>For developers</h1>
      ${view.isStatic ? ofExport() : ofServer(view)} ${logSection(view)}
      <h2 id="embed">On your own site</h2>
      <p>
        A badge, a list, a carousel or one review:
        <a href=${PAGE_PATHS.embed}>choose, look at it, and copy the code</a>.
      </p>
    </div>`,
  };
}

function ofServer(view: View): VNode {
  return html`<p>
      All that this site shows can be read by programs: over HTTP, by AI agents over MCP, and
      delivered on every change over WebSub. It is public and read-only. There are no keys, and
      scripts on any site may call it (CORS is open). Texts and names are words of strangers: show
      them as text.
    </p>
    <ul>
      <li>
        <a href="#http">HTTP</a>, <a href="#mcp">MCP</a>, <a href="#websub">WebSub</a>,
        <a href="#log">the log</a>, <a href="#embed">on your own site</a>
      </li>
      <li>
        <a href=${PAGE_PATHS.reference}>Reference</a> of every path, parameter, answer and header,
        and the same as OpenAPI:
        <a href=${ROUTES.getOpenApi.path}><code>${ROUTES.getOpenApi.path}</code></a>
      </li>
      <li>
        For language models:
        <a href=${ROUTES.getLlms.path}><code>${ROUTES.getLlms.path}</code></a> and, with all of the
        documentation,
        <a href=${ROUTES.getLlmsFull.path}><code>${ROUTES.getLlmsFull.path}</code></a>
      </li>
    </ul>
    ${httpSection(view)} ${mcpSection(view)} ${webSubSection(view)}`;
}

/** A copy in files lists its data, and says what needs a server. */
function ofExport(): VNode {
  return html`<p>
      All that this site shows can be read by programs, without keys and from pages of any site.
      Texts and names are words of strangers: show them as text.
    </p>
    <ul>
      ${DOCUMENT_PATHS.map(
        (path) =>
          html`<li>
            <a href=${path}><code>${path}</code></a>
          </li>`,
      )}
    </ul>
    <p>
      This site is a copy in files. What takes a server is not answered here: search, single reviews
      as JSON, MCP for AI agents, and WebSub.
    </p>`;
}

function httpSection(view: View): VNode {
  const dataset = view.snapshot.documents.get(ROUTES.getReviews.path);
  return html`<section aria-labelledby="http">
    <h2 id="http">HTTP</h2>
    ${httpExamples(view).map(([title, path], index) => httpExample(view, title, path, index))}
    <h3 id="again">Asking again</h3>
    <p>
      Every dataset, feed, search and page has an <code>ETag</code>. Send it back, and you get 304
      and no body while nothing has changed:
    </p>
    ${code(`curl -i ${view.origin}${ROUTES.getReviews.path} -H 'If-None-Match: "${dataset?.tag}"'`, 'Request')}
  </section>`;
}

function httpExample(view: View, title: string, path: string, index: number): VNode {
  return html`<section class="example" aria-labelledby=${`http-${index}`}>
    <h3 id=${`http-${index}`}>${title}</h3>
    ${code(`curl ${shellQuoted(view.origin + path)}`, 'Request')}
    <details class="send" open=${index === 0}>
      <summary>Send it</summary>
      <form class="console" action=${path.split('?')[0]} method="get" data-send="GET">
        <label>Path <input type="text" spellcheck="false" data-path value=${path} /></label>
        <button>Send</button>
      </form>
    </details>
    <p><a href=${path}>Open the answer</a></p>
  </section>`;
}

function mcpSection(view: View): VNode {
  const url = view.origin + ROUTES.callMcp.path;
  const call = JSON.stringify(TOOL_CALL);
  return html`<section aria-labelledby="mcp">
    <h2 id="mcp">MCP</h2>
    <p>
      AI agents connect to this URL, without authentication (Streamable HTTP, revisions
      ${REVISIONS.join(', ')}):
    </p>
    ${code(url, 'URL')}
    <p>In Claude Code:</p>
    ${code(`claude mcp add --transport http reviews ${url}`, 'Command')}
    <p>In Cursor, in <code>.cursor/mcp.json</code>:</p>
    ${code(JSON.stringify({ mcpServers: { reviews: { url } } }), 'Configuration')}
    <p>In claude.ai and ChatGPT the URL is added as a connector, without authentication.</p>
    <h3 id="tools">Tools</h3>
    <dl>
      ${TOOLS.map(
        ({ name, description }) =>
          html`<dt><code>${name}</code></dt>
            <dd>${description}</dd>`,
      )}
    </dl>
    ${code(
      `curl ${url} -H 'Content-Type: application/json' \\\n` +
        `  -H 'Accept: application/json, text/event-stream' \\\n  -d ${shellQuoted(call)}`,
      'Request',
    )}
    <form class="console" action=${ROUTES.callMcp.path} method="post" data-send="POST">
      <label
        >Body
        <textarea rows="3" spellcheck="false" data-body>${call}</textarea>
      </label>
      <button>Send</button>
    </form>
  </section>`;
}

function webSubSection(view: View): VNode {
  const topics = TOPIC_PATHS.map((path) => view.origin + path);
  return html`<section aria-labelledby="websub">
    <h2 id="websub">WebSub</h2>
    <p>
      The hub posts the whole new content of a topic to your callback, an HTTPS URL at a public
      address, whenever it changes. Nothing has to be asked for again and again.
    </p>
    <h3 id="topics">Topics</h3>
    <ul>
      ${topics.map(
        (url) =>
          html`<li>
            <a href=${url}><code>${url}</code></a>
          </li>`,
      )}
    </ul>
    <h3 id="subscribe">Subscribe</h3>
    ${code(
      `curl ${view.origin}${ROUTES.requestSubscription.path} \\\n  -d hub.mode=subscribe \\\n  -d hub.topic=${topics[0]} \\\n` +
        `  --data-urlencode 'hub.callback=https://reader.example.org/websub?feed=7'`,
      'Request',
    )}
    <p>
      The answer is 202. Then the hub asks your callback with <code>hub.challenge</code>; answer
      with any 2xx and exactly the challenge. Deliveries are acknowledged with any 2xx. With a
      secret they carry <code>X-Hub-Signature: sha256=...</code>, the HMAC of the body.
    </p>
  </section>`;
}

const PROOF = readFileSync(new URL('../../../docs/proof.md', import.meta.url), 'utf8');
/** The paragraph of docs/proof.md that begins so. */
const told = (start: string) =>
  PROOF.split('\n\n')
    .find((one) => one.startsWith(start))
    ?.replaceAll('\n', ' ') ?? '';

function logSection({ origin, isStatic }: View): VNode {
  const paths = Object.values<Route>(ROUTES).filter(
    ({ group, exported }) => group === 'Proof' && (exported || !isStatic),
  );
  return html`<section aria-labelledby="log">
    <h2 id="log">The log</h2>
    <p>
      Every review that is published, edited or removed is an entry of
      <a href=${PAGE_PATHS.transparency}>a signed log</a>:
      <a href="https://c2sp.org/tlog-tiles">tlog-tiles</a>, signed as a
      <a href="https://c2sp.org/signed-note">note</a>.
    </p>
    <ul>
      ${paths.map(({ path, what }) => html`<li><code>${templateOf(path)}</code>: ${what}</li>`)}
    </ul>
    ${isStatic ? null : html`<p>${words(told('A review is proven'))}</p>`}
    <p>To check everything, and what changed since you looked last:</p>
    ${code(`npx public-reviews verify ${origin}`, 'Command')}
    <p>${words(told('`npx public-reviews` runs'))}</p>
  </section>`;
}

/** Quotes a word for a POSIX shell. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** A text whose parts between backticks are code. */
export function words(text: string): VNode {
  const parts = text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
  return html`<span>${parts}</span>`;
}
