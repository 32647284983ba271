// The reference: `/openapi.json` as a page that shows one operation at a time. It works without scripts.

import type { VNode } from 'preact';
import { ROUTES } from '../../model/routes.ts';
import type {
  Answer,
  Answers,
  Content,
  JsonSchema,
  OpenApi,
  Operation,
  Parameter,
} from '../../model/openapi.ts';
import { shellQuoted, words } from './developers.ts';
import { code, commaSeparated, table } from '../parts/components.ts';
import type { Page } from '../parts/layout.ts';
import { PAGE_PATHS, withParameters } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { View } from '../view.ts';

/** What the address selects, by the id in its fragment. */
interface Pane {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly group: string;
  /** What a reader may look for besides the title. */
  readonly names: readonly string[];
  readonly content: Markup;
}

/** The operation that is shown before one is chosen: most clients begin with it. */
const SHOWN_FIRST = 'searchReviews' satisfies keyof typeof ROUTES;

export function referencePage(view: View): Page {
  const document = view.openApi();
  const [opening = '', ...rules] = document.info.description.split('\n\n');
  const panes = [
    ...Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) =>
        operationPane(view, document, `${method.toUpperCase()} ${path}`, operation),
      ),
    ),
    ...Object.entries(document.components['schemas'] ?? {}).map(([name, schema]): Pane => ({
      id: `schema-${name}`,
      title: name,
      about: '',
      group: 'Schemas',
      names: Object.keys((schema as JsonSchema)['properties'] ?? {}),
      content: code(JSON.stringify(schema, null, 2), name),
    })),
  ];
  const { responses } = document.paths[ROUTES.getReviews.path]?.['get'] ?? {};
  const common = Object.entries(responses ?? {}).filter(([, one]) => isCommon(one));
  const groups = [...document.tags.map(({ name }) => name), 'Schemas'];
  return {
    title: view.strings.layout.reference,
    description: `${view.strings.layout.reference}: ${view.business.name}`,
    canonical: PAGE_PATHS.reference,
    isEnglish: true,
    scripts: ['console'],
    main: html`<div class="developers reference">
      <header>
        <p class="path"><a href=${PAGE_PATHS.developers}>For developers</a></p>
        <h1>Reference</h1>
      </header>
      <nav aria-label="Operations">
        <details class="narrow-fold">
          <summary>Contents</summary>
          <label>Find <input type="search" autocomplete="off" data-find /></label>
          ${groups.map((name) => groupOf(name, panes))}
        </details>
      </nav>
      <div>
        <section class="intro">
          <p>${words(opening)}</p>
          <p>
            The same as OpenAPI 3.1, from which clients are generated:
            <a href=${ROUTES.getOpenApi.path}><code>${ROUTES.getOpenApi.path}</code></a>
          </p>
        </section>
        ${groups
          .flatMap((name) => panes.filter(({ group }) => group === name))
          .map(
            ({ id, title, about, content }) =>
              html`<section
                class=${id === SHOWN_FIRST ? 'pane first' : 'pane'}
                id=${id}
                aria-labelledby=${`${id}-title`}
              >
                <h2 id=${`${id}-title`}><code>${title}</code></h2>
                ${about === '' ? null : html`<p>${words(about)}</p>`} ${content}
              </section>`,
          )}
        <p>Operations may also answer:</p>
        ${answers(document, common)}
        ${rules.map((rule) => html`<p class="aside">${words(rule)}</p>`)}
      </div>
    </div>`,
  };
}

function groupOf(name: string, panes: readonly Pane[]): VNode {
  return html`<details open=${panes.some(({ id, group }) => group === name && id === SHOWN_FIRST)}>
    <summary>${name}</summary>
    <ul class="plain">
      ${panes
        .filter(({ group }) => group === name)
        .map(({ id, title, about, names }) => {
          const [summary] = about.split(/\.(?: |$)/, 1);
          return html`<li data-names=${names.join(' ')}>
            <a href=${`#${id}`}><code>${title}</code></a> ${summary}
          </li>`;
        })}
    </ul>
  </details>`;
}

function operationPane(view: View, document: OpenApi, title: string, operation: Operation): Pane {
  const { operationId: id, summary, description, tags, requestBody, responses } = operation;
  const parameters = (operation.parameters ?? []).map((one) => resolve<Parameter>(document, one));
  const group = tags[0] ?? '';
  // An operation without a description of its own has that of its group.
  const isOwn = document.tags.every((tag) => tag.description !== description);
  return {
    id,
    title,
    names: parameters.map(({ name }) => name),
    about: `${sentence(summary)} ${isOwn ? (description ?? '') : ''}`.trim(),
    group,
    content: html`<div>
      ${requests(view.origin, title, parameters)} ${parameterList(view, parameters)}
      ${requestBody ? html`<p>Body: ${contentOf(requestBody.content)}. ${words(requestBody.description ?? '')}</p>` : null}
      <h3>Answers</h3>
      ${answers(
        document,
        Object.entries(responses).filter(([, one]) => !isCommon(one)),
      )}
    </div>`,
  };
}

/** Answers that many operations have, which are told once. */
const COMMON = /\/(?:BadRequest|ReadOnly|TooSlow|TooLarge|HeadersTooLarge|RateLimited|Fault)$/;

function isCommon(response: Answers[string]): boolean {
  return COMMON.test((response as { $ref?: string }).$ref ?? '');
}

function answers(document: OpenApi, list: readonly [string, Answers[string]][]): VNode {
  return html`<ul>
    ${list.map(([status, response]) => {
      const { description, content = {} } = resolve<Answer>(document, response);
      return html`<li>
        <code>${status}</code> ${words(sentence(description))} ${contentOf(content)}
      </li>`;
    })}
  </ul>`;
}

function parameterList(view: View, parameters: readonly Parameter[]): Markup {
  if (parameters.length === 0) return null;
  const kindOf = ({ in: where, required, allowEmptyValue, schema }: Parameter) => {
    // A parameter that may be repeated has the schema of one value first.
    const [one = schema] = (schema['anyOf'] ?? []) as JsonSchema[];
    const flags = [required && 'required', ...valuesOf(one), allowEmptyValue && 'may be empty'];
    return html`<span class="aside">${[where, ...flags].filter(Boolean).join(', ')}</span>`;
  };
  const columns = [
    { label: 'Name', cell: ({ name }: Parameter) => html`<code>${name}</code>` },
    { label: 'Kind', cell: kindOf },
    { label: 'Meaning', cell: ({ description }: Parameter) => words(description ?? '') },
  ];
  const options = { isCaptionShown: false, isStacked: true };
  return html`<h3>Parameters</h3>
    ${table(view, 'Parameters', columns, parameters, options)}`;
}

/** Requests to copy, of a GET. */
function requests(origin: string, title: string, parameters: readonly Parameter[]): Markup {
  const [method, path = ''] = title.split(' ');
  if (method !== 'GET') return null;
  const filled = path.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const { example } = parameters.find((one) => one.name === name) ?? {};
    return example === undefined ? place : encodeURIComponent(example as string);
  });
  const query = parameters.flatMap(({ name, in: where, example }) =>
    where === 'query' && example !== undefined ? [[name, example as string] as const] : [],
  );
  const url = origin + withParameters(filled, Object.fromEntries(query));
  const call = `(${JSON.stringify(url)})`;
  return html`<h3>Request</h3>
    ${code(`curl ${shellQuoted(url)}`, `curl: ${title}`)}
    ${code(`const response = await fetch${call};`, `JavaScript: ${title}`)}
    ${code(`import urllib.request\nanswer = urllib.request.urlopen${call}.read()`, `Python: ${title}`)}`;
}

/** The media types of a body with links to their schemas. */
function contentOf(content: Content): Markup {
  return commaSeparated(
    Object.entries(content).map(([type, { schema }]) => {
      const name = (schema as { $ref?: string }).$ref?.split('/').at(-1);
      const link = name === undefined ? null : html`<a href=${`#schema-${name}`}>${name}</a>`;
      return html`<code>${type}</code> ${link}`;
    }),
  );
}

/** What is told of the schema of a parameter: these without their names, then bounds. */
const VALUES = ['type', 'enum', 'format'];
const BOUNDS = ['minimum', 'maximum', 'default'];

/** "integer, minimum 1, maximum 100, default 20" */
function valuesOf(schema: JsonSchema): string[] {
  const values = VALUES.flatMap((key) => (schema[key] ?? []) as string | string[]);
  const bounds = BOUNDS.filter((key) => schema[key] !== undefined);
  return [...values, ...bounds.map((key) => `${key} ${JSON.stringify(schema[key])}`)];
}

/** A text as a sentence: with a full stop. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** What a reference of the document refers to; other parts unchanged. */
function resolve<Part>({ components }: OpenApi, part: Part | { readonly $ref: string }): Part {
  const { $ref } = part as { $ref?: string };
  const [, , kind = '', name = ''] = $ref?.split('/') ?? [];
  return $ref === undefined ? (part as Part) : (components[kind]?.[name] as Part);
}
