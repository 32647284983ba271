// A mapping for a file of an unknown format, proposed from the headings and the values of its columns. A heading
// alone decides nothing: "Response" may be a score, an answer of the owner, or what the customer wrote.

import { InputError, show } from '../../errors.ts';
import { fold, plainName, wordPattern, wordsOf } from '../../model/fold.ts';
import type { Sample } from '../formats/sample.ts';
import {
  compileDateFormat,
  EXCEL_FORMAT,
  excelDate,
  isMonth,
  PLAIN_FORMAT,
  plainDate,
  RELATIVE_FORMAT,
  relativeDate,
} from './date-format.ts';
import { dateFormatsOf, orderOf } from './date-guess.ts';
import { isDate } from '../../model/date.ts';
import headings from './headings.json' with { type: 'json' };
import { partNameOf } from '../../model/review-parts.ts';
import { columnsAt, type Field, type Place, type RowRule } from './mapping.ts';
import { type Scale, withoutAddress } from '../readers/values.ts';
import {
  entryName,
  isName,
  numberOf,
  SampledColumn,
  type SampledTable,
  sampledTable,
} from './sampled-columns.ts';

/** What is known of a file without looking into it. */
export interface Given {
  readonly name: string;
  readonly source: string | null;
  readonly verifiedBy: string | null;
  readonly scale: Scale | null;
  /** `day-first` or `month-first`, or the day from which "3 weeks ago" counts. */
  readonly dateOrder: string | null;
}

export interface Proposal {
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly missing: readonly ('stars' | 'a date' | 'words')[];
  /** What the file does not decide, and the option that does. */
  readonly open: readonly Open[];
  readonly notes: readonly string[];
}

export interface Open {
  readonly question: string;
  readonly option: string;
}

const DIRECTION: Open = {
  question:
    'whether the mark 1 is the best or the worst (WORST-BEST is 6-1 or 5-1 if it is the best, else 1-6 or 1-5)',
  option: '--scale WORST-BEST',
};
const SOURCE: Open = { question: 'where these reviews were written', option: '--source NAME' };

type Chosen = Map<Field, SampledColumn>;
type RowValues = Readonly<Record<string, readonly string[]>>;
type NamedField = keyof typeof headings.fields;
const SCALE =
  /(?<!\d)([01])\s?(?:[-–]|\.\.|to|bis|à|a|(?:[=:]?\s?\p{L}+[ ,;-]+){1,4})\s?(4|5|6|7|10|20|100)(?!\d)/u;
const PART_WORDS = 3;
const LEAST = 0.4;
/** Characters in which an answer names whom it answers. */
const SALUTATION = 24;

function when<T>(isSo: unknown, value: T): T[] {
  return isSo ? [value] : [];
}

/** The members that are not empty. */
function filled<T extends object>(members: T): Partial<T> {
  const some = Object.entries(members).filter(
    ([, value]) => Object.keys(value as object).length > 0,
  );
  return Object.fromEntries(some) as Partial<T>;
}

function shownList(values: readonly string[]): string {
  return values.map(show).join(', ');
}

export function propose(sample: Sample, given: Given): Proposal {
  const table = sampledTable(sample);
  refuseOthers(given.name, table);
  const platform = platformOf(table);
  const chosen = chooseColumns(table, platform);
  const product = chooseAround(table, chosen);
  const names = namesOf(table, chosen);
  const texts = chooseTexts(table, chosen, columnsAt(names ?? undefined));
  const dates = decideDates(table, chosen, given.dateOrder);
  const rating = chosen.get('rating');
  const other = secondRating(table, rating);
  const place = sourceOf(given.name, chosen.get('source_url'), platform);
  const marks = given.scale ?? platform?.scale ?? schoolMarks(table, rating, place, sample.text);
  const scale = marks === 'open' ? null : marks;
  const ratings = decideRatings(table, rating, other, scale, given.scale !== null);
  const source = given.source ?? place;
  // A channel of a shop under "Kanal" is no platform, if the file names one.
  if (isSourceOf(chosen.get('source'), source)) chosen.delete('source');
  const rows = decideRows(table, chosen, texts, ratings.only);
  const isNameless = peopleIn(table, names) < table.rowCount;
  const author = platform?.author ?? 'A customer';
  const constants = {
    ...(source === null ? {} : { source }),
    ...(isNameless || rows.mapping.nameless ? { author } : {}),
    ...(!chosen.has('date') && isDate(given.dateOrder ?? '') ? { date: given.dateOrder } : {}),
    ...(given.verifiedBy === null ? {} : { verified_by: given.verifiedBy }),
  };
  const columns = {
    ...Object.fromEntries([...chosen].map(([field, { name }]) => [field, name])),
    ...(other ? { rating: [rating?.name ?? '', other.name] } : {}),
    ...otherPlace(table, chosen.get('location')),
    ...replyPlaces(table, chosen),
    ...(names === null ? {} : { author: names }),
    ...textPlace(texts, table),
    ...platform?.columns,
  };
  // Nothing is imported before the direction is known.
  if (marks === 'open') delete columns['rating'];
  const mapped = Object.values(columns).flatMap((at) => columnsAt(at as Place));
  const { rating_scale: guessed = scale } = ratings.mapping as { rating_scale?: Scale };
  const attributes = { ...ratings.given, ...product.attributes, ...platform?.attributes };
  const parts = decideParts(table, mapped, { ...platform, attributes }, guessed);
  return {
    mapping: {
      ...(table.list === null ? {} : { list: table.list }),
      ...(table.isHeadless ? { header: false } : {}),
      columns,
      ...dates.mapping,
      ...ratings.mapping,
      ...parts,
      ...rows.mapping,
      ...decideVerified(chosen.get('verified')),
      ...filled({ constants }),
    },
    missing: [
      ...when(texts.length === 0, 'words' as const),
      ...when(!chosen.has('rating'), 'stars' as const),
      ...when(!chosen.has('date') && !isDate(given.dateOrder ?? ''), 'a date' as const),
    ],
    open: [
      ...dates.open,
      ...when(source === null && !chosen.has('source'), SOURCE),
      ...when(marks === 'open', DIRECTION),
    ],
    notes: [
      ...dates.notes,
      ...noteOfSurvey(table, chosen.get('rating'), source),
      ...ratings.notes,
      ...noteOfParts(parts.ratings_scale, guessed),
      ...rows.notes,
      ...noteOfNames(names, author, table),
      ...table.notes,
      ...unread(table, [
        ...mapped.flatMap((at) => [at, at.replace('.*.', '.0.')]),
        ...[parts.attributes, parts.ratings].flatMap((some) => Object.values(some ?? {})),
        ...rows.columns,
      ]),
    ],
  };
}

function noteOfNames(names: Place | null, author: string, { columns }: SampledTable): string[] {
  if (names === null) return [`no column has names: each author is "${author}"`];
  const asks = columns.find(asksForGivenName);
  const shown = columns.filter(({ name }) => columnsAt(names).includes(name));
  // Those of a form, or beside the names that a platform shows.
  const isFull = asks ? shown.some((one) => fullNames(one) > 0) : shown.length > 1;
  const full = 'full names would be shown: "authors": "initials" in the settings shows "Ann B."';
  const more = `${show(asks?.name)} asks for no more than the first name or initials`;
  return [...when(asks, more), ...when(isFull, full)];
}

/** How many rows have a name. */
function peopleIn({ columns }: SampledTable, names: Place | null): number {
  const [first] = columnsAt(names ?? undefined);
  const authors = columns.find(({ name }) => name === first);
  return authors?.values.filter((value) => withoutAddress(value) !== null).length ?? 0;
}

/** Whether the column says nothing that the file's own source does not. */
function isSourceOf(column: SampledColumn | undefined, source: string | null): boolean {
  const sources = column?.distinct ?? [];
  const isSource = (value: string) => plainName(value) === plainName(source ?? '');
  return source !== null && (!sources.some(isPlatform) || sources.every(isSource));
}

/** @throws {InputError} if the headings speak of something else: of money and documents, or of how often a profile was seen. */
function refuseOthers(file: string, { columns }: SampledTable): void {
  // A report has how many reviews there were, and no days.
  const isReport = columns.every(({ dates }) => dates.length === 0);
  const isTold = (one: SampledColumn) => !isReport || one.ratings === null;
  if (columns.some((one) => one.has(headings.ofReviews) && isTold(one))) return;
  for (const [what, kinds] of Object.entries(headings.others)) {
    const found = new Set(kinds.flatMap((words) => columns.find((one) => one.has(words)) ?? []));
    if (found.size < 3) continue;
    throw new InputError(
      `${file}: expected reviews, got what looks like ${what} (${shownList([...found].map(({ name }) => name))}); ` +
        'nothing was imported. Export the reviews from where customers write them (docs/import.md says where)',
    );
  }
}

/** As headings.json has it: where the values are whose headings alone do not say it. */
interface Platform extends Parts {
  readonly source: string;
  readonly headings: readonly string[];
  readonly author?: string;
  readonly scale?: Scale;
  readonly columns?: Readonly<Record<string, Place>>;
}

function platformOf({ columns }: SampledTable): Platform | undefined {
  return (headings.platforms as readonly Platform[]).find((each) =>
    each.headings.every((known) => columns.some(({ plain }) => plain.includes(known))),
  );
}

/** The best column of each field. The order settles which of two fields takes a column that fits both. */
function chooseColumns(table: SampledTable, platform: Platform | undefined): Chosen {
  const chosen: Chosen = new Map();
  for (const [field, place] of Object.entries(platform?.columns ?? {})) {
    const column = table.columns.find(({ name }) => columnsAt(place).includes(name));
    if (column) chosen.set(field as Field, column);
  }
  const take = (field: NamedField, score: (column: SampledColumn) => number, least = LEAST) => {
    if (chosen.has(field)) return;
    const taken = [...chosen.values()];
    const scored = table.columns
      .filter((one) => !taken.includes(one) && one.values.length > 0 && !isPrivate(one))
      .filter((one) => !isAsked(one))
      .map((column) => ({ column, score: score(column) }))
      .filter((one) => one.score >= least);
    const best = scored.toSorted((one, other) => other.score - one.score)[0];
    if (best) chosen.set(field, best.column);
  };
  take('date', (column) => scoreOfDate(column, table), 0.05);
  take('rating', (column) => scoreOfRating(column, table));
  take('rating', (column) => (column.isYesOrNo && column.has(headings.recommends) ? 1 : 0));
  take('text', (column) => scoreOfText(column, table), 0.2);
  take(
    'owner_reply_text',
    (column) => {
      if (isOfComments(column, table) || !isWritten(column)) return 0;
      if (!isToCustomers(column, table)) return 0;
      const isAside = isOfAnswers(column, table);
      const isLike = isAnswerLike(column, table);
      const likely = (isOfOwner(column) || isLike ? 0.7 : 0) + (isAside ? 0.4 : 0);
      // A short "Thanks" is a reply under a heading that says it.
      const isShort = column.prose <= 0.1 && !isNamed('owner_reply_text', column);
      if (isShort && (likely < 0.7 || column.names > 0.8)) return 0;
      return column.prose / 2 + heading('owner_reply_text', column) + likely;
    },
    0.6,
  );
  const reply = chosen.get('owner_reply_text');
  const [replyWord = ''] = reply?.words ?? [];
  const date = chosen.get('date');
  take('owner_reply_date', (column) => {
    const isCopy = column.cells.every((cell, row) => cell === (date?.cells[row] ?? ''));
    if (column.dates.length === 0 || areMonths(column) || isCopy) return 0;
    const named = isNamed('owner_reply_date', column) || column.has([...headings.reply, replyWord]);
    if (!named && !areDaysOf(column, reply, date)) return 0;
    return (named ? 1 : 0.9) - (column.dates[0] === RELATIVE_FORMAT ? 0.4 : 0);
  });
  take('title', (column) =>
    column.isKinds || column.isUrls || column.ratings ? 0 : heading('title', column),
  );
  // What a browser extension takes from a page has no names.
  const isTitle = (one: SampledColumn) =>
    isWritten(one) && !one.isKinds && heading('author', one) <= 0;
  if (table.columns.some(({ name }) => / (?:href|src)$/.test(name)))
    take('title', (one) => (isTitle(one) ? one.values.length : 0), 2);
  // A file may have a review twice.
  const isUnique = ({ distinct, values, plain }: SampledColumn) =>
    distinct.length >= values.length * (plain.at(-1)?.startsWith('review') === true ? 0.8 : 1);
  take('source_id', (column) =>
    isUnique(column) &&
    column.prose < 0.3 &&
    isNamed('source_id', column) &&
    isOfRow(column, chosen)
      ? heading('source_id', column)
      : 0,
  );
  take('source_url', (one) =>
    one.isUrls && isUnique(one) && !/\/(?:api|profile|user|contrib)\//.test(one.values[0] ?? '')
      ? heading('source_url', one) + (/\breviews?\//i.test(one.values[0] ?? '') ? 0.5 : 0)
      : 0,
  );
  take('author_avatar_url', (column) => (column.isUrls ? heading('author_avatar_url', column) : 0));
  take('verified', scoreOfVerified);
  const isOwn = (column: SampledColumn) => platform && !column.values.every(isPlatform);
  take('source', (column) => (isOwn(column) ? 0 : scoreOfSource(column)), 0.6);
  take('location', (column) => scoreOfLocation(column, table), 0.6);
  return chosen;
}

/** Whether a column is not one of a part of the review; an id of eight digits is no day. */
function isOfRow(one: SampledColumn, chosen: Chosen): boolean {
  const inside = objectOf(one);
  const isOf = ({ name }: SampledColumn) => name.startsWith(`${inside}.`);
  const isDay = one.dates.length > 0 && !one.values.every((value) => /^\d+$/.test(value));
  return !isDay && (inside === '' || [...chosen.values()].slice(0, 3).some(isOf));
}

/** What the reviews of a list are about, as the object around it is called: a place, a platform, or a product. */
function chooseAround({ around, list: path }: SampledTable, chosen: Chosen): Parts {
  const isInside = ({ name }: SampledColumn) =>
    name.includes('*') || `^${path}`.startsWith(`${name.replace(/\.[^.]+$/, '')}.`);
  const inside = around.filter((column) => isWritten(column) && isInside(column));
  const key = inside.find(({ name }) => name.endsWith('*'));
  const [name = key] = headings.around.flatMap(
    (word) => inside.find(({ plain }) => plain.at(-1) === word) ?? [],
  );
  if (key?.values.every(isPlatform) === true) chosen.set('source', key);
  else if (name && /product|item|article|produ[ikc]t/i.test(name.name))
    return { attributes: { product: name.name } };
  else if (name && !chosen.has('location') && !name.values.some(isMonth))
    chosen.set('location', name);
  return {};
}

/** "Other" after a question for the branch has the answers that it does not list. */
function otherPlace({ columns }: SampledTable, place: SampledColumn | undefined): object {
  const next = place && columns[columns.indexOf(place) + 1];
  const title = next?.name.startsWith(`${place?.name} – `) ? next.name.split(' – ')[1] : next?.name;
  return next && headings.other.includes(plainName(title?.split(' (')[0] ?? '-'))
    ? { location: [place.name, next.name] }
    : {};
}

/**
 * An owner may reply twice. A list that has the reviews too has the replies of several. A reply may be words in one row,
 * and an object with words in another.
 */
function replyPlaces({ columns, list: path }: SampledTable, chosen: Chosen): object {
  const listOf = (field: Field) => /^.*?(?=\.0\.)/.exec(chosen.get(field)?.name ?? '')?.[0];
  const reply = chosen.get('owner_reply_text');
  const list = listOf('owner_reply_text');
  if (path !== null && list !== undefined && list !== listOf('text'))
    return { owner_reply_text: reply?.name.replace('.0.', '.*.') };
  const isOther = (one: SampledColumn) =>
    one.name === objectOf(reply ?? one) || (objectOf(one) === reply?.name && one.prose > 0.3);
  const all = columns.filter((one) => one === reply || (isWritten(one) && isOther(one)));
  return all.length > 1 ? { owner_reply_text: all.map(({ name }) => name) } : {};
}

/** Older rows may have stars where newer ones have a recommendation. */
function secondRating(
  { columns, rowCount }: SampledTable,
  first: SampledColumn | undefined,
): SampledColumn | undefined {
  const lacking = rowCount - (first?.values.length ?? rowCount);
  return columns.find(
    (column) =>
      column !== first &&
      column.values.length > 0 &&
      column.values.length === lacking &&
      (column.ratingWords !== null || (isNamed('rating', column) && areStars(column))),
  );
}

function areStars({ ratings }: SampledColumn): boolean {
  return ratings?.numbers.every((number) => number >= 1 && number <= 5) === true;
}

/** Scripts that write headings without spaces. */
const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{2,}$/u;

/** From -1 to 1: how much a heading speaks for a field, or against it. */
function heading(field: NamedField, column: SampledColumn): number {
  const known: readonly string[] = headings.fields[field];
  const excluded = (headings.not as Partial<Record<NamedField, readonly string[]>>)[field] ?? [];
  const [whole = '', last = whole] = column.plain;
  if (known.includes(whole)) return 1 - known.indexOf(whole) / 1000;
  if (known.includes(last)) return 0.8 - (column.has(excluded) ? 0.5 : 0);
  const part = known.some(
    (name) =>
      (name.length > 3 || UNSPACED.test(name)) &&
      (last.endsWith(name) || last.startsWith(name) || column.words.has(name)),
  );
  return (part ? 0.5 : 0) - (column.has(excluded) ? 0.7 : 0);
}

function isNamed(field: NamedField, { plain }: SampledColumn): boolean {
  return plain.some((name) => (headings.fields[field] as readonly string[]).includes(name));
}

/** A heading alone proves nothing: the values have to be words for it, or for yes and no. */
function scoreOfVerified(column: SampledColumn): number {
  const isKnown = (value: string) =>
    [...headings.verified, ...headings.yesOrNo].includes(fold(value)) || /verif/i.test(value);
  // "Vine Customer Review of Free Product" beside "Verified Purchase" is no proof, and no other column.
  const isProof = column.distinct.length <= 8 && column.share(isKnown) > 0.5;
  return isProof ? heading('verified', column) : 0;
}

function isPlatform(value: string): boolean {
  return headings.places.some((place) => plainName(value).startsWith(plainName(place)));
}

/** Names of platforms under any such heading, or kinds under one that says it. */
function scoreOfSource(column: SampledColumn): number {
  if (column.isUrls || column.ratings || column.dates.length > 0) return 0;
  const known = column.share(isPlatform);
  const { values, words } = column;
  if (known >= 0.4 && words.size < 3 && values.every((one) => /^\D{1,30}$/.test(one))) return 0.7;
  if (column.share((value) => headings.channels.includes(plainName(value))) >= 0.5) return 0;
  const isVague = column.has(['brand', 'provider', 'origin']);
  const isSure = column.isKinds || column.values.length < 4 || column.words.has('source');
  return known >= 0.3 || (isSure && !isVague) ? heading('source', column) : 0;
}

/** The branch: a few names that repeat, or any under a heading that says it. */
function scoreOfLocation(column: SampledColumn, { columns, rowCount }: SampledTable): number {
  const isAnswer = column.isYesOrNo || (isAnswered(column) && column.distinct.some(isAgreed));
  const isPlain = !column.isUrls && !column.ratings && !isAnswer && column.dates.length === 0;
  // The business file can name several businesses as branches, by their ids.
  if (
    column.distinct.length > 1 &&
    column.plain.some((name) => headings.businessIds.includes(name))
  )
    return 0.6;
  // Sheets of months and years.
  if (column.values.some((value) => isMonth(value) || /^\p{L}+\s?\d+$/u.test(value))) return 0;
  const repeats = column.distinct.length > 1 && column.distinct.length < column.values.length;
  const isSure =
    isNamed('location', column) && !column.plain.some((name) => headings.vague.includes(name));
  if (!isPlain || (!repeats && !isSure) || column.values.length * 2 < rowCount) return 0;
  // Countries of customers.
  if (column.values.every((value) => /^[A-Z]{2,3}$/.test(value))) return 0;
  const isLast = (headings.fields.location as readonly string[]).includes(
    [...column.words].at(-1) ?? '',
  );
  if (repeats && (isQuestion(column) || isLast) && heading('location', column) > 0.4) return 0.7;
  // Beside the names of authors, a "name" that repeats is that of the place.
  const isPlace =
    column.plain[0] === 'name' &&
    isOfOther(column) &&
    columns.some(
      (other) =>
        other !== column && isNamed('author', other) && other.names > 0.5 && !isOfOther(other),
    );
  if (isPlace) return 0.7;
  if (column.values.some(({ length }) => length > 80)) return 0;
  // The name of the business, in all rows, goes after that of its branch.
  return Math.min(heading('location', column), repeats ? 1 : 0.65);
}
function areMonths({ dates: [format = ''] }: SampledColumn): boolean {
  return /^[^d]*yyyy[^d]*$/.test(format);
}

function scoreOfDate(column: SampledColumn, table: SampledTable): number {
  const { columns } = table;
  const [format] = column.dates;
  if (format === undefined) return 0;
  const isReply = column.has(headings.reply) || isNamed('owner_reply_date', column);
  // What more rows have is the date of the review.
  const isBetter = (one: SampledColumn) =>
    one.values.length > column.values.length &&
    one.dates.length > 0 &&
    !areMonths(one) &&
    !one.has([...headings.reply, ...headings.otherDates]);
  if (isReply && columns.some(isBetter)) return 0;
  const named = heading('date', column) + (column.has(headings.ofReview) ? 0.3 : 0);
  const isRough = areMonths(column);
  const isRelative = format === RELATIVE_FORMAT;
  const isUsable = !isReply && !column.has(headings.otherDates);
  const score = 0.6 + named - (isReply ? 0.5 : 0) - (isRough ? 0.3 : 0) - (isRelative ? 1 : 0);
  // The only dates are better than none, and those of a score better than those of an order.
  const ofRating = column.has(headings.fields.rating) ? 0.02 : 0;
  return isUsable ? Math.max(score, 0.1 + named / 20 + ofRating) : score;
}

/** Whether some rows have an object with words and their day, and the day of the review is not in it. */
function isOfAnswers(column: SampledColumn, { columns, rowCount }: SampledTable): boolean {
  const inside = objectOf(column);
  const isSome = inside !== '' && column.values.length < rowCount;
  return isSome && columns.some((one) => one.dates.length > 0 && objectOf(one) === inside);
}

/** The path of the object that has a value; empty in CSV. */
function objectOf({ name }: SampledColumn): string {
  return /\s|\.$/.test(name) ? '' : name.split('.').slice(0, -1).join('.');
}

function scoreOfRating(column: SampledColumn, table: SampledTable): number {
  const words = table.columns.filter((other) => other.prose > 0.3 && heading('text', other) > 0.4);
  const isBeside =
    objectOf(column) !== '' && words.some((text) => objectOf(text) === objectOf(column));
  const isUniform = column.distinct.length === 1 && table.rowCount >= 3;
  if (column.has(headings.advice) && starsBeside(table).length > 0) return 0;
  // The average of the place, in all its rows.
  if (isUniform && /\d[.,]\d*[1-9]/.test(column.distinct[0] ?? '')) return 0;
  const isPart = column.has(headings.not.part) && column.words.size <= PART_WORDS;
  const hasScale = SCALE.test(column.name);
  const named =
    heading('rating', column) +
    // SurveyMonkey heads the stars of a question so.
    (/[☆★]\s*$/.test(column.name) ? 0.4 : 0) -
    (isPart || isPartOfQuestion(column) ? 0.3 : 0) +
    (hasScale ? 0.4 : 0) +
    (isBeside || (column.has(['review']) && isNamed('rating', column)) ? 0.3 : 0) -
    (isUniform ? 0.5 : 0);
  if (column.listedWords !== null) return 1;
  if (OF_PERSON.test(column.name) && !isNamed('rating', column)) return 0;
  if (column.ratingWords !== null) return (column.ratingWords.size > 1 ? 0.65 : 0.3) + named;
  const { numbers = [], of = null } = column.ratings ?? {};
  const [worst, best] = [Math.min(...numbers), Math.max(...numbers)];
  if (numbers.length === 0 || worst < 0 || best > 100) return 0;
  const isCounter =
    numbers.length > 2 &&
    numbers.every((number, index) => index === 0 || number === (numbers[index - 1] ?? 0) + 1);
  if (isCounter && named < 0.8) return 0;
  const isPercent = column.share((value) => /\d\s?%$/.test(value)) > 0.5;
  const fewest = worst < 1 && best < 5 ? 0.35 : best <= 10 ? 0.45 : 0.15;
  const fits = of !== null || isPercent ? 0.7 : best <= 5 && worst >= 1 ? 0.5 : fewest;
  return fits + named;
}

function scoreOfText(column: SampledColumn, table: SampledTable): number {
  const { columns } = table;
  if (!isWritten(column) || (column.prose === 0 && !isNamed('text', column))) return 0;
  const named = heading('text', column);
  // "Response" is what the customer wrote if no other column is.
  const isReply =
    (heading('owner_reply_text', column) > 0 && named < 0.8) ||
    isOfOwner(column) ||
    isOfAnswers(column, table) ||
    isAnswerLike(column, table);
  const others = columns.filter(
    (other) =>
      other !== column &&
      !isPrivate(other) &&
      !(isOfOwner(other) && other.has(headings.reply)) &&
      (other.prose > 0.3
        ? heading('text', other) > -0.5
        : isWritten(other) && (isPair(other) || isQuestion(other) || isNamed('text', other))),
  );
  if (isOfComments(column, table) || isAskedIn(column)) return 0;
  if (isReply && (others.length > 0 || column.prose < 0.3)) return 0;
  const isTitle = isNamed('title', column) && !isNamed('text', column);
  return (
    column.prose +
    named +
    (isReply ? 0.5 : 0) +
    (isPair(column) ? 0.5 : 0) +
    (isQuestion(column) && !column.isKinds ? 0.2 : 0) -
    (isTitle ? 0.8 : 0) -
    (column.isKinds && named < 0.8 ? 0.5 : 0)
  );
}

function isWritten({ dates, ratings, isUrls, isEmails, isYesOrNo }: SampledColumn): boolean {
  return dates.length === 0 && !ratings && !isUrls && !isEmails && !isYesOrNo;
}

/** "Anything just for us (not shared)?" */
const UNSHARED = wordPattern(headings.unshared);
/** "DON'T PUT ONLINE, she asked" */
const NEVER = wordPattern(headings.never);
const CONSENT = wordPattern(headings.consentStarts);
/** "Yes, but without my name" */
const NAMELESS = wordPattern(headings.nameless);
const GIVEN_NAME = wordPattern(headings.givenNames, true);
const NO = wordPattern(headings.no, true);

function isPrivate(column: SampledColumn): boolean {
  return (
    column.has(headings.private) ||
    column.plain.includes('notetohost') ||
    UNSHARED.test(wordsOf(column.name))
  );
}

function isOfOwner(column: SampledColumn): boolean {
  const isQuestioned = isQuestion(column) || isPair(column);
  const isAnswer =
    column.has(headings.reply) ||
    headings.reply.some((word) => UNSPACED.test(word) && column.name.includes(word)) ||
    /(?:^|[./])comment[./]\w+$/i.test(column.name);
  return (
    !isQuestioned && (isAnswer || (column.has(headings.owner) && column.has(headings.fields.text)))
  );
}

/** Whether all rows have one question, which stands beside its answers. */
function isAskedIn({ distinct, values }: SampledColumn): boolean {
  return distinct.length === 1 && values.length > 1 && /\?\s*$/.test(distinct[0] ?? '');
}

function isQuestion({ name }: SampledColumn): boolean {
  return /\?\s*$/.test(name);
}

function isOfComments({ name }: SampledColumn, { columns }: SampledTable): boolean {
  const [list] = /^.*\bcomments\.0\./i.exec(name) ?? [];
  return (
    list !== undefined &&
    columns.some((other) => [`${list}author`, `${list}name`].includes(other.name))
  );
}

const OF_PERSON = /(?:^|\.)(?:reviewe[re]|user|author|customer|consumer|guest|host|owner)\./i;

/** Whether most words of a column speak to customers, and not of them as notes do; other scripts are not judged. */
function isToCustomers(column: SampledColumn, table: SampledTable): boolean {
  const isNamedIn = salutationIn(column, table);
  const isSo = (text: string, row: number) =>
    headings.address.some((word) => ` ${wordsOf(text)} `.includes(word)) ||
    /[^\p{sc=Latin}\P{L}]/u.test(text) ||
    isNamedIn(text, row);
  return column.cells.filter(isSo).length * 2 >= column.values.length;
}

/** Whether a text begins with the name that its row has in another column. */
function salutationIn(column: SampledColumn, { columns }: SampledTable) {
  const called = columns.filter((one) => one.names > 0.5 && heading('author', one) > 0);
  const free = columns.filter((one) => one.names > 0.5 && !one.isKinds && !isNamedOtherwise(one));
  const people = (called.length > 0 ? called : free).filter((one) => one !== column);
  return (text: string, row: number) => {
    if (!/[!?.,:…！。]/.test(text)) return false;
    const start = ` ${wordsOf(text.slice(0, SALUTATION))} `;
    const names = people.flatMap(({ cells }) => wordsOf(cells[row] ?? '').split(' '));
    return names.some((name) => name.length > 2 && start.includes(` ${name} `));
  };
}

/** Whether the words of a column answer: they begin so, or with the name that their row has in another column. */
function isAnswerLike(column: SampledColumn, table: SampledTable): boolean {
  const isOther = column.names > 0.5 || isPair(column);
  if (isOther || isNamed('title', column) || isNamed('author', column)) return false;
  const isNamedIn = salutationIn(column, table);
  const count = (test: (text: string, row: number) => boolean) => column.cells.filter(test).length;
  const isCalled = count(isNamedIn) > 0;
  const isReply = (text: string) => headings.replyStarts.some((one) => fold(text).startsWith(one));
  const likely = count((text, row) => isReply(text) || isNamedIn(text, row));
  const least = column.values.length / 2;
  // Customers hardly ever begin with their own names.
  if (heading('text', column) > 0) return count(isNamedIn) > least;
  return isCalled ? likely >= least : /^\d+$/.test(column.name) && likely > least;
}

/** Whether a column has days after those of the reviews, in rows that have a reply. */
function areDaysOf(
  column: SampledColumn,
  reply: SampledColumn | undefined,
  date: SampledColumn | undefined,
): boolean {
  const isOther = column.has([...headings.afterwards, ...headings.exported]);
  const isReplied = column.cells.every((cell, row) => cell === '' || reply?.cells[row]);
  return !isOther && !isNamed('date', column) && isReplied && areLater(column, date);
}

/** Whether the days of a column are those of another one or after them, and some are after them. */
function areLater(column: SampledColumn, other: SampledColumn | undefined): boolean {
  const dayOf = (row: number, one = other) =>
    compileDateFormat(one?.dates[0] ?? '')?.parse(one?.cells[row] ?? '', '2000-01-01') ?? '';
  const rows = [...column.cells.keys()].filter((row) => dayOf(row, column) && dayOf(row));
  const count = (isSo: (one: string, earlier: string) => boolean) =>
    rows.filter((row) => isSo(dayOf(row, column), dayOf(row))).length;
  const after = count((one, earlier) => one > earlier);
  return after > 0 && count((one, earlier) => one < earlier) * 10 <= rows.length;
}

function isPair(column: SampledColumn): boolean {
  return column.has(headings.texts.positive) || column.has(headings.texts.negative);
}

/** All columns with the customer's words: the text, and those that belong to it, such as what was not liked. */
function chooseTexts(
  table: SampledTable,
  chosen: Chosen,
  names: readonly string[],
): SampledColumn[] {
  const { columns, isHeadless } = table;
  const text = chosen.get('text');
  if (text === undefined) return [];
  const taken = [...chosen.values()];
  const others = columns.filter((column) => {
    if (taken.includes(column) || names.includes(column.name) || isHeadless) return false;
    if (isPrivate(column) || isOfOwner(column) || isAsked(column)) return false;
    if (column.ratingWords || isAskedIn(column)) return false;
    if (isOfComments(column, table) || isOfAnswers(column, table)) return false;
    // "How does it fit?" is answered by a few words that repeat.
    if (isQuestion(column) && !isPair(column) && isChoice(column)) return false;
    const named = heading('text', column);
    const isPart =
      isPair(column) ||
      isQuestion(column) ||
      (named >= 0.5 && endsAsText(column)) ||
      isToldBeside(column);
    const isCopy =
      isOriginal(column) ||
      column.has(['translated', 'translation', 'localized', 'english', 'html']);
    return (
      isPart &&
      !isCopy &&
      (isPair(column) ? isWritten(column) && !column.isKinds : column.prose > 0.15) &&
      named > -0.5 + (isPair(column) ? -1 : 0) &&
      column.share((value) => text.distinct.includes(value)) <= 0.5
    );
  });
  if (others.length > 0) chosen.delete('text');
  const all = new Set([text, ...others]);
  return columns.filter((column) => all.has(column));
}

/** Whether a column has sentences of its own in most rows, and no heading says that the business or a program wrote them. */
function isToldBeside(column: SampledColumn): boolean {
  const { prose, names, distinct, values } = column;
  const isOwn = prose > 0.6 && names < 0.5 && distinct.length > values.length * 0.7;
  const isOfOthers = column.has([...headings.staff, ...headings.not.text, ...headings.personal]);
  return isOwn && values.length > 2 && !isOfOthers && !isNamed('title', column);
}

function isChoice({ distinct, values }: SampledColumn): boolean {
  const isShort = distinct.every((value) => value.length <= 40 && !/[.!?…]$/.test(value));
  return isShort && distinct.length * 1.5 <= values.length;
}

function isOriginal(column: SampledColumn): boolean {
  return column.prose > 0 && column.has(['original']) && !column.has(['product', 'name', 'title']);
}

/** "Comments on food" and "Service comment" have words of the customer, "review options" has not. */
function endsAsText({ words }: SampledColumn): boolean {
  const known: readonly string[] = headings.fields.text;
  return known.includes([...words].at(-1) ?? '') || !words.has('review');
}

/** Several columns are introduced by their headings, so that a reader knows what each is about. */
function textPlace(texts: readonly SampledColumn[], { columns }: SampledTable): object {
  const [text, ...others] = texts;
  if (text === undefined) return {};
  if (others.length === 0) {
    // What the customer wrote goes before its translation.
    const original = columns.find(
      (column) => column !== text && isOriginal(column) && !isOfOwner(column) && !isPrivate(column),
    );
    return { text: original ? [original.name, text.name] : text.name };
  }
  const isPlain = (column: SampledColumn) => isNamed('text', column) && !isPair(column);
  const [plain, ...more] = texts.filter(isPlain);
  const introOf = (column: SampledColumn) => {
    const isBeside = (one: SampledColumn) => objectOf(one) === objectOf(column) && isAskedIn(one);
    const asked = objectOf(column) === '' ? undefined : columns.find(isBeside)?.distinct[0];
    return column === plain && more.length === 0 ? '' : (asked ?? introduce(column.name, texts));
  };
  return { text: Object.fromEntries(texts.map((column) => [introOf(column), column.name])) };
}

/** `whatYouLiked` and `content.positive` as people write them. */
function introduce(name: string, texts: readonly SampledColumn[]): string {
  const path = name.replace(/\.\*$/, '');
  const key = entryName(name) ?? (/\s/.test(path) ? path : (path.split('.').at(-1) ?? path));
  const isUnique = texts.filter((other) => other.name.split('.').at(-1) === key).length < 2;
  const words = (isUnique || /\s/.test(name) ? key : name)
    .replaceAll(/\s/.test(name) ? /\s+/g : /[._\s]+/g, ' ')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .trim();
  const text = /\s/.test(name) ? words : words.toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The column of names, or those of first and last names; null if there is none. */
function namesOf(table: SampledTable, chosen: Chosen): string | (string | string[])[] | null {
  const taken = [...chosen.values()];
  const free = table.columns.filter(
    (column) =>
      !taken.includes(column) &&
      column.values.length > 0 &&
      !isPrivate(column) &&
      !isOfComments(column, table),
  );
  const named = (names: readonly string[]) =>
    free.find(({ plain }) =>
      plain.some((name) => names.includes(name) || names.some((known) => name.endsWith(known))),
    );
  // What may be shown goes before who somebody is.
  const shown = free.find((one) => one.has(headings.shownNames) && heading('author', one) >= 0.5);
  if (shown) return shown.name;
  const [first, last] = [named(headings.firstNames), named(headings.lastNames)];
  const scored = free
    .map((column) => ({ column, score: scoreOfName(column) }))
    .filter(({ score }) => score >= 0.55)
    .toSorted((one, other) => other.score - one.score);
  // A name that repeats is that of the place or the doctor, if there are others.
  const [best, ...others] = scored.toSorted(
    (one, other) => Number(isOfOther(one.column)) - Number(isOfOther(other.column)),
  );
  const isShort = table.columns.some(asksForGivenName);
  const whole = first && last && [first.name, ...when(!isShort, last.name)];
  if (whole && (best === undefined || best.column === first || best.column === last)) return whole;
  // A heading may be wrong: full names in nearly all rows are no titles.
  const title = chosen.get('title');
  const isOfPeople = best === undefined && title && fullNames(title) > 0.8 && !isOfOther(title);
  if (isOfPeople) chosen.delete('title');
  if (best === undefined) return isOfPeople ? title.name : (lastOf(free) ?? null);
  const isFull = best.column.values.length === table.rowCount;
  const full = others.find(
    ({ column }) =>
      !isOfProduct(column) &&
      heading('author', column) >= 0.5 &&
      !isOfOther(column) &&
      !column.name.includes('.0.'),
  );
  const next = full ? [full.column.name] : (whole ?? null);
  return isFull || next === null ? best.column.name : [[best.column.name], next];
}

/** The column whose short texts differ in each row, if no heading says that they are of something else. */
function lastOf(free: readonly SampledColumn[]): string | undefined {
  const others = [...headings.staff, ...headings.personal, ...headings.counts];
  const isCode = (value: string) => /^[a-z]{2}-[A-Z]{2}$|\d\d/.test(value);
  const isLike = (one: SampledColumn) =>
    isWritten(one) && one.names > 0.3 && one.prose < 0.4 && !one.values.some(isCode);
  const isOther = (one: SampledColumn) =>
    one.has(others) || isOfOwner(one) || isPair(one) || isNamedOtherwise(one) || isOfProduct(one);
  return free
    .filter((one) => one.distinct.length * 1.2 >= one.values.length && isLike(one) && !isOther(one))
    .toSorted((one, other) => other.names - one.names)[0]?.name;
}

/** Whether a heading is that of an attribute, such as a course. */
function isOfProduct({ plain }: SampledColumn): boolean {
  return Object.values(headings.attributes).some((titles) =>
    titles.some((title) => plain.includes(title)),
  );
}

function isOfOther({ isKinds, distinct, values }: SampledColumn): boolean {
  return (isKinds || distinct.length === 1) && values.length > 2;
}

/** Words with a capital letter are names of many things; those of people have two words, or an initial. */
function fullNames(column: SampledColumn): number {
  return column.share((value) => isName(value) && /^\p{Lu}\S*\s+(?:\S+\s+)?\p{Lu}/u.test(value));
}

function scoreOfName(column: SampledColumn): number {
  const named = heading('author', column);
  // "Barista (Former Employee)" under "author".
  const isText = isWritten(column) && column.share((value) => /\p{L}/u.test(value)) > 0.5;
  const isCalled = isNamed('author', column) && isText && column.prose < 0.5;
  if ((column.names < 0.5 && !isCalled) || (named < 0.5 && isPair(column))) return 0;
  if (named < 0.5 && (column.isKinds || column.values.length < 2)) return 0;
  return (
    column.names * 0.3 +
    named +
    (named > 0 ? 0 : fullNames(column) * 0.4) +
    (column.distinct.length / column.values.length) * 0.1
  );
}

function decideDates(
  { columns, around }: SampledTable,
  chosen: Chosen,
  given: string | null,
): { mapping: object; open: Open[]; notes: string[] } {
  const date = chosen.get('date');
  const formats = date?.dates ?? [];
  const day = given !== null && isDate(given) ? given : null;
  const ask = (question: string, option: string) => ({
    mapping: {},
    open: when(day === null || formats.length > 0, { question, option: `--dates ${option}` }),
    notes: [],
  });
  if (date === undefined || formats.length === 0)
    return ask('on which day these reviews were written, as no column says it', 'YYYY-MM-DD');
  // One program wrote all columns. Only English is written both ways.
  const others = columns.flatMap(({ dates }) =>
    dates.length === 1 ? [orderOf(dates[0] ?? '')] : [],
  );
  const isForeign = columns.some((column) => column.has(headings.dayFirst));
  const order =
    (day === null ? given : null) ??
    others.find((other) => other !== null) ??
    (isForeign ? 'day-first' : null);
  const askOrder = (value: string | undefined) =>
    ask(
      `whether ${show(value)} begins with the day or with the month (ORDER is day-first or month-first)`,
      'ORDER',
    );
  const inOrder = (some: readonly string[]) =>
    some.length === 1 ? some[0] : some.find((each) => orderOf(each) === order);
  const used: string[] = [];
  const first = inOrder(formats);
  if (first === undefined) return askOrder(date.distinct[0]);
  used.push(first);
  const isOf = (format: string, value: string) =>
    compileDateFormat(format)?.parse(value, '2000-01-01') !== null;
  const isUsed = (value: string) => used.some((format) => isOf(format, value));
  const isRead = (value: string) => isUsed(value) || plainDate(value) !== null;
  // People write a date now so and now so.
  for (const value of date.distinct) {
    const some = isRead(value) ? [] : excelDate(value) ? [EXCEL_FORMAT] : dateFormatsOf([value]);
    const format = inOrder(some);
    if (some.length > 0 && format === undefined) return askOrder(value);
    if (format !== undefined) used.push(format);
  }
  const replied = chosen.get('owner_reply_date');
  const ofReplies = inOrder(replied?.dates ?? []);
  if (ofReplies !== undefined && !replied?.distinct.every(isUsed)) used.push(ofReplies);
  const isPlain = date.values.some((value) => !isUsed(value) && plainDate(value));
  const all = isPlain ? [...used, PLAIN_FORMAT] : used;
  const months = date.distinct.filter((value) =>
    all.some((format) => !/d|iso|plain|excel|relative|^t$/i.test(format) && isOf(format, value)),
  );
  const exported = [...columns, ...around].find(
    (column) => column !== date && column.has(headings.exported) && column.dates.length > 0,
  );
  const since = day ?? exported?.name;
  const ago = date.distinct.find((value) => relativeDate(value, '2000-01-01'));
  if (ago !== undefined && since === undefined)
    return ask(`on which day ${show(ago)} was exported (YYYY-MM-DD)`, 'YYYY-MM-DD');
  return {
    mapping: {
      date_format: all.length === 1 ? all[0] : all,
      ...(ago === undefined ? {} : { relative_to: since }),
    },
    open: [],
    notes: [
      ...when(ago, `dates such as ${show(ago)} are about right, counted from ${show(since)}`),
      ...when(heading('date', date) < -0.3, `no better date than ${show(date.name)} was found`),
      ...when(
        months[0],
        `a month without a day is taken for its first: ${shownList(months.slice(0, 3))}`,
      ),
    ],
  };
}

function decideRatings(
  table: SampledTable,
  column: SampledColumn | undefined,
  other: SampledColumn | undefined,
  known: Scale | null,
  isGiven: boolean,
): {
  mapping: object;
  only?: RowValues;
  /** The attribute that keeps the score as it is given, if stars are not the same. */
  given?: Readonly<Record<string, string>>;
  notes: string[];
} {
  if (column === undefined) return { mapping: {}, notes: [] };
  const as = (name: string) => ({ given: { [name]: column.name } });
  const decimal = column.values.some((value) => /\d,\d/.test(value)) ? { decimal: ',' } : {};
  const answers = column.isYesOrNo && column.has(headings.recommends) ? column.distinct : [];
  const words =
    answers.length > 0
      ? new Map(answers.map((value) => [value, isYes(value) ? 5 : 1]))
      : column.ratingWords;
  const both = [...column.knownWords, ...(other?.knownWords ?? [])];
  const mixed =
    column.ratings !== null && both.length > 0 ? { rating_values: Object.fromEntries(both) } : {};
  const stars = [...new Map([...both, ...(words ?? [])])];
  const shown = stars.map(([word, one]) => `${show(word)} is ${one}`);
  const told = when(stars[0], `stars of words: ${shown.join(', ')}`);
  if (words !== null && (column.ratings === null || answers.length > 0)) {
    const none = column.distinct.filter((value) => headings.unrated.includes(plainName(value)));
    const unknown = column.distinct.filter((value) => !words.has(value) && !none.includes(value));
    return {
      mapping: { rating_values: Object.fromEntries(words) },
      only: none.length === 0 ? {} : { [column.name]: [...words.keys(), ...unknown] },
      notes: [
        ...when(none[0], `rows with ${shownList(none)} are not read: nobody has rated there`),
        ...told,
        ...when(
          unknown[0],
          `rows with ${shownList(unknown)} are refused: "rating_values" lacks their stars`,
        ),
      ],
    };
  }
  const { numbers = [], of = null } = column.ratings ?? {};
  const best = Math.max(...numbers);
  // Nobody gives 0 stars of 5: it is what programs write for none.
  const worst = Math.min(...numbers.filter((number) => number > 0 || best <= 2 || best > 5));
  const isTens = numbers.every((number) => number % 5 === 0);
  const surveys =
    known === null ? (scalesBeside(table, column) ?? scalesOfSurveys(table, column)) : null;
  if (surveys !== null)
    return {
      mapping: { ...decimal, ...mixed, rating_scales: { [surveys[0]]: surveys[1] } },
      ...as('score'),
      notes: [...told, `stars are taken from the scale ${surveys[2]}`],
    };
  const { min, max } = known ?? guessScale(table, column, [worst, of ?? best, isTens]);
  const isWhole = numbers.every((number) => Number.isInteger(number));
  if (min === 1 && max === 5) {
    if (isWhole) return { mapping: { ...decimal, ...mixed }, notes: told };
    const rounded = 'halves are rounded to whole stars; "score_of_5" shows them as they are';
    return { mapping: { ...decimal, ...mixed }, ...as('score_of_5'), notes: [...told, rounded] };
  }
  const isDown = min > max ? `, of which ${max} is the best` : '';
  const note = `stars are taken from a scale of ${min} to ${max}${isDown}; --scale says otherwise`;
  return {
    mapping: { ...decimal, ...mixed, rating_scale: { min, max } },
    ...as(`score_of_${Math.max(min, max)}`),
    notes: isGiven ? told : [...told, note],
  };
}

type Scales = readonly [by: string, scales: Readonly<Record<string, Scale>>, note: string];

/** The best score stands beside each: `{ value: 4, max: 5 }`. Null if it does not. */
function scalesBeside({ columns }: SampledTable, column: SampledColumn): Scales | null {
  const best = columns.find(
    (one) =>
      objectOf(one) === objectOf(column) &&
      headings.best.includes(one.plain.at(-1) ?? '') &&
      one.ratings?.numbers.every((number) => number > 1) === true,
  );
  const scales = best?.distinct.map((max): [string, Scale] => [max, { min: 1, max: Number(max) }]);
  return scales && best
    ? [best.name, Object.fromEntries(scales), `that ${show(best.name)} has in each row`]
    : null;
}

/** Several surveys, or platforms, in one column of scores: each has its own scale. Null if it is one. */
function scalesOfSurveys(
  { columns }: SampledTable,
  { cells, ratings }: SampledColumn,
): Scales | null {
  const numbers = ratings?.numbers ?? [];
  if (numbers.length < cells.length || Math.max(...numbers) <= 5) return null;
  const isKnown = (kind: string) => headings.kinds.some((one) => plainName(kind).startsWith(one));
  const kinds = columns.find(
    ({ cells: all, distinct }) => all.every(Boolean) && distinct.filter(isKnown).length > 1,
  );
  const scales = (kinds?.distinct ?? []).map((kind): [string, Scale] => {
    const own = numbers.filter((_, index) => kinds?.cells[index] === kind);
    const best = Math.max(...own);
    if (best === 2 && own.includes(0)) return [kind, { min: 0, max: 2 }];
    const isFive = headings.fiveStars.some((one) => plainName(kind).startsWith(one));
    const max = isFive ? 5 : ([5, 7, 10, 100].find((each) => each >= best) ?? best);
    const isTen = /^(?:nps|booking|expedia|hotels)/.test(plainName(kind));
    const isNps = plainName(kind).startsWith('nps');
    return [kind, { min: isNps || max > 10 ? 0 : 1, max: isTen ? Math.max(max, 10) : max }];
  });
  const said = scales.map(([kind, { min, max }]) => `${show(kind)} ${min} to ${max}`);
  const areSame = new Set(scales.map(([, { min, max }]) => `${min} ${max}`)).size < 2;
  if (!kinds || (areSame && scales[0]?.[1].max !== 5)) return null;
  return [
    kinds.name,
    Object.fromEntries(scales),
    `of each ${show(kinds.name)}, whose worst is 1 star and whose best is 5: ${said.join(', ')}`,
  ];
}

/**
 * The scale of school marks, of which 1 is the best in some countries and the worst in others: as the heading or a legend
 * says, or as customers write beside them; `open` if neither decides; null for other ratings.
 */
function schoolMarks(
  { columns }: SampledTable,
  column: SampledColumn | undefined,
  place: string | null,
  file: string,
): Scale | 'open' | null {
  const { numbers = [] } = column?.ratings ?? {};
  if (!column || !numbers.every((number) => number >= 1 && number <= 6)) return null;
  const { best, open, german, good, bad } = headings.marks;
  const title = wordsOf(column.name);
  const isHigh = Math.max(...numbers) > 5 || /note|zensur/.test(title);
  const downIn = (text: string) => ({
    min: Number(SCALE.exec(text)?.[2] ?? (isHigh ? 6 : 5)),
    max: 1,
  });
  for (const text of [column.name, ...file.split('\n', LEGEND_LINES)]) {
    const says = (mark: string, words: readonly string[]) =>
      RegExp(`(?<!\\d)${mark}${IS}(?:${words.join('|')})`, 'u').test(fold(text));
    const isFirst = says('1', good) || says('[456]', bad);
    if (isFirst !== (says('1', bad) || says('[456]', good))) return isFirst ? downIn(text) : null;
  }
  const isGerman = columns.some((one) => one.has(german));
  const isNote = isGerman && open.some((word) => title.split(' ')[0]?.endsWith(word));
  if (best.some((word) => title.includes(word)) || (isNote && place === 'jameda'))
    return downIn(column.name);
  const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const moodOf = (one: SampledColumn, cell: string) => {
    if (one.isYesOrNo && one.has(headings.recommends) && cell) return isYes(cell) ? 2 : -2;
    return isWritten(one) && !isOfOwner(one) ? moodIn(cell) : 0;
  };
  const sum = column.cells.reduce((all, cell, row) => {
    const mood = columns.reduce((some, one) => some + moodOf(one, one.cells[row] ?? ''), 0);
    return all + (Math.sign(numberOf(cell) - mean) || 0) * mood;
  }, 0);
  if (isNote && place === null) return sum < -1 ? downIn(column.name) : sum > 1 ? null : 'open';
  // Other ratings are doubtful only if most customers write the opposite.
  return sum < -2 && sum * 2 <= -numbers.length ? 'open' : null;
}

/** Lines at the beginning of a file, where a legend may say what the marks mean. */
const LEGEND_LINES = 5;
const IS =
  '\\s?(?:[=:(–-]|is |ist |est |es |jest )\\s?(?:the |das )?(?:(?:sehr|very|tres|muy|molto|zeer|bardzo|velmi|muito) )?';

/** 1 for kind words, -1 for others, 0 for both and for none. */
function moodIn(text: string): number {
  const { wordStems: stems } = headings;
  const has = (words: readonly string[]) =>
    words.some((stem) => ` ${wordsOf(text)} `.includes(stem));
  if (has(stems.not)) return 0;
  return Number(has([...stems[5], ...stems[4]])) - Number(has([...stems[1], ...stems[2]]));
}

/** The best of the usual scales, by the heading ("1-10", "out of 10") and the numbers. */
function guessScale(
  table: SampledTable,
  column: SampledColumn,
  [worst, best, isTens]: readonly [worst: number, best: number, isTens: boolean],
): Scale {
  const { name, values } = column;
  const [, from, to] = SCALE.exec(name) ?? [];
  // Of five stars one stays one, and nobody gives none.
  if (to !== undefined) return { min: to === '5' ? 1 : Number(from), max: Number(to) };
  const of = Number(/(?:\/|out of|von|sur|de|di|van)\s?(5|10|20|100)(?!\d)/i.exec(name)?.[1] ?? 0);
  if (values.some((value) => /\d\s?%/.test(value))) return { min: 0, max: 100 };
  // Unhappy, neutral and happy customers of HubSpot.
  if (worst === 0 && best === 2) return { min: 0, max: 2 };
  // Bubbles of Tripadvisor.
  if (worst >= 10 && best <= 50 && isTens) return { min: 10, max: 50 };
  // Of many scores up to ten, some are above seven.
  const isSeven = best === 7 && values.length > 6 && Number.isInteger(worst);
  const max = isSeven ? 7 : ([5, 10, 20, 100].find((each) => each >= Math.max(best, of)) ?? best);
  // How likely it is that a customer recommends a business is asked from 0 to 10.
  const isNps = max === 10 && isOfAdvice(table, column);
  return { min: worst < 1 || max > 10 || isNps ? 0 : 1, max };
}

/** The columns of stars under "How would you rate us?", else the only other question, such as "How was your visit?". */
function starsBeside({ columns }: SampledTable): SampledColumn[] {
  const others = [...headings.advice, ...headings.counts, ...headings.not.part];
  const asked = columns.filter((one) => areStars(one) && !one.has(others));
  const named = asked.filter((one) => heading('rating', one) >= 0.5);
  const unnamed = asked.filter((one) => isQuestion(one) && !one.has(headings.asksFacts));
  return named.length === 0 && unnamed.length === 1 ? unnamed : named;
}

/** Whether scores say how likely a customer recommends the business. */
function isOfAdvice({ columns }: SampledTable, column: SampledColumn): boolean {
  const isNps = (value: string) => /\bnps\b|net promoter/i.test(value);
  return (
    column.has(headings.advice) ||
    columns.some(({ distinct }) => distinct.length <= 6 && distinct.some(isNps))
  );
}

/** What customers tell in a survey is for the business, unless it asks them; and another question can have the stars. */
function noteOfSurvey(
  table: SampledTable,
  rating: SampledColumn | undefined,
  source: string | null,
) {
  const isSurvey =
    headings.surveyTools.includes(source ?? '') ||
    (rating !== undefined && isOfAdvice(table, rating)) ||
    table.columns.some((one) => one.has([...headings.surveys, ...headings.surveyWords]));
  const isAdvice = (one: SampledColumn) => one.has(headings.advice) && one.ratings !== null;
  const all = [...table.columns.filter(isAdvice), ...starsBeside(table)];
  const other = all.find((one) => one !== rating && !one.isYesOrNo);
  return [
    ...when(
      isSurvey && !table.columns.some(asksConsent),
      'answers to a survey (such as NPS or CSAT) are no reviews: publish them only if the customers agreed',
    ),
    ...when(
      rating && other && !isNamed('rating', rating),
      `${show(other?.name)} could be the stars too: to take it, rename that heading to "Stars", and import the file again`,
    ),
  ];
}

/** "Employee pulse" */
const OF_STAFF = /\b(?:employees?|staff (?:survey|pulse)|mitarbeiter|empleados|medewerkers)/;

/** Rows that the platform publishes and whose customers agree are read; private replies are not. */
function decideRows(table: SampledTable, chosen: Chosen, texts: SampledColumn[], only?: RowValues) {
  const { columns, rowCount } = table;
  const taken = [...chosen.values()];
  const free = columns.filter((column) => !taken.includes(column));
  const none = { hidden: {}, agreed: {}, private_replies: {}, reply_rows: {}, nameless: {} };
  const rules = { only: { ...only }, ...none };
  const notes: string[] = [];
  const keep = (rule: RowRule, { name }: SampledColumn, values: readonly string[], note = '') => {
    Object.assign(rules[rule], { [name]: values });
    if (note !== '') notes.push(note);
  };
  const rowsOf = ({ name }: SampledColumn, values: readonly string[], what = 'rows') =>
    `${what} whose ${show(name)} is ${values.map(show).join(' or ')}`;
  /** The others are not read. */
  const drop = (column: SampledColumn, values: readonly string[], why = '') => {
    const kept = column.distinct.filter((value) => !values.includes(value));
    if (column.values.length < rowCount) kept.push('');
    if (values.length > 0)
      keep('only', column, kept, `${rowsOf(column, values)} are not read${why}`);
  };
  for (const column of free) {
    const never = column.distinct.filter((value) => NEVER.test(wordsOf(value)));
    const isOurs = never.length > 0 && !isPrivate(column);
    if (isOurs) keep('hidden', column, never, `${rowsOf(column, never)} are not read`);
    const without = namelessIn(column);
    if (without.length > 0)
      keep('nameless', column, without, `${rowsOf(column, without)} show no name`);
  }
  const reply = chosen.get('owner_reply_text');
  const isInReply = (one: SampledColumn) =>
    one.has(headings.reply) ||
    (reply !== undefined && objectOf(reply) !== '' && objectOf(one) === objectOf(reply));
  for (const column of free.filter((one) => isStatus(one) || asksConsent(one))) {
    const { distinct, values } = column;
    const isConsent = !isStatus(column);
    const [accepted, others] = [true, false].map((is) =>
      distinct.filter((value) => (isConsent ? isAgreed : isPublished)(value) === is),
    ) as [string[], string[]];
    const isSome = values.length < rowCount;
    if (!isConsent && others.length === 0) continue;
    if (!isConsent && isInReply(column)) {
      // What waits for its platform is a reply.
      const gone = others.filter((value) => !/pend|await/i.test(value));
      const note = `${rowsOf(column, gone, 'replies')} are not read`;
      if (gone.length > 0) keep('private_replies', column, gone, note);
      continue;
    }
    // Rows that say nothing are published, but nobody has agreed to it.
    const kept = accepted.length === 0 ? ['yes', 'true', '1'] : accepted;
    const left = isConsent && isSome ? [...others, ''] : others;
    const all = isConsent ? '; to read all, rename that heading' : '';
    const not = left.length === 0 ? '' : `, not ${shownList(left)}${all}`;
    const note = `only ${rowsOf(column, kept)} are read${not}`;
    if (isConsent) keep('agreed', column, kept, note);
    else keep('only', column, isSome ? [...kept, ''] : kept, note);
  }
  const isGone = ({ name, plain, isYesOrNo }: SampledColumn) =>
    isYesOrNo && !OF_PERSON.test(name) && plain.some((one) => headings.withdrawn.includes(one));
  for (const column of free.filter(isGone)) {
    const kept = [...column.distinct.filter((value) => !isYes(value)), ''];
    keep('only', column, kept, `rows whose ${show(column.name)} is true are not read`);
  }
  for (const column of columns.filter((one) => one.has(headings.surveys))) {
    const others = column.distinct.filter((value) => OF_STAFF.test(fold(value)));
    if (others.length < column.distinct.length) drop(column, others);
  }
  // Beside a column of replies, the owner writes of the customers.
  for (const [column, some, isElsewhere] of repliesIn(table, chosen, texts)) {
    if (reply) drop(column, some, ': they are by the owner');
    else if (isElsewhere) drop(column, some, ' (replies): write each into a column of its review');
    else keep('reply_rows', column, some, `${rowsOf(column, some)} are replies to the row above`);
  }
  for (const column of columns.filter((one) => one.isYesOrNo && isPrivate(one)))
    keep('private_replies', column, ['true', 'yes', '1']);
  const mapping: Partial<Record<RowRule, RowValues>> = filled(rules);
  return { mapping, notes, columns: Object.values(rules).flatMap((rule) => Object.keys(rule)) };
}

/** What a column says in rows that have words and no stars, and in no others: that they are replies. */
function repliesIn(
  { columns, rowCount }: SampledTable,
  chosen: Chosen,
  texts: readonly SampledColumn[],
): [SampledColumn, string[], isElsewhere: boolean][] {
  const [stars, id] = [chosen.get('rating'), chosen.get('source_id')];
  const isAnswer = (row: number) => !stars?.cells[row] && texts.some(({ cells }) => cells[row]);
  const rows = Array.from({ length: rowCount }, (_, row) => row);
  const above = (row: number) =>
    id?.cells[rows.findLast((one) => one < row && !isAnswer(one)) ?? -1];
  // Replies that stand elsewhere say to which review they belong.
  const isElsewhere = columns.some(
    ({ cells, values }) =>
      values.length < rowCount &&
      values.length > 0 &&
      values.every((value) => id?.distinct.includes(value)) &&
      cells.some((cell, row) => cell !== '' && cell !== above(row)),
  );
  if (!stars || isAnswer(0) || (texts.length > 1 && !isElsewhere)) return [];
  for (const column of columns.filter(isWritten)) {
    const { cells } = column;
    const found = column.distinct.filter((value) => {
      const [first = 0, ...more] = rows.filter((row) => cells[row] === value);
      const words = new Set(wordsOf(value).split(' '));
      const isOwner = [...headings.reply, ...headings.parties.owner].some((word) =>
        words.has(word),
      );
      return (more.length > 0 || isOwner) && [first, ...more].every(isAnswer);
    });
    if (found.length > 0) return [[column, found, isElsewhere]];
  }
  return [];
}

/** Whether a column says which rows are published, by its heading, or because each value is such a state. */
function isStatus({ plain, distinct }: SampledColumn): boolean {
  const published = headings.published.filter((word) => word.length > 3 && word !== 'true');
  const states = [published, headings.unpublished].map((words) =>
    distinct.filter((value) => words.includes(wordsOf(value).split(' ')[0] ?? '')),
  );
  const areStates = states.every((some) => some.length > 0);
  const isNamedSo = plain.some((name) => headings.status.includes(name.replace(/^is(?=.{6})/, '')));
  return (
    distinct.length <= 8 &&
    distinct.some(isPublished) &&
    (isNamedSo || (areStates && states.flat().length === distinct.length))
  );
}

function isYes(value: string): boolean {
  return ['true', 'yes', '1', 'y', 'ja', 'oui', 'si', 'sim', 'tak'].includes(fold(value));
}

function isPublished(value: string): boolean {
  const words = `${wordsOf(value)} `;
  return headings.published.some((known) => words.startsWith(`${known} `) || value === known);
}

/** A plain yes, or one that asks for no name; "Yes, but not on Facebook" is none. */
function isAgreed(value: string): boolean {
  return (isPublished(value) || NAMELESS.test(wordsOf(value))) && !NO.test(wordsOf(value));
}

/** Whether a heading asks "May we publish this?". */
function isAsked(column: SampledColumn): boolean {
  const isMay = column.has(headings.may) && column.has(headings.shown);
  const isShort = isAnswered(column) || (column.distinct.length <= 6 && column.prose <= 0.5);
  return isShort && column.dates.length === 0 && (isMay || CONSENT.test(wordsOf(column.name)));
}

function isAnswered(column: SampledColumn): boolean {
  const isAnswer = (value: string) => isAgreed(value) || NO.test(wordsOf(value));
  // "Yes, rang on 7 May"
  return column.share(isAnswer) > (column.distinct.length <= 6 ? 0.5 : 0.8);
}

/** Whether a column says whether an author agrees that the review is shown. */
export function asksConsent(column: SampledColumn): boolean {
  return isAsked(column) && isAnswered(column) && !asksForName(column) && !isStatus(column);
}

/** Whether a heading asks "May we publish this with your first name?". */
function asksForGivenName(column: SampledColumn): boolean {
  return isAsked(column) && GIVEN_NAME.test(wordsOf(column.name));
}

/** Whether a column says yes or no to "May we show your name?", or to "Stay anonymous?". */
function asksForName(column: SampledColumn): boolean {
  const isShown = isAsked(column) || column.has(headings.shown);
  const isOfMore = column.has(headings.fields.text) || column.has(headings.ofReview);
  const isOfName = isShown && !isOfMore && column.has(headings.nameWords);
  const isOfNone = isOfName || NAMELESS.test(wordsOf(column.name));
  return isOfNone && isAnswered(column) && !asksForGivenName(column);
}
function namelessIn(column: SampledColumn): string[] {
  const wantsNone = (text: string) => NAMELESS.test(wordsOf(text));
  if (asksConsent(column)) return column.distinct.filter((one) => isAgreed(one) && wantsNone(one));
  if (!asksForName(column)) return [];
  if (wantsNone(column.name)) return column.distinct.filter(isAgreed);
  return [...column.distinct.filter((value) => !isAgreed(value)), ''];
}

function decideVerified(column: SampledColumn | undefined): object {
  const known = new Set(headings.verified.map(plainName));
  const values = column?.distinct.filter((value) => known.has(plainName(value))) ?? [];
  const isDefault = values.every((value) => ['true', 'yes', '1'].includes(fold(value)));
  // The platform knows the person, and no purchase.
  const isLevel = (one: string) => fold(one).startsWith('verified') && !NO.test(wordsOf(one));
  const levels = column?.distinct.filter((one) => isLevel(one) && !values.includes(one)) ?? [];
  return filled({ verified_values: isDefault ? [] : values, verified_levels: levels });
}

function sourceOf(
  name: string,
  url: SampledColumn | undefined,
  platform: Platform | undefined,
): string | null {
  const plain = plainName(name.replace(/^.*[/\\]/, ''));
  const host = plainName(url?.values[0]?.split('/')[2] ?? '');
  const names = (text: string) =>
    headings.places.find((place) => place.length > 3 && text.includes(plainName(place)));
  // Apps of a shop have the same headings, but each names its file.
  return names(plain) ?? platform?.source ?? names(host) ?? null;
}

/** Columns that are not read, words first; those of other links, e-mail addresses and ids say nothing of a review. */
function unread({ columns, around }: SampledTable, read: readonly string[]): string[] {
  const isAside = (one: SampledColumn) =>
    one.isEmails || (one.isUrls && (!one.has(headings.photos) || one.has(headings.otherPhotos)));
  const free = [...columns, ...around.filter(({ name }) => name.includes('*'))].filter(
    (one) => one.values.length > 0 && !read.includes(one.name) && !isAside(one),
  );
  const hasReply = columns.some((one) => read.includes(one.name) && isOfOwner(one));
  const kindOf = (column: SampledColumn) => {
    if (columns.includes(column) && isPrivate(column)) return 'secret';
    if (!hasReply && isOfOwner(column) && column.prose > 0) return 'notes';
    if (column.prose > 0.5 && column.names < 0.5) return 'words';
    return isNamed('source_id', column) || column.has(['id', 'email', 'sheet']) ? 'ids' : 'others';
  };
  const { secret, notes, words, others } = Object.groupBy(free, kindOf);
  const told = (what: string, some: readonly SampledColumn[] = [], next = '') =>
    some.length === 0 ? [] : `${what}: ${shownList(some.map(({ name }) => name))}${next}`;
  return [
    told(
      'not read, because most of it does not speak to customers',
      notes,
      '; if it is for the public, add "owner_reply_text" to "columns" of the mapping',
    ),
    told('words that are not read', words, '; add them to "columns" if they belong to the reviews'),
    told('columns that are not read', others),
    told('private columns are not read', secret),
  ].flat();
}

function noteOfParts(scale: Scale | undefined, stars: Scale | null): string[] {
  if (!scale || (scale.min === stars?.min && scale.max === stars.max)) return [];
  const range = `${scale.min} to ${scale.max}`;
  return [`part scores are taken from a scale of ${range}; "ratings_scale" says otherwise`];
}

interface Parts {
  readonly ratings?: Readonly<Record<string, string>>;
  readonly ratings_scale?: Scale;
  readonly attributes?: Readonly<Record<string, string>>;
}

function decideParts(
  { columns }: SampledTable,
  read: readonly string[],
  platform: Parts,
  stars: Scale | null,
): Parts {
  const given = { ...platform.ratings, ...platform.attributes };
  const taken = [...read, ...Object.values(given)];
  const free = columns.filter(
    (column) =>
      !taken.includes(column.name) &&
      column.values.length > 0 &&
      !isPrivate(column) &&
      // The first entry of a list is one of several things.
      !/[./]\d+[./]|\.\[(?:is_?)?(?:priv|publ|intern|visib)/i.test(column.name) &&
      !isNamedOtherwise(column),
  );
  const { scores, max } = scoresOf(free, stars);
  const partScores = { ...byName(scores), ...platform.ratings };
  const isSeat = (one: SampledColumn) =>
    one.has(headings.seats) && one.share((value) => SEAT.test(value)) > 0.5;
  const facts = free.filter(
    (column) => !scores.includes(column) && !column.isUrls && !column.isEmails && !isSeat(column),
  );
  const known = Object.entries(headings.attributes).flatMap(([name, titles]) => {
    const found = titles.flatMap((title) => facts.find(({ plain }) => plain.includes(title)) ?? []);
    return found[0] ? [[name, found[0].name] as const] : [];
  });
  const names = known.map(([, name]) => name);
  const others = facts.filter((column) => isFact(column) && !names.includes(column.name));
  const all = { ...byName(others), ...Object.fromEntries(known), ...platform.attributes };
  const numbers = scores.flatMap(({ ratings }) => ratings?.numbers ?? []);
  const usual = { min: Math.min(...numbers) < 1 ? 0 : 1, max };
  // What the stars are on, parts are on too if they fit.
  const best = stars === null ? 0 : Math.max(stars.min, stars.max);
  const isBoth = best >= Math.max(...numbers) && best <= max + 1;
  const scale = platform.ratings_scale ?? (isBoth ? stars : max === 5 ? null : usual);
  return {
    ...(scale === null || numbers.length === 0 ? {} : { ratings_scale: scale }),
    ...filled({ ratings: partScores, attributes: all }),
  };
}

function byName(columns: readonly SampledColumn[]): Record<string, string> {
  return Object.fromEntries(
    columns.flatMap(({ name }) => {
      const title = partHeading(name);
      const part = partNameOf(title) ?? partNameOf(title.slice(0, 40).replace(/\s\S*$/, ''));
      return part === null ? [] : [[part, name]];
    }),
  );
}

function scoresOf(
  free: readonly SampledColumn[],
  stars: Scale | null,
): { scores: SampledColumn[]; max: number } {
  const isRated = (one: SampledColumn) => /(?:ratings?|scores|aspects)$/i.test(objectOf(one));
  const bestOf = ({ ratings }: SampledColumn) => Math.max(...(ratings?.numbers ?? []));
  const all = free.filter(
    (column) =>
      column.ratings !== null &&
      column.dates.length === 0 &&
      // Whether something is too small or too large is no score, and neither is a share of helpful votes.
      !column.has(headings.poles) &&
      !(column.has(headings.helpful) && bestOf(column) <= 1) &&
      !/(?:^|\.)meta(?:data)?\./.test(column.name) &&
      (isPartOfQuestion(column) || isRated(column) || !column.has(headings.counts)) &&
      !['', ...headings.fields.rating].includes(plainName(partHeading(column.name))) &&
      (column.words.size <= 3 * PART_WORDS || isPartOfQuestion(column)),
  );
  // Several columns of numbers on the scale of the stars are scores, whatever they are called.
  const isStars = (number: number) => number >= 1 && number <= (stars?.max ?? 5);
  const alike = all.filter(
    (one) =>
      one.distinct.length > 2 &&
      one.words.size <= PART_WORDS &&
      one.ratings?.numbers.every(isStars),
  );
  const isKnown = (column: SampledColumn) =>
    (alike.length > 1 && alike.includes(column)) ||
    isPartOfQuestion(column) ||
    column.has(headings.not.part) ||
    column.plain.some((name) => headings.not.part.includes(name));
  const scales = all
    .filter(isKnown)
    .map((column) => [5, 10, 100].find((each) => each >= bestOf(column)) ?? 0);
  const count = (max: number) => scales.filter((each) => each === max).length;
  const max = [100, 10, 5].toSorted((one, other) => count(other) - count(one))[0] ?? 5;
  const scores = all.filter(
    (column) =>
      bestOf(column) <= max &&
      (max > 5 || column.ratings?.numbers.every((number) => number >= 1) === true),
  );
  return scales.length === 0 ? { scores: [], max } : { scores, max };
}

function isNamedOtherwise(column: SampledColumn): boolean {
  const fields = ['date', 'title', 'author', 'text', 'source_id', 'source_url'] as const;
  return fields.some((field) => column.plain[0] === column.plain.at(-1) && isNamed(field, column));
}

/** "Room 12", which says who somebody was. */
const SEAT = /^(?:\p{L}+\.?\s?)?#?\d{1,4}\s?\p{L}?(?:\s*[+&,/].*)?$/u;

/** "Please rate [Food]", and an entry of a list of scores. */
function isPartOfQuestion({ name }: SampledColumn): boolean {
  return /\[.+\]|\s–\s/.test(name);
}

/** Whether a column tells of what a review is about: a few short values that repeat and say nothing of a person. */
function isFact(column: SampledColumn): boolean {
  const { distinct, values, ratings } = column;
  // Answers in an object of their own, such as "reviewContext.Meal type".
  const isInside = /(?:context\w*|questions?|attributes?|traits?|details)\W/i.test(column.name);
  const isTick = distinct.length === 1 && distinct[0] === column.name;
  const isPart = isPartOfQuestion(column) && ratings === null;
  const isSize = column.has(['size', 'recommend', 'recommended']);
  const isTold =
    column.has(headings.poles) || isInside || isTick || isPart || isSize || isQuestion(column);
  return (
    (distinct.length < values.length || isTold) &&
    distinct.every(({ length }) => length <= 60) &&
    (ratings === null || isTold) &&
    column.dates.length === 0 &&
    (!column.isYesOrNo || isTold) &&
    column.prose < 0.5 &&
    (isPartOfQuestion(column) || !column.has(headings.personal)) &&
    (isInside || !column.has(headings.counts)) &&
    !/\.(?:id|dimensionlabel)$|(?:^|\.)meta(?:data)?\./i.test(column.name) &&
    (isInside || !OF_PERSON.test(column.name)) &&
    !isOfOwner(column) &&
    !isNamed('location', column) &&
    !isStatus(column) &&
    !isAsked(column) &&
    !asksForName(column)
  );
}

/** `SecondaryRatings.Value.Value` and `category_ratings.seatComfort` as people call them. */
function partHeading(name: string): string {
  const entry = entryName(name);
  if (entry !== null) return entry;
  const keys = name.split('.').filter((key) => /\p{L}/u.test(key));
  const last = keys.at(-1) ?? name;
  const isMember = /^value(?:label)?$/i.test(last)
    ? keys.length > 2
    : /^(?:rating|score)$/i.test(last);
  const key = (isMember ? (keys.at(-2) ?? last) : last).replace(
    /(?<=\p{L})\s*\([^()]*\d[^()]*\)$/u,
    '',
  );
  // "Rate the following [Food]", "[category=FOOD]", and "Rate the following – Food".
  const [, part = key] = /(?:\[(?:\w+=)?|\s[-–—]\s)([^[\]]+)\]?$/u.exec(key) ?? [];
  return part
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(
      /^(?:review_questions_|attribute\W+|(?:rating|score|note|bewertung)[\s_]+)(?=\p{L})/iu,
      '',
    )
    .replace(/\s*\(?\/\s?\d+\)?$|[\s_-]*(?:rating|score|stars)$/i, '');
}
