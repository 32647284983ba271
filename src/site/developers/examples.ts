// Example requests of /developers about the data of this snapshot, with their real answers.

import { REFUSALS } from '../../errors.ts';
import { TOOLS } from '../../mcp/tools.ts';
import type { Problem } from '../../model/problem.ts';
import { fillPath, ROUTES } from '../../model/routes.ts';
import { parseSearchParameters } from '../../model/search.ts';
import { renderSearch, renderSince } from '../../snapshot/queries.ts';
import type { DocumentPath } from '../../snapshot/documents.ts';
import { withParameters } from '../parts/links.ts';
import type { View } from '../view.ts';

/** Characters of an answer that are shown; longer answers are cut. */
const MAX_SHOWN = 2500;

/** A GET request and its answer. */
export interface HttpExample {
  readonly title: string;
  /** Including the query. */
  readonly path: string;
  readonly status: number;
  /** The body, or its beginning. */
  readonly answer: string;
  readonly isWhole: boolean;
}

/** A tool call and its structured content. */
export interface ToolExample {
  readonly name: string;
  readonly description: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly answer: string;
}

export function httpExamples(view: View): HttpExample[] {
  const { snapshot } = view;
  const oldest = snapshot.reviewCount - 1;
  const examples: HttpExample[] = [
    document(view, 'Everything: the business, its rating, every review', ROUTES.getReviews.path),
    document(view, 'What the reviews say', ROUTES.getInsights.path),
    ...searches(view),
  ];
  if (oldest >= 0) {
    const { id, date } = view.reviewAt(0).review;
    examples.push(
      exampleOf(
        'What is new since a date',
        fillPath(ROUTES.getReviewsSince.path, { date }),
        text(renderSince(snapshot, date)),
      ),
      exampleOf(
        'One review',
        fillPath(ROUTES.getReview.path, { id }),
        text([snapshot.reviewAt(0)]),
      ),
    );
  }
  return [
    ...examples,
    document(view, 'The newest as JSON Feed', ROUTES.getJsonFeed.path),
    document(view, 'The newest as Atom', ROUTES.getAtomFeed.path),
    invalidSearch(),
  ];
}

function document(view: View, title: string, path: DocumentPath): HttpExample {
  const { body } = view.snapshot.documents.get(path) as { body: Buffer };
  // A character takes at most 4 bytes.
  const start = body.toString('utf8', 0, MAX_SHOWN * 4);
  return exampleOf(title, path, start, body.length <= MAX_SHOWN * 4);
}

function searches(view: View): HttpExample[] {
  const [technician] = view.subjects('technicians');
  const [service] = view.subjects('services');
  const phrases = view.insights('aspects').flatMap(({ top_phrases: top }) => top);
  const [phrase] = phrases.toSorted((a, b) => a.length - b.length);
  const asked: [string, Record<string, string> | null][] = [
    ['The newest with four stars or more', { min_rating: '4', limit: '1' }],
    [
      'Words as they stand in the text',
      phrase === undefined ? null : { query: phrase, limit: '1' },
    ],
    [
      'What customers say of one technician',
      technician ? { mentions_technician: technician.name, limit: '1' } : null,
    ],
    ['And of one service', service ? { mentions_service: service.id, limit: '1' } : null],
  ];
  return asked.flatMap(([title, parameters]) => {
    const parsed = parseSearchParameters(parameters ?? {});
    if (parameters === null || !parsed.ok) return [];
    const path = withParameters(ROUTES.searchReviews.path, parameters);
    return [exampleOf(title, path, text(renderSearch(view.snapshot, parsed.value)))];
  });
}

/** A request with invalid parameters. */
function invalidSearch(): HttpExample {
  const parameters = { rating: '9', since: '2025-02-30' };
  const parsed = parseSearchParameters(parameters);
  const { status, title, detail } = REFUSALS.invalid_request;
  const problem: Problem = {
    type: 'about:blank',
    title,
    status,
    detail,
    issues: parsed.ok ? [] : parsed.issues,
  };
  const path = withParameters(ROUTES.searchReviews.path, parameters);
  const name = 'An invalid request gets all of its issues';
  return { ...exampleOf(name, path, JSON.stringify(problem)), status };
}

function exampleOf(title: string, path: string, answer: string, isAll = true): HttpExample {
  const isWhole = isAll && answer.length <= MAX_SHOWN;
  // The cut may split a surrogate pair.
  const shown = isWhole ? answer : answer.slice(0, MAX_SHOWN).toWellFormed();
  return { title, path, status: 200, answer: shown, isWhole };
}

function text(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString();
}

/** A call of each tool, with arguments that find something if the snapshot allows it. */
export function toolExamples(view: View): ToolExample[] {
  const first = (list: 'aspects' | 'technicians' | 'services') => view.subjects(list)[0];
  const newest = view.snapshot.reviewCount === 0 ? null : view.reviewAt(0).review;
  const given: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> = {
    search_reviews: { min_rating: 4, limit: 1 },
    get_review: newest && { id: newest.id },
    get_verification: newest && { id: newest.id },
    get_aspect_sentiment: { aspect: first('aspects')?.id ?? 'price' },
    get_technician: { name: first('technicians')?.name ?? 'Maria' },
    get_service: { service: first('services')?.id ?? 'repair' },
  };
  return TOOLS.flatMap(({ name, description, input, answer }) => {
    const args = given[name] === undefined ? {} : given[name];
    if (args === null) return [];
    const parsed = input.parse(args);
    return [{ name, description, arguments: args, answer: answer(view.queries, parsed) }];
  });
}
