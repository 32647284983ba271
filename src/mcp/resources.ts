// Resources: what an agent may attach as context, by URI, with the names completed that URIs take.

import { McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { ReviewAnswer, ServiceAnswer, TechnicianAnswer } from '../model/answers.ts';
import { fold } from '../model/fold.ts';
import type { Answers, Shown } from '../snapshot/queries.ts';
import type { Guard } from './context.ts';

const JSON_MIME = 'application/json';
/** As many as a completion may have. */
const MAX_COMPLETIONS = 100;

/** Resources at one URI each. */
const FIXED = [
  {
    name: 'business',
    uri: 'reviews://business',
    title: 'Business and rating',
    description: 'The business, its services and technicians, and its aggregate rating.',
    read: (answers: Answers) => answers.business(),
  },
  {
    name: 'insights',
    uri: 'reviews://insights',
    title: 'Insights',
    description:
      'All that was found in the reviews together: sentiment, aspects, technicians, services, ' +
      'problems, topics, trend, questions. What was found in each review is with that review.',
    read: (answers: Answers) => answers.overview(),
  },
  {
    name: 'summary',
    uri: 'reviews://summary',
    title: 'Summary',
    description: 'The reviews in a few sentences, a quote, and the overall sentiment.',
    read: (answers: Answers) => answers.summary(),
  },
] as const;

/** Resources whose URI ends with an id; `read` gives null where nothing has it. */
const TEMPLATES = [
  {
    name: 'review',
    title: 'One review',
    description: 'A review by its id, and what was found in it.',
    read: (answers: Answers, id: string) => {
      const answer = answers.review(id);
      return (JSON.parse(answer) as ReviewAnswer).review && answer;
    },
    complete: (answers: Answers, start: string) => answers.snapshot.idsFrom(start, MAX_COMPLETIONS),
  },
  {
    name: 'technician',
    title: 'One technician',
    description: 'What reviews say of a technician, by id or name, and the newest of them.',
    read: (answers: Answers, id: string) => {
      const answer = answers.technician(id);
      return (JSON.parse(answer) as TechnicianAnswer).technician && answer;
    },
    complete: (answers: Answers, start: string) => idsOf(answers.technicians(), start),
  },
  {
    name: 'service',
    title: 'One service',
    description: 'What reviews say of a service, by id, label or alias, and the newest of them.',
    read: (answers: Answers, id: string) => {
      const answer = answers.service(id);
      const { service, matched_as: matchedAs } = JSON.parse(answer) as ServiceAnswer;
      // A URI is not guessed.
      return matchedAs?.by === 'spelling' ? null : service && answer;
    },
    complete: (answers: Answers, start: string) => idsOf(answers.services(), start),
  },
] as const;

export function addResources(server: McpServer, answers: () => Answers, guarded: Guard): void {
  for (const { name, uri, title, description, read } of FIXED) {
    server.registerResource(name, uri, { title, description, mimeType: JSON_MIME }, () =>
      guarded(() => contentsOf(uri, read(answers()))),
    );
  }
  for (const { name, title, description, read, complete } of TEMPLATES) {
    const template = new ResourceTemplate(`reviews://${name}/{id}`, {
      list: undefined,
      // Without a prototype, whose members the SDK would take for variables of the URI.
      complete: Object.assign(Object.create(null) as object, {
        id: (start: string) => guarded(() => [...complete(answers(), start)]),
      }),
    });
    server.registerResource(
      name,
      template,
      { title, description, mimeType: JSON_MIME },
      ({ href }, { id }) =>
        guarded(() => {
          const text = read(answers(), decode(String(id)));
          if (text === null) throw new ResourceNotFoundError(href);
          return contentsOf(href, text);
        }),
    );
  }
}

/** The text of the resource at a URI, null where there is none. */
export function readResource(answers: Answers, uri: string): string | null {
  const fixed = FIXED.find((resource) => resource.uri === uri);
  if (fixed) return fixed.read(answers);
  const [, name, id] = /^reviews:\/\/(\w+)\/([^/]+)$/.exec(uri) ?? [];
  const template = TEMPLATES.find((resource) => resource.name === name);
  return template && id !== undefined ? template.read(answers, decode(id)) : null;
}

function contentsOf(uri: string, text: string) {
  return { contents: [{ uri, mimeType: JSON_MIME, text }] };
}

/** What a URI wrote with percent signs; a malformed one is no name of anything. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The ids of those whose id or name begins, at any word, with what was typed. */
function idsOf(list: readonly Shown[], typed: string): string[] {
  return matching(list, typed).map(({ id }) => id);
}

export function matching(list: readonly Shown[], typed: string): readonly Shown[] {
  const start = fold(typed);
  const isMatch = (text: string) => ` ${fold(text)}`.includes(` ${start}`);
  return list.filter(({ id, name }) => isMatch(id) || isMatch(name)).slice(0, MAX_COMPLETIONS);
}
