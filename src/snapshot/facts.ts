// What agents are told of a question beside direct answers: what the data says of it as a whole, in English, so that a
// model need not add up passages. Every sentence counts or quotes; none judges.

import { fold } from '../model/fold.ts';
import type { ReviewJson } from '../model/review.ts';
import type { SearchFilter } from '../model/search.ts';
import { WordQuery } from '../model/word-query.ts';
import { splitWords } from '../model/words.ts';
import { PARAMETERS } from '../search/names.ts';
import type { CountedSubject } from '../search/search-index.ts';
import { dayOf, isOfLabel, listsOf, NEUTRAL } from './direct-answers.ts';
import type { Snapshot } from './snapshot.ts';

/** Amounts and replies that are quoted, and the characters of a quote. */
const MOST_QUOTES = 5;
const QUOTED = 160;
const MOST_AMOUNTS = 8;
/** Reviews that are read for amounts. */
const MOST_READ = 100;
/** Longer searches are no question about a person. */
const MOST_WORDS = 12;
/** Stars of a bad review. */
const LOW = 2;
const AMOUNT = /[$€£]\s?\d|\d\s?(?:[$€£]|(?:USD|EUR|GBP|dollars|euros|pounds)\b)/iu;
const SENTENCE = /[^.!?\n]+(?:[.!?]+(?=\d)[^.!?\n]+)*[.!?\n]*/g;

const isWhole = (filter: object) =>
  Object.entries(filter).every(([name, one]) => one === undefined || NEUTRAL.has(name));

/** Facts about all reviews that a search for words is about; none beside filters, which select others. */
export function factsOn(
  snapshot: Snapshot,
  filter: SearchFilter,
  subjects: readonly CountedSubject[],
): string[] {
  const { words, rating, max_rating: most = rating, cursor: _, ...others } = filter;
  if (words === undefined) {
    const isLow = most === 1 || (most === LOW && rating === undefined);
    return isLow && isWhole(others) ? complaintsOf(snapshot, most) : [];
  }
  if (!isWhole(filter)) return [];
  const asked = splitWords(fold(words.toString())).map(({ word }) => word);
  return [
    ...peopleIn(snapshot, subjects),
    ...opinions(snapshot, subjects),
    ...ofBusiness(snapshot, words, asked),
    ...partScores(snapshot, asked),
    ...complaints(snapshot, asked),
    ...amounts(snapshot, words, asked, subjects),
    ...(subjects.some(({ kind }) => kind === 'technician') ? [] : inReplies(snapshot, words)),
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
  const telling = new Set(snapshot.senses(words).flatMap(({ word }) => word.split(' ')));
  if (parts.some((part) => telling.has(part))) return true;
  const [, ...others] = words.toString().split(/\s+/);
  return others.some(
    (one) => /^\p{Lu}/u.test(one) && parts.includes(fold(one).replace(/\W+$/, '')),
  );
}

/** The search for the reviews that mention the people of whom a question asks nothing but how they are; null for another. */
export function searchForPerson(snapshot: Snapshot, filter: SearchFilter): SearchFilter | null {
  const { words, cursor: _, ...others } = filter;
  if (words === undefined || !isWhole(others) || words.required.length > MOST_WORDS) return null;
  if (words.excluded.length > 0 || words.required.some(({ isQuoted }) => isQuoted)) return null;
  const { subjects } = snapshot.search({ words, limit: 1 });
  const people = subjects.filter(
    (one) => one.kind === 'technician' && isMeant(snapshot, filter, one),
  );
  const ids = new Set(people.map(({ id }) => id));
  const [{ id, words: name }] = people.length > 0 ? people : [{ id: '', words: '' }];
  const { best, first } = listsOf(snapshot);
  const isAbout =
    people.length > 0 &&
    snapshot
      .senses(words)
      .every(
        ({ word, keys }) =>
          best.has(word) || first.has(word) || keys.some((key) => key.startsWith('technician:')),
      );
  if (!isAbout) return null;
  if (ids.size > 1) return { ...filter, words: WordQuery.parse(name) };
  const { words: __, ...rest } = filter;
  return { ...rest, mentions_technician: id };
}

const countOf = (snapshot: Snapshot, filter: Omit<SearchFilter, 'limit'>) =>
  snapshot.search({ ...filter, limit: 1 }).matched;

/** How often people are mentioned and by whom they are blamed, and how many reviews leave open whom they mean. */
export function peopleIn(
  snapshot: Snapshot,
  subjects: readonly Pick<CountedSubject, 'kind' | 'id' | 'words'>[],
): string[] {
  const named = subjects.filter(({ kind }) => kind === 'technician');
  const known = new Map(snapshot.insights.part('entities').technicians.map((one) => [one.id, one]));
  const told = named.flatMap(({ id }) => {
    const one = known.get(id);
    if (one === undefined) return [];
    const low = { mentions_technician: id, max_rating: LOW };
    const lowCount = countOf(snapshot, low);
    const blaming = countOf(snapshot, { ...low, sentiment: 'negative' });
    const ofLow =
      lowCount === 0
        ? 'none with 1 or 2 stars'
        : `${lowCount} with 1 or 2 stars, of which ${blaming} criticize this person and ${lowCount - blaming} something else`;
    const left = one.active === false ? ' No longer works there, says the business.' : '';
    return `${one.name}: ${reviewsOf(one.mention_count)} (${one.positive_count} praise, ${one.negative_count} criticize); ${ofLow}.${left}`;
  });
  const shared = named.find(({ id, words }) =>
    named.some((other) => other.words === words && other.id !== id),
  );
  if (shared === undefined) return told;
  const mentioned = new Set(named.flatMap(({ id }) => [...snapshot.mentioning('technicians', id)]));
  const { positions } = snapshot.search({
    words: WordQuery.parse(`"${shared.words}"`),
    limit: MOST_READ,
  });
  const open = positions.filter((position) => !mentioned.has(position)).length;
  const people = new Set(named.map(({ id }) => id)).size;
  return [
    `"${shared.words}" may be ${people} people: tell them apart. In ${reviewsOf(open)} more it is not clear which is meant.`,
    ...told,
  ];
}

const reviewsOf = (count: number) => `${count} ${count === 1 ? 'review' : 'reviews'}`;

/** The part scores and attributes that words name. */
function partScores({ head, insights }: Snapshot, asked: readonly string[]): string[] {
  const { business } = head;
  const labels = (name: string, known: Readonly<Record<string, string>> = {}) =>
    known[name] ?? name;
  const wordsOf = (text: string) => splitWords(fold(text)).map(({ word }) => word);
  const isAsked = (part: string) =>
    asked.some((word) => word === part || word === `${part}s` || `${word}s` === part);
  const isNamed = (text: string) => {
    const parts = wordsOf(text);
    const isNumbered = parts.some((part) => /\d{2}/.test(part) && asked.includes(part));
    return isNumbered || parts.every(isAsked) || isAsked(parts.join(''));
  };
  const scored = Object.entries(insights.part('ratings') ?? {})
    .map(([name, score]) => ({ label: labels(name, business.ratings), ...score }))
    .filter(({ label }) => isNamed(label));
  const compared = Object.entries(insights.part('attributes') ?? {}).flatMap(
    ([name, { values }]) => {
      const label = labels(name, business.attributes);
      // "Cabin crew" is not about cabins.
      const isOther = scored.some((one) => wordsOf(one.label).includes(wordsOf(label)[0] ?? ''));
      return isNamed(label) && !isOther
        ? values.slice(0, MOST_QUOTES).map((value) => ({ label, ...value }))
        : values
            .filter(({ value }) => isNamed(value.replace(/ class$/i, '')))
            .map((value) => ({ label, ...value }));
    },
  );
  const parts = compared.filter(
    ({ value }) =>
      !compared.some((one) => one.value !== value && one.value.startsWith(`${value} `)),
  );
  const shown = parts.map(
    ({ label, value, average_rating: stars, review_count: count }) =>
      `${label} ${value} ${stars.toFixed(1)} stars (${reviewsOf(count)})`,
  );
  return [
    ...scored.map(
      ({ label, mean, count }) =>
        `${label}: mean ${mean.toFixed(1)} of 5 in ${count} ratings of it.`,
    ),
    ...(shown.length === 0 ? [] : [`Mean stars of all reviews by: ${shown.join('; ')}.`]),
  ];
}

/** How many reviews praise and criticize what words name, and how many of few stars mention it. */
function opinions(snapshot: Snapshot, subjects: readonly CountedSubject[]): string[] {
  const { insights } = snapshot;
  const { services } = insights.part('entities');
  const lists = { aspect: insights.part('aspects'), service: services } as const;
  const named = new Map(subjects.map((one) => [`${one.kind} ${one.id}`, one]));
  return [...named.values()].flatMap(({ kind, id, label }) => {
    if (kind !== 'aspect' && kind !== 'service') return [];
    const one = lists[kind].find((each) => each.id === id);
    if (one === undefined) return [];
    const few = countOf(snapshot, { [PARAMETERS[kind]]: id, max_rating: 3 });
    return `${label}: ${reviewsOf(one.mention_count)} with an opinion (${one.positive_count} praise, ${one.negative_count} criticize); ${few} of 1 to 3 stars.`;
  });
}

/** What is complained of most, if that is asked; a review may count for several. */
function complaints(snapshot: Snapshot, asked: readonly string[]): string[] {
  const { complain } = listsOf(snapshot);
  return asked.some((word) => complain.has(word)) ? complaintsOf(snapshot) : [];
}

/**
 * The problems by how many reviews report them, and to how many bad ones the owner replied; with `stars` only of those
 * that have at most so many.
 */
export function complaintsOf(snapshot: Snapshot, stars: number | null = null): string[] {
  const { problems } = snapshot.insights.part('entities');
  const low = { max_rating: stars ?? LOW };
  const { matched, facets } = snapshot.search({ ...low, facets: 'problem', limit: 1 });
  if (matched === 0) return [];
  const { positions } = snapshot.search({ ...low, limit: MOST_READ });
  const replied = positions.filter((position) => reviewAt(snapshot, position).owner_reply !== null);
  const none = positions.filter((position) => !snapshot.insights.entry(position)?.problems.length);
  const read = matched > positions.length ? `the newest ${positions.length}` : 'them';
  const ofLow = facets?.['problem'] ?? [];
  const told =
    stars === null
      ? problems.map(({ id, name, mention_count: count }) => {
          const part = ofLow.find(({ value }) => value === id)?.count ?? 0;
          return `${name} ${count} (${part})`;
        })
      : ofLow.map(({ label, count }) => `${label} ${count}`);
  const head = `${matched} of ${reviewsOf(snapshot.reviewCount)} have ${low.max_rating === 1 ? '1 star' : `1 to ${low.max_rating} stars`}; the owner replied to ${replied.length} of ${read}`;
  if (told.length === 0) return [`${head}.`];
  const whose = stars === null ? 'all reviews (in brackets: of those)' : 'these';
  return [
    `${head}, and in ${none.length} no problem of the list was found.`,
    `Problems reported by ${whose}, some report several: ${told.slice(0, 2 * MOST_QUOTES).join(', ')}.`,
  ];
}

const reviewAt = (snapshot: Snapshot, position: number) =>
  JSON.parse(snapshot.reviewAt(position).toString()) as ReviewJson;

/** Sentences with an amount from the reviews that speak of what a price is asked of, by any name of it. */
function amounts(
  snapshot: Snapshot,
  words: WordQuery,
  asked: readonly string[],
  subjects: readonly CountedSubject[],
): string[] {
  const { price } = listsOf(snapshot);
  if (!asked.some((word) => price.has(word))) return [];
  const service = subjects.find(({ kind }) => kind === 'service');
  const aliases =
    snapshot.head.business.services.find(({ id }) => id === service?.id)?.aliases ?? [];
  const own = words.required.filter((clause) => !clause.words.some((word) => price.has(word)));
  const spoken =
    service === undefined
      ? [words.withRequired(own)]
      : [service.words, ...(isOfLabel(service) ? aliases : [])].map((name) =>
          WordQuery.parse(`"${name}"`),
        );
  if (own.length === 0 && service === undefined) return [];
  const positions = spoken.flatMap(
    (each) => snapshot.search({ words: each, strict: true, limit: MOST_READ }).positions,
  );
  const found = [...new Set(positions)]
    .toSorted((a, b) => a - b)
    .flatMap((position) => {
      const { text, date, owner_reply: reply } = reviewAt(snapshot, position);
      const [said, replied] = [amountsIn(text), amountsIn(reply?.text ?? null)];
      if (said === '') return [];
      return `${quoted(said, date, snapshot.idAt(position))}${replied && `, the owner: "${replied}"`}`;
    });
  return found.length === 0
    ? []
    : [
        `Amounts in reviews that speak of it, newest first; some are for other work: ${found.slice(0, MOST_AMOUNTS).join('; ')}.`,
      ];
}

/** The parts of a text around its amounts; "" if it has none. */
function amountsIn(text: string | null): string {
  const parts = (text?.match(SENTENCE) ?? []).flatMap((sentence) => {
    const at = sentence.search(AMOUNT);
    if (at < 0) return [];
    const from = Math.max(0, at - QUOTED / 2);
    return `${from > 0 ? '… ' : ''}${sentence.slice(from, from + QUOTED).trim()}`;
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
  const { description } = snapshot.head.business;
  const { weekend, open } = listsOf(snapshot);
  const isOfHours = asked.some(
    (word) => weekend.has(word) || open.has(word) || dayOf(word, snapshot) !== null,
  );
  const senses = snapshot.senses(words);
  const said = (description ?? '').match(SENTENCE)?.filter((sentence) => {
    const own = splitWords(fold(sentence)).map(({ word }) => word);
    const shared = senses.filter(({ word }) => own.includes(word)).length;
    return shared >= Math.min(2, senses.length) || (isOfHours && /\b24\b/.test(sentence));
  });
  return said?.length ? [`The business says of itself: "${cut(said.join(' '))}"`] : [];
}

/** Replies of the owner that say all telling words: amends are often told only there. */
function inReplies(snapshot: Snapshot, words: WordQuery): string[] {
  const filter = { words, in: 'reply', limit: MOST_READ } as const;
  const { matched, positions, reasons } = snapshot.search(filter);
  const having = positions.filter((_, at) => reasons?.[at] === 'all').slice(0, MOST_QUOTES);
  if (having.length === 0) return [];
  const highlight = snapshot.highlighter(filter, []);
  const told = having.map((position) => {
    const { owner_reply: reply, date } = reviewAt(snapshot, position);
    const text = reply?.text ?? '';
    const hits = highlight(position, text, 'reply') ?? [];
    const sentences = [...text.matchAll(SENTENCE)].map(({ 0: sentence, index }) => ({
      sentence,
      hits: hits.filter(([start]) => start >= index && start < index + sentence.length).length,
    }));
    const best = sentences.toSorted((a, b) => b.hits - a.hits)[0]?.sentence ?? text;
    return quoted(best, reply?.date ?? date, snapshot.idAt(position));
  });
  return [
    `Replies of the owner (what the business says, not the customer) that have these words: ${matched}, such as ${told.join('; ')}. "in": "reply" finds all.`,
  ];
}
