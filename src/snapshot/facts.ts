// What agents are told of a question beside direct answers: what the data says of it as a whole, in English, so that a
// model need not add up passages. Every sentence counts or quotes; none judges.

import type { ReviewJson } from '../model/review.ts';
import type { SearchFilter } from '../model/search.ts';
import { WordQuery } from '../model/word-query.ts';
import { PARAMETERS } from '../search/names.ts';
import { translated } from '../search/synonyms.ts';
import type { CountedSubject } from '../search/search-index.ts';
import { dayOf, isOfLabel, isWhole, listsOf, sentencesIn, wordsOf } from './direct-answers.ts';
import { countOf, meansBy, meansIn, meansOf, reviewsOf } from './means.ts';
import { passageOf } from './passages.ts';
import type { Snapshot } from './snapshot.ts';

const MOST_QUOTES = 8;
const QUOTED = 160;
const MOST_READ = 100;
/** Longer searches are no question about a person. */
const MOST_WORDS = 12;
/** Stars of a bad review. */
const LOW = 2;
const AMOUNT = /[$€£]\s?\d|\d\s?(?:[$€£]|(?:USD|EUR|GBP|dollars|euros|pounds)\b)/iu;

const reviewAt = (snapshot: Snapshot, position: number) =>
  JSON.parse(snapshot.reviewAt(position).toString()) as ReviewJson;

/** Facts about all reviews that a search is about: for words, or for bad reviews; none beside other filters. */
export function factsOn(
  snapshot: Snapshot,
  filter: SearchFilter,
  subjects: readonly CountedSubject[],
): string[] {
  const { words, rating, max_rating: most = rating, cursor: _, ...others } = filter;
  if (words === undefined) {
    const isLow = most === 1 || (most === LOW && rating === undefined);
    return isLow && isWhole(others) ? complaintsOf(snapshot, most) : meansBy(snapshot, filter);
  }
  if (!isWhole(filter)) return meansBy(snapshot, filter);
  const text = words.toString();
  const typed = [...wordsOf(text), ...snapshot.senses(words).map(({ word }) => word)];
  const asked = [...new Set([...typed, ...translated(typed)])];
  const { complain, price } = listsOf(snapshot, asked);
  const people = peopleIn(snapshot, subjects);
  return [
    ...people,
    ...opinions(snapshot, subjects),
    ...ofBusiness(snapshot, words, asked),
    ...meansIn(snapshot, text, asked, subjects),
    ...(asked.some((word) => complain.has(word)) ? complaintsOf(snapshot) : []),
    ...(asked.some((word) => price.has(word)) ? amounts(snapshot, words, subjects) : []),
    ...(people.length > 0 ? [] : inReplies(snapshot, words)),
  ];
}

/** Whether words mean a subject: the name of a person that is also a common word needs a capital within the text. */
export function isMeant(
  snapshot: Snapshot,
  { words }: SearchFilter,
  { kind, words: name }: CountedSubject,
): boolean {
  if (kind !== 'technician' || words === undefined) return true;
  const parts = name.split(' ');
  const telling = snapshot.senses(words).flatMap(({ word }) => word.split(' '));
  const [, ...others] = words.toString().split(/\s+/);
  const written = others.filter((one) => /^\p{Lu}/u.test(one)).flatMap(wordsOf);
  return parts.some((part) => telling.includes(part) || written.includes(part));
}

/** The search for the reviews that mention the people of whom a question asks nothing but how they are; null for another. */
export function searchForPerson(snapshot: Snapshot, filter: SearchFilter): SearchFilter | null {
  const { words, cursor, ...others } = filter;
  if (words === undefined || !isWhole(others) || words.required.length > MOST_WORDS) return null;
  if (words.excluded.length > 0 || words.required.some(({ isQuoted }) => isQuoted)) return null;
  const { best, first } = listsOf(snapshot, wordsOf(words.toString()));
  const isAbout = snapshot.senses(words).every(({ word, keys }) => {
    const isPerson = keys.some((key) => key.startsWith('technician:'));
    return best.has(word) || first.has(word) || isPerson;
  });
  if (!isAbout) return null;
  const [person, ...more] = snapshot
    .search({ words, limit: 1 })
    .subjects.filter((one) => one.kind === 'technician' && isMeant(snapshot, filter, one));
  if (person === undefined) return null;
  return more.some(({ id }) => id !== person.id)
    ? { ...filter, words: WordQuery.parse(person.words) }
    : { ...others, ...(cursor && { cursor }), mentions_technician: person.id };
}

/** How often people are mentioned, whom bad reviews blame, and how many reviews leave open which of them they mean. */
export function peopleIn(
  snapshot: Snapshot,
  subjects: readonly Pick<CountedSubject, 'kind' | 'id' | 'words'>[],
): string[] {
  const named = subjects.filter(({ kind }) => kind === 'technician');
  const ids = new Set(named.map(({ id }) => id));
  const { technicians } = snapshot.insights.part('entities');
  const told = technicians.flatMap((one) => {
    if (!ids.has(one.id)) return [];
    const of = { mentions_technician: one.id };
    const low = countOf(snapshot, { ...of, max_rating: LOW });
    const own = countOf(snapshot, { ...of, max_rating: LOW, sentiment: 'negative' });
    const { facets } = snapshot.search({ ...of, limit: 1, facets: 'service' });
    const known = [
      ...(one.traits ?? []).map(({ label, review_count: count }) => `${label} ${count}`),
      ...(facets?.['service'] ?? []).map(({ label, count }) => `${label} ${count}`),
    ].slice(0, MOST_QUOTES);
    return `${one.name}: ${reviewsOf(one.mention_count)} (${one.positive_count} praise, ${one.negative_count} criticize), mean ${meansOf(snapshot, of)}; ${low || 'none'} with 1 or 2 stars${low > 0 ? `, of which ${own} criticize this person` : ''}.${known.length > 0 ? ` Known for: ${known.join(', ')}.` : ''}${one.active === false ? successors(snapshot, one) : ''}`;
  });
  const name = named[0]?.words;
  if (ids.size < 2 || named.some(({ words }) => words !== name)) return told;
  const mentioned = new Set([...ids].flatMap((id) => [...snapshot.mentioning('technicians', id)]));
  const { positions } = snapshot.search({ words: WordQuery.parse(`"${name}"`), limit: MOST_READ });
  const open = positions.filter((position) => !mentioned.has(position)).length;
  return [
    `"${name}" may be ${ids.size} people: tell them apart. In ${reviewsOf(open)} more it is not clear which is meant.`,
    ...told,
  ];
}

/** Whom reviews name beside a person who left, the newest first: one of them may have taken over. */
function successors(
  snapshot: Snapshot,
  {
    id: own,
    last_mentioned: last,
  }: { readonly id: string; readonly last_mentioned: string | null },
): string {
  const staying = snapshot.insights.part('entities').technicians.filter((one) => one.active);
  const positions = snapshot.mentioning('technicians', own).subarray(0, MOST_READ);
  const told = Array.from(positions).flatMap((position) => {
    const named = snapshot.insights.entry(position)?.technicians.map(({ id }) => id) ?? [];
    const [one, ...more] = staying.filter(({ id }) => named.includes(id));
    if (one === undefined || more.length > 0) return [];
    const { text, date } = reviewAt(snapshot, position);
    const { id, name: label } = one;
    const highlight = snapshot.highlighter({ limit: 1 }, [{ kind: 'technician', id, label }]);
    const passage = passageOf(text ?? '', highlight(position, text ?? '') ?? [], QUOTED);
    return `${label}: ${quoted(passage, date, snapshot.idAt(position))}`;
  });
  const named =
    told.length > 0 ? ` Named together with: ${told.slice(0, MOST_QUOTES / 2).join('; ')}.` : '';
  return ` No longer works there, says the business; last named ${last}.${named}`;
}

/** How many reviews praise and criticize what words name, and how many of few stars mention it. */
function opinions(snapshot: Snapshot, subjects: readonly CountedSubject[]): string[] {
  const { insights } = snapshot;
  const lists = { aspect: insights.part('aspects'), service: insights.part('entities').services };
  const named = new Map(subjects.map((one) => [`${one.kind} ${one.id}`, one]));
  return [...named.values()].flatMap(({ kind, id, label, words }) => {
    if (kind === 'problem')
      return `${label}: ${reviewsOf(countOf(snapshot, { problem: id }))} by the label; others tell it in other words.`;
    // Who asks how something is rated does not ask what it costs.
    if ((kind !== 'aspect' && kind !== 'service') || /^rat(?:e[ds]?|ings?)$/.test(words)) return [];
    const one = lists[kind].find((each) => each.id === id);
    const few = countOf(snapshot, { [PARAMETERS[kind]]: id, max_rating: 3 });
    if (one === undefined) return [];
    const by = kind === 'service' ? doneBy(snapshot, id) : '';
    return `${label}: mentioned in ${reviewsOf(one.mention_count)} (${one.positive_count} praise, ${one.negative_count} criticize); ${few} of 1 to 3 stars.${by}`;
  });
}

/** Who does a service, of those who have not left, with the mean stars of the reviews that name both. */
function doneBy(snapshot: Snapshot, service: string): string {
  const { technicians } = snapshot.insights.part('entities');
  const left = new Set(technicians.filter((one) => one.active === false).map(({ id }) => id));
  const of = { mentions_service: service };
  const { facets } = snapshot.search({ ...of, limit: 1, facets: 'technician' });
  const staying = (facets?.['technician'] ?? []).filter(({ value }) => !left.has(value));
  const done = staying.slice(0, MOST_QUOTES).map(({ value: id, label }) => {
    return `${label} ${meansOf(snapshot, { ...of, mentions_technician: id })}`;
  });
  return done.length === 0 ? '' : ` Reviews of it that name who did it: ${done.join(', ')}.`;
}

/**
 * The problems by how many reviews report them, and to how many bad ones the owner replied; with `stars` only of those
 * that have at most so many.
 */
export function complaintsOf(snapshot: Snapshot, stars: number | null = null): string[] {
  const { problems } = snapshot.insights.part('entities');
  const low = { max_rating: stars ?? LOW, facets: 'problem', limit: MOST_READ };
  const { matched, facets, positions } = snapshot.search(low);
  if (matched === 0) return [];
  const replied = positions.filter((position) => reviewAt(snapshot, position).owner_reply !== null);
  const none = positions.filter((position) => !snapshot.insights.entry(position)?.problems.length);
  const read = matched > positions.length ? `the newest ${positions.length}` : 'them';
  const ofLow = facets?.['problem'] ?? [];
  const partOf = (id: string) => ofLow.find(({ value }) => value === id)?.count ?? 0;
  const told = stars
    ? ofLow.map(({ label, count }) => `${label} ${count}`)
    : problems.map(({ id, name, mention_count: count }) => `${name} ${count} (${partOf(id)})`);
  const whose = stars ? 'these' : 'all reviews (in brackets: of those)';
  const range = low.max_rating === 1 ? '1 star' : `1 to ${low.max_rating} stars`;
  return [
    `${matched} of ${reviewsOf(snapshot.reviewCount)} have ${range}; of ${read}, the owner replied to ${replied.length}, and ${none.length} report no problem of the list.`,
    `Problems by label, at least, of ${whose}, some report several: ${told.slice(0, MOST_QUOTES).join(', ') || 'none'}.`,
  ];
}

/** Sentences with an amount from the reviews that speak of what a price is asked of, by any name of it. */
function amounts(
  snapshot: Snapshot,
  words: WordQuery,
  subjects: readonly CountedSubject[],
): string[] {
  const { price } = listsOf(snapshot, wordsOf(words.toString()));
  const { services } = snapshot.head.business;
  const service = subjects.find(({ kind }) => kind === 'service');
  const own = words.required.filter((clause) => !clause.words.some((word) => price.has(word)));
  if (own.length === 0) return [];
  const aliases =
    service && isOfLabel(service) ? services.find(({ id }) => id === service.id) : null;
  const spoken = service
    ? [service.words, ...(aliases?.aliases ?? [])].map((name) => WordQuery.parse(`"${name}"`))
    : [words.withRequired(own)];
  const search = (each: WordQuery) =>
    snapshot.search({ words: each, strict: true, limit: MOST_READ }).positions;
  const found = [...new Set(spoken.flatMap(search))]
    .toSorted((a, b) => a - b)
    .flatMap((position) => {
      const { text, date, owner_reply: reply } = reviewAt(snapshot, position);
      const [said, replied] = [amountsIn(text ?? ''), amountsIn(reply?.text ?? '')];
      if (said === '') return [];
      return quoted(said, date, snapshot.idAt(position)) + (replied && `, the owner: "${replied}"`);
    });
  if (found.length === 0) return [];
  const told = found.slice(0, MOST_QUOTES).join('; ');
  return [`Amounts in reviews that speak of it, newest first; some are for other work: ${told}.`];
}

/** The parts of a text around its amounts; "" if it has none. */
function amountsIn(text: string): string {
  const parts = sentencesIn(text).flatMap((sentence) => {
    const from = Math.max(0, sentence.search(AMOUNT) - QUOTED / 2);
    const part = (from > 0 ? '… ' : '') + sentence.slice(from, from + QUOTED).trim();
    return AMOUNT.test(sentence) ? part : [];
  });
  return cut(parts.join(' '));
}

function cut(text: string): string {
  const whole = text.replaceAll(/\s+/g, ' ').trim();
  return (whole.length > QUOTED ? `${whole.slice(0, QUOTED).trimEnd()} …` : whole).toWellFormed();
}

const quoted = (text: string, date: string, id: string) => `"${cut(text)}" (${date}, ${id})`;

/** What the business says of itself about it, or, to questions about its hours, about emergencies. */
function ofBusiness(snapshot: Snapshot, words: WordQuery, asked: readonly string[]): string[] {
  const { weekend, open } = listsOf(snapshot, asked);
  const isOfHours = asked.some(
    (word) => weekend.has(word) || open.has(word) || dayOf(word, snapshot) !== null,
  );
  const senses = snapshot.senses(words);
  const said = sentencesIn(snapshot.head.business.description).filter((sentence) => {
    const own = wordsOf(sentence);
    const shared = senses.filter(({ word }) => own.includes(word)).length;
    return shared >= Math.min(2, senses.length) || (isOfHours && /\b24\b/.test(sentence));
  });
  return said.length > 0 ? [`The business says of itself: "${cut(said.join(' '))}"`] : [];
}

/** Replies of the owner that say all telling words: amends are often told only there. */
function inReplies(snapshot: Snapshot, words: WordQuery): string[] {
  const filter = { words, in: 'reply', limit: MOST_QUOTES } as const;
  const { matched, positions } = snapshot.search(filter);
  const having = positions.slice(0, matched);
  if (having.length === 0) return [];
  const highlight = snapshot.highlighter(filter, []);
  const told = having.map((position) => {
    const { owner_reply: reply, date } = reviewAt(snapshot, position);
    const text = reply?.text ?? '';
    const hits = highlight(position, text, 'reply') ?? [];
    return quoted(passageOf(text, hits, QUOTED / 2), reply?.date ?? date, snapshot.idAt(position));
  });
  return [
    `Replies of the owner (what the business says, not the customer) with these words: ${matched}, such as ${told.join('; ')}. "in": "reply" finds all.`,
  ];
}
