// The reference: `/openapi.json` as a page, with requests to copy. It works without scripts.

import type { VNode } from 'preact';
import { ROUTES } from '../../model/routes.ts';
import type {
  Answer,
  Content,
  JsonSchema,
  OpenApi,
  Operation,
  Parameter,
} from '../../model/openapi.ts';
import { shellQuoted } from './developers.ts';
import { code, commaSeparated, table } from '../parts/components.ts';
import type { Page } from '../parts/layout.ts';
import { PAGE_PATHS } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { View } from '../view.ts';

/** An operation with its place in the document. */
interface Place {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function referencePage(view: View): Page {
  const document = view.openApi();
  const { info, tags } = document;
  const places = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Place => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  const of = (tag: string) => places.filter(({ operation }) => operation.tags.includes(tag));
  return {
    title: view.strings.layout.reference,
    description: `${view.strings.layout.reference}: ${view.business.name}`,
    canonical: PAGE_PATHS.reference,
    isEnglish: true,
    scripts: ['console'],
    main: html`<div class="developers">
      <p class="path"><a href=${PAGE_PATHS.developers}>For developers</a></p>
      <h1>Reference</h1>
      <p>${words(info.description)}</p>
      <p>
        The same as OpenAPI 3.1, from which clients are generated:
        <a href=${ROUTES.getOpenApi.path}><code>${ROUTES.getOpenApi.path}</code></a>
      </p>
      <nav aria-label="Operations">
        ${tags.map(
          ({ name }) =>
            html`<details>
              <summary>${name}</summary>
              <ul>
                ${of(name).map(
                  ({ method, path, operation: { operationId, summary } }) =>
                    html`<li>
                      <a href=${`#${operationId}`}><code>${method} ${path}</code></a> ${summary}
                    </li>`,
                )}
              </ul>
            </details>`,
        )}
      </nav>
      ${tags.map(
        ({ name, description: about }) =>
          html`<section aria-labelledby=${`tag-${name}`}>
            <h2 id=${`tag-${name}`}>${name}</h2>
            <p>${about}</p>
            ${of(name).map((place) => operationSection(view, document, place, about))}
          </section>`,
      )}
      ${answersSection(document)} ${schemasSection(document)}
    </div>`,
  };
}

/** `about` is the description of the section, which an operation without one of its own has too. */
function operationSection(view: View, document: OpenApi, place: Place, about: string): VNode {
  const { method, path, operation } = place;
  const { operationId, summary, description, requestBody, responses } = operation;
  const parameters = (operation.parameters ?? []).map((one) => resolve(document, one) as Parameter);
  return html`<section class="example" aria-labelledby=${operationId}>
    <h3 id=${operationId}><code>${method} ${path}</code></h3>
    <p>${words(sentence(summary))} ${description === about ? null : words(description ?? '')}</p>
    ${parametersTable(
      view,
      operationId,
      parameters.filter(({ in: where }) => where !== 'header'),
    )}
    ${requestHeaders(parameters.filter(({ in: where }) => where === 'header'))}
    ${requestBody ? html`<p>Body: ${contentOf(requestBody.content)}. ${words(requestBody.description ?? '')}</p>` : null}
    <ul>
      ${Object.entries(responses).flatMap(([status, response]) => (nameOf(response) === null ? [answer(status, response as Answer)] : []))}
      ${sharedAnswers(responses)}
    </ul>
    ${requests(view, place, parameters)}
  </section>`;
}

function answer(status: string, { description, content = {} }: Answer): VNode {
  return html`<li>
    <code>${status}</code> ${words(sentence(description))} ${contentOf(content)}
  </li>`;
}

/** Links to the answers that many operations have. */
function sharedAnswers(responses: Operation['responses']): Markup {
  const links = Object.entries(responses).flatMap(([status, response]) => {
    const name = nameOf(response);
    return name === null ? [] : [html`<a href=${`#answer-${name}`}><code>${status}</code></a>`];
  });
  if (links.length === 0) return null;
  return html`<li>As elsewhere: ${commaSeparated(links)}</li>`;
}

function answersSection({ components }: OpenApi): VNode {
  const answers = Object.entries(components['responses'] ?? {}) as [string, Answer][];
  return html`<section aria-labelledby="answers">
    <h2 id="answers">Answers that many operations have</h2>
    <dl>
      ${answers.map(
        ([name, { description, content = {} }]) =>
          html`<div>
            <dt id=${`answer-${name}`}><code>${name}</code></dt>
            <dd>${words(sentence(description))} ${contentOf(content)}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

/** The name of what a reference refers to; null for other parts. */
function nameOf(part: object): string | null {
  return (part as { $ref?: string }).$ref?.split('/').at(-1) ?? null;
}

/** A text whose parts between backticks are code. */
function words(text: string): VNode {
  const parts = text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
  return html`<span>${parts}</span>`;
}

/** Most are the same everywhere, so their names suffice. */
function requestHeaders(headers: readonly Parameter[]): Markup {
  if (headers.length === 0) return null;
  return html`<p>
    Headers:
    ${commaSeparated(
      headers.map(
        ({ name, description }) => html`<code title=${description ?? null}>${name}</code>`,
      ),
    )}
  </p>`;
}

function parametersTable(view: View, id: string, parameters: readonly Parameter[]): Markup {
  if (parameters.length === 0) return null;
  return table<Parameter>(
    view,
    `Parameters of ${id}`,
    [
      { label: 'Parameter', cell: ({ name }) => html`<code>${name}</code>` },
      {
        label: 'In',
        cell: ({ in: where, required }) => (required === true ? `${where}, required` : where),
      },
      { label: 'Values', cell: ({ schema }) => valuesOf(schema) },
      { label: 'Meaning', cell: ({ description }) => words(description ?? '') },
    ],
    parameters,
    { isCaptionShown: false },
  );
}

/** Requests to copy, of a GET without a body. */
function requests(view: View, { method, path }: Place, parameters: readonly Parameter[]): Markup {
  if (method !== 'GET') return null;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { example } = parameters.find((one) => one.name === name) ?? {};
    return example === undefined ? `{${name}}` : encodeURIComponent(example as string);
  });
  const url = view.origin + filled;
  const label = `${method} ${path}`;
  return html`<details>
    <summary>Requests to copy</summary>
    ${code(`curl ${shellQuoted(url)}`, `curl: ${label}`)}
    ${code(`const response = await ${call('fetch', url)};`, `JavaScript: ${label}`)}
    ${code(`import urllib.request\nanswer = ${call('urllib.request.urlopen', url)}.read()`, `Python: ${label}`)}
  </details>`;
}

/** The call of a function with a text, in JavaScript and Python. */
function call(name: string, text: string): string {
  return `${name}(${JSON.stringify(text)})`;
}

function schemasSection({ components }: OpenApi): VNode {
  return html`<section aria-labelledby="schemas">
    <h2 id="schemas">Schemas</h2>
    ${Object.entries(components['schemas'] ?? {}).map(
      ([name, schema]) =>
        html`<details id=${`schema-${name}`}>
          <summary><code>${name}</code></summary>
          ${code(JSON.stringify(schema, null, 2), name)}
        </details>`,
    )}
  </section>`;
}

/** The media types of a body with their schemas. */
function contentOf(content: Content): Markup {
  return commaSeparated(
    Object.entries(content).map(
      ([type, { schema }]) => html`<code>${type}</code> ${schemaLink(schema)}`,
    ),
  );
}

function schemaLink(schema: object): Markup {
  const name = nameOf(schema);
  return name === null ? null : html`<a href=${`#schema-${name}`}>${name}</a>`;
}

/** The parts of a schema that a table shows. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
}

/** "integer, 1 to 100, default 20" */
function valuesOf(schema: JsonSchema): string {
  const { type, format, enum: values, minimum, maximum, items } = schema as Schema;
  const range =
    minimum === undefined && maximum === undefined ? [] : [`${minimum ?? ''} to ${maximum ?? ''}`];
  return [
    ...(values ?? (type === undefined ? [] : [type].flat())),
    ...(format === undefined ? [] : [format]),
    ...range,
    ...(items === undefined ? [] : [`of ${valuesOf(items)}`]),
    ...(schema['default'] === undefined ? [] : [`default ${JSON.stringify(schema['default'])}`]),
  ].join(', ');
}

/** A text as a sentence: with a full stop. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** What a reference of the document refers to; other parts unchanged. */
function resolve(document: OpenApi, part: object): unknown {
  const { $ref } = part as { $ref?: string };
  if ($ref === undefined) return part;
  return $ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, key) => (at as JsonSchema)[key], document);
}
