// Resources: context that agents attach by URI, and completion of the ids in URI templates.

import { McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { ReviewAnswer, ServiceAnswer, TechnicianAnswer } from '../model/answers.ts';
import { fold } from '../model/fold.ts';
import { isGuess } from '../snapshot/filter-names.ts';
import type { SnapshotQueries } from '../snapshot/queries.ts';
import type { Guard } from './context.ts';
import TEXTS from './resource-texts.json' with { type: 'json' };

const JSON_MIME = 'application/json';
/** Also the protocol's limit for one completion. */
const MAX_COMPLETIONS = 100;

const SCHEME = 'reviews://';

const FIXED: ReadonlyMap<keyof typeof TEXTS, (queries: SnapshotQueries) => string> = new Map([
  ['business', (queries) => queries.business()],
  ['insights', (queries) => queries.overview()],
  ['summary', (queries) => queries.summary()],
]);

/** Resources whose URI ends with an id. `read` returns null for an unknown id. */
const TEMPLATES = [
  {
    name: 'review',
    read: (queries: SnapshotQueries, id: string) => {
      const answer = queries.review(id);
      return (JSON.parse(answer) as ReviewAnswer).review && answer;
    },
    complete: (queries: SnapshotQueries, prefix: string) =>
      queries.snapshot.idsFrom(prefix, MAX_COMPLETIONS),
  },
  {
    name: 'technician',
    read: (queries: SnapshotQueries, id: string) => {
      const answer = queries.technician(id);
      return (JSON.parse(answer) as TechnicianAnswer).technician && answer;
    },
    complete: ({ entities }: SnapshotQueries, prefix: string) =>
      idsOf(entities.technicians, prefix),
  },
  {
    name: 'service',
    read: (queries: SnapshotQueries, id: string) => {
      const answer = queries.service(id);
      const { service, matched_as: matchedAs } = JSON.parse(answer) as ServiceAnswer;
      // A URI must be exact.
      return isGuess(matchedAs) ? null : service && answer;
    },
    complete: ({ entities }: SnapshotQueries, prefix: string) => idsOf(entities.services, prefix),
  },
] as const;

export function addResources(
  server: McpServer,
  queries: () => SnapshotQueries,
  guarded: Guard,
): void {
  for (const [name, read] of FIXED) {
    const uri = `${SCHEME}${name}`;
    server.registerResource(name, uri, { ...TEXTS[name], mimeType: JSON_MIME }, () =>
      guarded(() => contentsOf(uri, read(queries()))),
    );
  }
  for (const { name, read, complete } of TEMPLATES) {
    const template = new ResourceTemplate(`${SCHEME}${name}/{id}`, {
      list: undefined,
      // No prototype: the SDK would take its members for URI variables.
      complete: Object.assign(Object.create(null) as object, {
        id: (prefix: string) => guarded(() => [...complete(queries(), prefix)]),
      }),
    });
    server.registerResource(
      name,
      template,
      { ...TEXTS[name], mimeType: JSON_MIME },
      ({ href }, { id }) =>
        guarded(() => {
          const text = read(queries(), decode(String(id)));
          if (text === null) throw new ResourceNotFoundError(href);
          return contentsOf(href, text);
        }),
    );
  }
}

export function readResource(queries: SnapshotQueries, uri: string): string | null {
  const fixed = [...FIXED].find(([name]) => uri === `${SCHEME}${name}`);
  if (fixed) return fixed[1](queries);
  const [, name, id] = /^reviews:\/\/(\w+)\/([^/]+)$/.exec(uri) ?? [];
  const template = TEMPLATES.find((resource) => resource.name === name);
  return template && id !== undefined ? template.read(queries, decode(id)) : null;
}

function contentsOf(uri: string, text: string) {
  return { contents: [{ uri, mimeType: JSON_MIME, text }] };
}

/** Decodes percent-encoding. Malformed text is returned unchanged and matches no id. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Ids of entries with an id or name of which any word starts with `typed`. */
function idsOf(list: readonly { id: string; name: string }[], typed: string): string[] {
  const prefix = fold(typed);
  const isMatch = (text: string) => ` ${fold(text)}`.includes(` ${prefix}`);
  const found = list.filter(({ id, name }) => isMatch(id) || isMatch(name));
  return found.slice(0, MAX_COMPLETIONS).map(({ id }) => id);
}
