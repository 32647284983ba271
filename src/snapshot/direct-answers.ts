// Answers questions of a search directly, from the FAQ, the prices, the opening hours, the places and the people: only
// where all telling words of the question are about that.

import { addressOf, weekdayOf, WEEK } from '../model/business.ts';
import { fold } from '../model/fold.ts';
import type { SearchFilter } from '../model/search.ts';
import { WordQuery } from '../model/word-query.ts';
import { splitWords } from '../model/words.ts';
import type { Sense } from '../search/meaning.ts';
import type { CountedSubject } from '../search/search-index.ts';
import type { Language } from '../strings/language.ts';
import data from './questions.json' with { type: 'json' };
import { describeReplies } from './replies.ts';
import type { Snapshot } from './snapshot.ts';

export interface DirectAnswer {
  readonly text: string;
  /** Some of the reviews that it rests on; none if it is what the business says of itself. */
  readonly review_ids: readonly string[];
}

/** An answer, and where there is more; `text` is empty where the page of that place has the answer. */
export interface PlacedAnswer extends DirectAnswer {
  readonly place?: Place;
  /** What reviews are looked for instead of the question: "children" of "which dentist for children". */
  readonly sought?: string;
}

export interface Place {
  readonly to: 'verification' | 'replies' | 'people' | 'changes' | 'aspect';
  /** The people, or the aspect. */
  readonly ids?: readonly string[];
  /** The period that was named, as in a filter. */
  readonly since?: string;
}

type Kind = keyof (typeof data)['en'];
type Lists = Readonly<Record<Kind, ReadonlySet<string>>>;

const LISTS: ReadonlyMap<string, Lists> = new Map(
  Object.entries(data).map(([code, lists]) => [
    code,
    Object.fromEntries(
      Object.entries(lists).map(([kind, words]) => [kind, new Set(fold(words).split(' '))]),
    ) as unknown as Lists,
  ]),
);
const ENGLISH = LISTS.get('en') as Lists;

/** The words of questions in the language that has most of some words, else in that of the pages. */
export function listsOf({ language }: Snapshot, words: readonly string[] = []): Lists {
  const own = LISTS.get(language.code) ?? ENGLISH;
  const countOf = (lists: Lists) =>
    words.filter((word) => Object.values(lists).some((list) => list.has(word))).length;
  const all = [own, ENGLISH, ...LISTS.values()];
  return all.reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
}

/** Longer searches are no questions, but descriptions. */
const MAX_WORDS = 12;
const MAX_REVIEWS = 20;
const MOST_PEOPLE = 3;
/** Fewer amounts tell nobody what it costs. */
const FEWEST_AMOUNTS = 3;
/** Filters that leave the reviews that an answer rests on. */
const NEUTRAL = new Set('words sort limit facets highlight in'.split(' '));

/** What a search filters by beside words. */
export const filtersIn = (filter: object): [name: string, value: unknown][] =>
  Object.entries(filter).filter(([name, one]) => one !== undefined && !NEUTRAL.has(name));
export const isWhole = (filter: object): boolean => filtersIn(filter).length === 0;
export const wordsOf = (text: string): string[] => splitWords(fold(text)).map(({ word }) => word);

/** A question, and what its telling words mean. */
interface Question {
  readonly snapshot: Snapshot;
  readonly lists: Lists;
  /** Whether some word is in a list. */
  readonly has: (list: ReadonlySet<string>) => boolean;
  /** The words of the name of the business. */
  readonly name: ReadonlySet<string>;
  readonly words: readonly string[];
  readonly senses: readonly Sense[];
  readonly subjects: readonly CountedSubject[];
}

/** The answers to a search that is a question, or `isAsked` as one; `subjects` are what its words name. */
export function answersTo(...asked: Parameters<typeof placedAnswers>): DirectAnswer[] {
  return placedAnswers(...asked).flatMap(({ text, review_ids }) =>
    text === '' ? [] : { text, review_ids },
  );
}

/** The same with places, and those that only a place answers. */
export function placedAnswers(
  snapshot: Snapshot,
  filter: SearchFilter,
  subjects?: readonly CountedSubject[],
  isAsked = false,
): PlacedAnswer[] {
  const question = questionOf(snapshot, filter, subjects, isAsked);
  if (question === null) return [];
  const ofBusiness = [answerContact(question), answerHours(question)].flatMap((one) => one ?? []);
  if (ofBusiness.length > 0) return ofBusiness;
  const { has, lists } = question;
  // "Do they take my insurance" asks for a fact, not for what customers think.
  const isOfFact = has(lists.offer) && !has(lists.good) && !has(lists.amount);
  for (const answer of [
    answerGenuine,
    answerReplies,
    answerPrice,
    answerPlace,
    answerPersons,
    answerChanges,
    ...(isOfFact ? [] : [answerFaq, answerSubject, answerPeople, answerAspect]),
    answerNone,
  ]) {
    const given = answer(question);
    if (given !== null) return [given];
  }
  return [];
}

function questionOf(
  snapshot: Snapshot,
  filter: SearchFilter,
  subjects: readonly CountedSubject[] | undefined,
  isAsked: boolean,
): Question | null {
  const { words: query } = filter;
  if (query === undefined || !isWhole(filter)) return null;
  if (query.required.some(({ isQuoted }) => isQuoted)) return null;
  const text = query.toString();
  const words = wordsOf(text);
  const [first = ''] = words;
  const lists = listsOf(snapshot, words);
  const has = (list: ReadonlySet<string>) => words.some((word) => list.has(word));
  const isQuestion =
    lists.first.has(first) ||
    lists.best.has(first) ||
    has(lists.versus) ||
    text.trimEnd().endsWith('?');
  // "open on Sunday" asks too.
  const isOfHours = has(lists.open) && words.some((word) => dayOf(word, snapshot) !== null);
  const isOfContact = words.every((word) => lists.reach.has(word));
  // So does "last 3 months".
  const ofPeriod = [lists.lately, lists.period, lists.numbers, lists.review, lists.listing];
  const isOfPeriod =
    words.length > 1 &&
    words.every((word) => ofPeriod.some((list) => list.has(word)) || /^\d+$/.test(word));
  if (!isAsked && !isOfHours && !isOfContact && !isOfPeriod && (!isQuestion || words.length < 2))
    return null;
  if (words.length > MAX_WORDS) return null;
  const named = subjects ?? snapshot.search({ words: query, limit: 1 }).subjects;
  const name = new Set(wordsOf(snapshot.head.business.name));
  return { snapshot, lists, has, name, words, senses: snapshot.senses(query), subjects: named };
}

/** Whether every telling word, but for those that only ask, is in a list or fulfils a condition. */
function isOnly(
  { senses, lists }: Question,
  words: ReadonlySet<string>,
  isToo: (sense: Sense) => boolean = () => false,
): boolean {
  // "êtes-vous" is one word.
  const isAsking = ({ word }: Sense) => lists.first.has(word.split(' ')[0] as string);
  return senses.every(
    (sense) => words.has(sense.word) || words.has(sense.typed) || isAsking(sense) || isToo(sense),
  );
}

/** How to reach the business. It may be asked for together with the hours. */
function answerContact(question: Question): DirectAnswer | null {
  const { snapshot, lists, has } = question;
  const { business } = snapshot.head;
  const isToo = ({ word }: Sense) =>
    [lists.open, lists.work, lists.weekend].some((list) => list.has(word)) ||
    dayOf(word, snapshot) !== null;
  if (!has(lists.reach) || !isOnly(question, lists.reach, isToo)) return null;
  const known = [business.telephone, business.email, addressOf(business)].filter((part) => part);
  return known.length === 0 ? null : { text: known.join(' · '), review_ids: [] };
}

/** The days of the week from Monday on in the languages of questions; 1 January 2024 was one. */
const DAYS = [...LISTS.keys()].map((code) => {
  const format = new Intl.DateTimeFormat(code, { weekday: 'long', timeZone: 'UTC' });
  return WEEK.map((_, day) => fold(format.format(Date.UTC(2024, 0, 1 + day))));
});

/** The day of the week that a word names, also shortened; null if it names none. */
export function dayOf(word: string, { language: { format } }: Snapshot): number | null {
  const isName = (name: string) =>
    word === `${name}s` || (word.length >= 3 && name.startsWith(word));
  const found = WEEK.findIndex(
    (day, at) =>
      [fold(day), fold(format.weekday(at))].some(isName) ||
      DAYS.some((names) => [names[at], `${names[at]}s`].includes(word)),
  );
  return found < 0 ? null : found;
}

function answerHours(question: Question): PlacedAnswer | null {
  const { snapshot, lists, words, has } = question;
  const { hours } = snapshot.head.business;
  const { strings, format } = snapshot.language;
  const { contact } = strings;
  const isOfWeekend = (word: string) => lists.weekend.has(word);
  const isDay = ({ word }: Sense) => dayOf(word, snapshot) !== null || isOfWeekend(word);
  const days = new Set(
    words.flatMap((word) =>
      isOfWeekend(word) ? [SATURDAY, SUNDAY] : (dayOf(word, snapshot) ?? []),
    ),
  );
  // Without a day, "do they work well" and the like are about something else.
  const isTime = (sense: Sense) =>
    days.size > 0 && (isDay(sense) || lists.work.has(sense.word) || lists.reach.has(sense.word));
  const isAsked = days.size > 0 || has(lists.when);
  if (hours.length === 0 || !isAsked || !isOnly(question, lists.open, isTime)) return null;
  const asked = days.size === 0 ? WEEK.map((_, day) => day) : [...days].toSorted((a, b) => a - b);
  const openOn = (day: number) =>
    hours.filter(({ days: each }) => each.some((name) => weekdayOf(name) === day));
  const times = asked.map((day) => {
    const open = openOn(day);
    const name = format.weekday(day);
    return open.length === 0
      ? contact.notOpen(name)
      : open.map(({ opens, closes }) => contact.open(name, opens, closes)).join(', ');
  });
  const sought = words.filter((word) => isOfWeekend(word) || dayOf(word, snapshot) !== null);
  const isClosed = days.size > 0 && asked.some((day) => openOn(day).length === 0);
  // A line that is open all day is what counts then.
  const said = sentencesIn(isClosed ? snapshot.head.business.description : null);
  const text = [
    `${contact.hours}${strings.colon}${times.join('; ')}.`,
    ...said.filter((one) => /\b24\b/.test(one)),
  ];
  const answer = { text: text.join(' ').trim(), review_ids: [] };
  return sought.length > 0 ? { ...answer, sought: sought.join(' ') } : answer;
}

const SENTENCE = /[^.!?\n]+(?:[.!?]+(?=\d)[^.!?\n]+)*[.!?\n]*/g;
export const sentencesIn = (text: string | null): string[] => text?.match(SENTENCE) ?? [];

const [SATURDAY, SUNDAY] = [5, 6];

/** The lowest, the middle and the highest of some amounts in one currency, in words. */
export function rangeOf(
  { strings, format }: Language,
  amounts: readonly number[],
  currency: string,
): string {
  const sorted = amounts.toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  const between = (low: number, high: number) =>
    format.money(((sorted[low] as number) + (sorted[high] as number)) / 2, currency);
  const middle = between(Math.floor(last / 2), Math.ceil(last / 2));
  return strings.prices.range(sorted.length, between(0, 0), between(last, last), middle);
}

/** Whether some words are of either list, and all telling ones of both together or the name of the business. */
function isOfBoth(question: Question, one: ReadonlySet<string>, other: ReadonlySet<string>) {
  const { has, name } = question;
  return has(one) && has(other) && isOnly(question, one.union(other).union(name));
}

/** How the business knows that the reviews are by customers. */
function answerGenuine(question: Question): PlacedAnswer | null {
  const { snapshot, lists } = question;
  const { fake, genuine, review } = lists;
  if (!isOfBoth(question, fake, fake) && !isOfBoth(question, genuine, review)) return null;
  const text = snapshot.language.strings.verification.what;
  return { text, review_ids: [], place: { to: 'verification' } };
}

/** How many critical reviews the owner answers, and how soon. */
function answerReplies(question: Question): PlacedAnswer | null {
  const { snapshot, lists, name } = question;
  const about = lists.repliers.union(lists.review).union(name);
  if (!isOfBoth(question, lists.replies, about)) return null;
  return { text: describeReplies(snapshot) ?? '', review_ids: [], place: { to: 'replies' } };
}

/** Whether it has changed lately, and since when reviews are asked for. */
function answerChanges(question: Question): PlacedAnswer | null {
  const { snapshot, lists, words } = question;
  const { lately, period, numbers, review, highest } = lists;
  const about = [period, numbers, review, highest].reduce((all, one) => all.union(one), lately);
  const digits = new Set(words.filter((word) => /^\d+$/.test(word)));
  if (!isOfBoth(question, lately, about.union(digits))) return null;
  const isEnglish = snapshot.language.code === 'en';
  const told = snapshot.insights
    .part('faq')
    .find((one) => isEnglish && one.question.includes('changed lately'));
  return {
    text: told ? `${told.question} ${told.answer}` : '',
    review_ids: told?.review_ids ?? [],
    place: { to: 'changes', ...periodIn(lists, words) },
  };
}

/** The period that words name, such as "3m" of "last three months". */
function periodIn(lists: Lists, words: readonly string[]): { since?: string } {
  const units = ['year', 'month', 'week'] as const;
  const at = words.findIndex((word) => units.some((unit) => lists[unit].has(word)));
  const unit = units.find((one) => lists[one].has(words[at] ?? ''));
  const before = words[at - 1] ?? '';
  const number = Number(before) || [...lists.numbers].indexOf(before) + 1 || 1;
  return unit === undefined ? {} : { since: `${number}${unit.charAt(0)}` };
}

/** What customers paid for the only service that is named. */
function answerPrice(question: Question): DirectAnswer | null {
  const { snapshot, lists, has, subjects } = question;
  const [service, ...others] = namedIn(subjects, 'service');
  if (service === undefined || others.length > 0 || !isOfLabel(service)) return null;
  const isOfService = ({ keys }: Sense) => keys.includes(`service:${service.id}`);
  if (!has(lists.price) || !isOnly(question, lists.price, isOfService)) return null;
  const { mentions } = snapshot.insights.part('prices');
  const paid = mentions.filter(({ kind, service: id }) => kind === 'paid' && id === service.id);
  const currencies = new Set(paid.map(({ currency }) => currency));
  const [currency = ''] = currencies;
  if (paid.length < FEWEST_AMOUNTS || currencies.size > 1) return null;
  const { strings } = snapshot.language;
  const amounts = paid.map(({ amount }) => amount);
  return {
    text: `${strings.prices.title} (${service.label}): ${rangeOf(snapshot.language, amounts, currency)}`,
    review_ids: [...new Set(paid.map(({ review_id: id }) => id))].slice(0, MAX_REVIEWS),
  };
}

/** Whether words name all of a service: an alias may be a part of it with other prices. */
export function isOfLabel({ label, words }: CountedSubject): boolean {
  const own = new Set(wordsOf(label));
  return words.split(' ').every((word) => own.has(word));
}

/** Whether a place is served that the business names. */
function answerPlace(question: Question): DirectAnswer | null {
  const { snapshot, lists, words } = question;
  const text = ` ${words.join(' ')} `;
  const place = snapshot.head.business.service_areas
    .toSorted((a, b) => b.length - a.length)
    .find((name) => text.includes(` ${wordsOf(name).join(' ')} `));
  if (place === undefined) return null;
  const own = new Set(wordsOf(place));
  if (!isOnly(question, lists.come, ({ word }) => own.has(word))) return null;
  const { strings } = snapshot.language;
  const found = snapshot.directory('service_areas').find(place);
  const ids =
    found.one === null || fold(found.one.label) !== fold(place)
      ? []
      : idsOf(snapshot, snapshot.mentioning('service_areas', found.one.id));
  const mentioned = ids.length === 0 ? '' : ` (${strings.reviews(ids.length)})`;
  return {
    text: `${strings.contact.serves}${strings.colon}${place}${mentioned}.`,
    review_ids: ids.slice(0, MAX_REVIEWS),
  };
}

/** Whom to ask for. */
function answerPeople(question: Question): PlacedAnswer | null {
  const { snapshot, lists, has, subjects } = question;
  const isWho = has(lists.who) || (has(lists.which) && has(lists.person));
  if (!isWho || subjects.some(({ kind }) => kind === 'technician')) return null;
  const { people } = snapshot.insights.part('selection');
  if (people.length === 0 || !isOnly(question, lists.best.union(lists.person))) return null;
  const { strings, format } = snapshot.language;
  const names = new Map(
    snapshot.insights.part('entities').technicians.map(({ id, name }) => [id, name]),
  );
  const items = people.map(({ id, count, of }) =>
    strings.facts.share(names.get(id) ?? id, count, of),
  );
  return {
    text: strings.facts.people(format.list(items)),
    review_ids: [...new Set(people.flatMap(({ review_ids: ids }) => ids))].slice(0, MAX_REVIEWS),
    place: { to: 'people' },
  };
}

/** How many of the reviews that mention the people named praise them, side by side if there are several. */
function answerPersons(question: Question): PlacedAnswer | null {
  const { snapshot, lists, subjects } = question;
  const people = namedIn(subjects, 'technician');
  const isOf = ({ keys }: Sense) => people.some(({ id }) => keys.includes(`technician:${id}`));
  const names = new Set(people.map(({ words }) => words));
  if (names.size < people.length || !isOnly(question, lists.best, isOf)) return null;
  const praised = people.map(({ id }) => snapshot.mentioning('technicians', id, 'positive'));
  if (praised.every(({ length }) => length === 0)) return null;
  const { strings, format } = snapshot.language;
  const items = people.map(({ label, count }, at) =>
    strings.facts.share(label, praised[at]?.length ?? 0, count),
  );
  return {
    text: strings.facts.people(format.list(items)),
    review_ids: praised.flatMap((all) => idsOf(snapshot, all)).slice(0, MAX_REVIEWS),
    place: { to: 'people', ids: people.map(({ id }) => id) },
    sought: [...names].join(' '),
  };
}

/** Of "which dentist for children" only the children tell what reviews are looked for, and who of the team is in them. */
function answerNone({ snapshot, lists, has, senses, words }: Question): PlacedAnswer | null {
  const { who, which, best, person } = lists;
  const rest = senses.filter(({ word }) => !person.has(word) && !best.has(word));
  if (!has(who) && !has(which) && !(has(best) && has(person))) return null;
  if (rest.length === 0 || rest.length === senses.length) return null;
  const sought = rest.map(({ typed }) => typed).join(' ');
  const about = { words: WordQuery.parse(`${sought} `), min_rating: 4, limit: 1 };
  const { technician = [] } = snapshot.search({ ...about, facets: 'technician' }).facets ?? {};
  const { technicians } = snapshot.insights.part('entities');
  // Who has left has no score.
  const people = technician
    .filter(({ value }) => technicians.some(({ id, score }) => id === value && score))
    .slice(0, MOST_PEOPLE);
  const isOfPerson = has(who) || (has(person) && (has(which) || best.has(words[0] ?? '')));
  if (!isOfPerson || people.length === 0) return { text: '', review_ids: [], sought };
  const { strings, format } = snapshot.language;
  const told = people.map(({ label, count }) => `${label} (${strings.reviews(count)})`);
  return {
    text: strings.facts.people(format.list(told)),
    review_ids: [],
    place: { to: 'people', ids: people.map(({ value }) => value) },
    sought,
  };
}

/** The topic or service that all telling words name. */
function subjectOf(question: Question): CountedSubject | undefined {
  const { lists, subjects } = question;
  return (['topic', 'service'] as const)
    .flatMap((kind) => namedIn(subjects, kind))
    .find((one) => {
      const isOf = ({ keys }: Sense) => keys.includes(`${one.kind}:${one.id}`);
      return isOfLabel(one) && isOnly(question, lists.come.union(lists.good), isOf);
    });
}

/** The stars of the reviews on a topic or service: an answer about a wider aspect is none. */
function answerSubject(question: Question): PlacedAnswer | null {
  const { snapshot, has, lists } = question;
  const named = has(lists.good) ? subjectOf(question) : undefined;
  if (named === undefined) return null;
  const { insights, language } = snapshot;
  const { services } = insights.part('entities');
  const all = named.kind === 'topic' ? insights.part('topics') : services;
  const of = all.find(({ id }) => id === named.id);
  if (!of?.average_rating || of.mention_count < FEWEST_AMOUNTS) return null;
  const { facts, labels } = language.strings;
  const label = Object.hasOwn(labels, of.label) ? (labels[of.label] as string) : of.label;
  return {
    text: facts.starsOf(facts.inSentence(label), of.mention_count, of.average_rating),
    review_ids: of.example_review_ids,
  };
}

/** The aspect that all telling words are about. */
function answerAspect(question: Question): PlacedAnswer | null {
  const { lists, subjects, senses } = question;
  const aspect = namedIn(subjects, 'aspect').find(({ id }) => {
    const isAbout = ({ keys }: Sense) => keys.includes(`aspect:${id}`);
    // "Do they work" names the quality of work, but does not ask for it.
    const isNamed = senses.some((one) => isAbout(one) && !lists.work.has(one.word));
    return isNamed && isOnly(question, lists.come.union(lists.good), isAbout);
  });
  return aspect ? { text: '', review_ids: [], place: { to: 'aspect', ids: [aspect.id] } } : null;
}

/** The question of the FAQ that asks the same: all telling words are in it, and more than half of its own in them. */
function answerFaq(searched: Question): PlacedAnswer | null {
  const { snapshot, words, senses, lists, has, name } = searched;
  // The FAQ is in English.
  if (snapshot.language.code !== 'en' || lists !== ENGLISH || senses.length === 0) return null;
  const isWeak = ({ word }: Sense) => [name, lists.come, lists.good].some((one) => one.has(word));
  // "Are they friendly?" and "How are the staff?" ask for the same, "how much" for something else.
  const isHow = (word: string, next = '') => word === 'how' && !lists.amount.has(next);
  const asking = (list: readonly string[]) =>
    list.filter((word, at) => lists.wh.has(word) && !isHow(word, list[at + 1])).join(' ');
  const own = asking(words);
  const tellingOf = (all: readonly Sense[]) =>
    all.every(isWeak) ? all : all.filter((one) => !isWeak(one));
  const asked = tellingOf(senses);
  if (senses.every(({ word }) => lists.work.has(word) || lists.come.has(word))) return null;
  const subject = subjectOf(searched);
  for (const { question, answer, review_ids: ids } of snapshot.insights.part('faq')) {
    if (asking(wordsOf(question)) !== own) continue;
    // "How is the food?" is no answer about breakfast.
    if (subject && !asked.some(({ word }) => wordsOf(question).includes(word))) continue;
    const theirs = tellingOf(snapshot.senses(WordQuery.parse(question)));
    const shares = (one: Sense) => (other: Sense) =>
      one.keys.some((key) => other.keys.includes(key));
    const covered = theirs.filter((other) => asked.some(shares(other)));
    const isCovered = asked.every((one) => theirs.some(shares(one)));
    // Half is enough of what an aspect is called: "on time".
    const isNamed = covered.some(
      ({ word, keys }) => !lists.work.has(word) && keys.some((key) => key.startsWith('aspect:')),
    );
    if (isCovered && covered.length * 2 + Number(isNamed) > theirs.length) {
      const told = { text: `${question} ${answer}`, review_ids: ids };
      return has(lists.who) ? { ...told, place: { to: 'people' } } : told;
    }
  }
  return null;
}

/** The subjects of a kind, each once. */
function namedIn(
  subjects: readonly CountedSubject[],
  kind: CountedSubject['kind'],
): CountedSubject[] {
  const own = subjects.filter((one) => one.kind === kind);
  return [...new Map(own.map((one) => [one.id, one])).values()];
}

function idsOf(snapshot: Snapshot, positions: Uint32Array): string[] {
  return Array.from(positions, (position) => snapshot.idAt(position));
}
