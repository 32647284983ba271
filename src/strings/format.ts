// Numbers, dates and lists as a language and a region write them.

/** Plural forms by CLDR category; `#` is the number. Without `few` and so on, `other` is used. */
interface PluralForms {
  readonly one: string;
  readonly other: string;
}

/** By language, the word between the last two of a list, and another where one of them has it. */
const AS_WELL: Readonly<Record<string, readonly [string, string]>> = {
  de: ['und', 'sowie'],
  es: ['y', 'así como'],
  fr: ['et', 'ainsi que'],
  it: ['e', 'nonché'],
  nl: ['en', 'evenals'],
  pt: ['e', 'bem como'],
};
/** The numbers from two to ten. */
const SMALL: Readonly<Record<string, string>> = {
  de: 'zwei drei vier fünf sechs sieben acht neun zehn',
  en: 'two three four five six seven eight nine ten',
  es: 'dos tres cuatro cinco seis siete ocho nueve diez',
  fr: 'deux trois quatre cinq six sept huit neuf dix',
  it: 'due tre quattro cinque sei sette otto nove dieci',
  nl: 'twee drie vier vijf zes zeven acht negen tien',
  pt: 'dois três quatro cinco seis sete oito nove dez',
};

export class Format {
  /** BCP 47, such as "de-AT". */
  readonly tag: string;
  /** Between a number and its noun. Most languages do not break lines there. */
  readonly #gap: string;
  readonly #number: Intl.NumberFormat;
  readonly #oneDecimal: Intl.NumberFormat;
  readonly #twoDecimals: Intl.NumberFormat;
  readonly #percent: Intl.NumberFormat;
  readonly #plural: Intl.PluralRules;
  readonly #day: Intl.DateTimeFormat;
  readonly #weekday: Intl.DateTimeFormat;
  readonly #fullDay: Intl.DateTimeFormat;
  readonly #month: Intl.DateTimeFormat;
  readonly #months: Intl.DateTimeFormat;
  readonly #shortMonth: Intl.DateTimeFormat;
  readonly #time: Intl.DateTimeFormat;
  readonly #list: Intl.ListFormat;
  readonly #choice: Intl.ListFormat;
  readonly #language: Intl.DisplayNames;
  readonly #country: Intl.DisplayNames;

  constructor(tag: string) {
    this.tag = tag;
    this.#gap = tag.startsWith('en') ? ' ' : '\u00a0';
    const decimals = (digits: number) =>
      new Intl.NumberFormat(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    const date = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(tag, { timeZone: 'UTC', ...options });
    this.#number = new Intl.NumberFormat(tag);
    this.#oneDecimal = decimals(1);
    this.#twoDecimals = decimals(2);
    this.#percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 });
    this.#plural = new Intl.PluralRules(tag);
    this.#day = date({ dateStyle: 'long' });
    this.#weekday = date({ weekday: 'long' });
    this.#fullDay = date({ dateStyle: 'full' });
    this.#month = date({ month: 'long', year: 'numeric' });
    this.#months = date({ month: 'short', year: 'numeric' });
    this.#shortMonth = date({ month: 'short' });
    this.#time = date({ timeStyle: 'short' });
    this.#list = new Intl.ListFormat(tag);
    this.#choice = new Intl.ListFormat(tag, { type: 'disjunction' });
    this.#language = new Intl.DisplayNames(tag, { type: 'language' });
    this.#country = new Intl.DisplayNames(tag, { type: 'region' });
  }

  number(value: number): string {
    return this.#number.format(value);
  }

  /** "1 review", "1,204 reviews". */
  plural(count: number, { one, other }: PluralForms): string {
    const form = this.#plural.select(count) === 'one' ? one : other;
    return form.replaceAll('# ', `#${this.#gap}`).replaceAll('#', this.number(count));
  }

  /** A mean of stars: "4.6", "5.0". */
  mean(value: number): string {
    // 4.05 is a little less than that in binary, and would become 4.0.
    return this.#oneDecimal.format(Math.round(value * 10 + 1e-9) / 10);
  }

  /** A mean in a table: "4.62". */
  exactMean(value: number): string {
    return this.#twoDecimals.format(value);
  }

  /** A rating or a mean: "5", "4.6". */
  stars(value: number): string {
    return Number.isInteger(value) ? this.number(value) : this.mean(value);
  }

  /** A percentage of 0 to 100: "12.5%". */
  percent(value: number): string {
    return this.#percent.format(value / 100);
  }

  /** A date YYYY-MM-DD: "March 5, 2026". */
  date(date: string): string {
    return this.#ordinal(this.#day.format(at(date)));
  }

  /** "Thursday, March 5, 2026". */
  fullDate(date: string): string {
    return this.#ordinal(this.#fullDay.format(at(date)));
  }

  /** French has "1er mars". */
  #ordinal(date: string): string {
    return this.tag.startsWith('fr') ? date.replace(/(?<!\d)1(?= \p{L})/u, '1er') : date;
  }

  /** A month YYYY-MM: "March 2026". */
  month(month: string): string {
    return this.#month.format(at(`${month}-01`));
  }

  /** Some months from one on: "Jan – Jun 2025". */
  months(first: string, count: number): string {
    const [year = 0, month = 0] = first.split('-').map(Number);
    const last = new Date(Date.UTC(year, month - 2 + count));
    return this.#months.formatRange(at(`${first}-01`), last);
  }

  /** 0 is January: "Jan". */
  shortMonth(index: number): string {
    return this.#shortMonth.format(new Date(Date.UTC(2024, index)));
  }

  /** 0 is Monday: "Monday". */
  weekday(index: number): string {
    // 1 January 2024 was a Monday.
    return this.#weekday.format(new Date(Date.UTC(2024, 0, 1 + index)));
  }

  /** A time HH:MM: "8:30 AM". */
  time(time: string): string {
    const [hours, minutes = ''] = time.split(':');
    // Intl writes "07:00", French "7 h".
    if (this.tag.startsWith('fr')) {
      return `${Number(hours)}\u00A0h${minutes === '00' ? '' : `\u00A0${minutes}`}`;
    }
    return this.#time.format(new Date(`2024-01-01T${time}:00Z`));
  }

  /** A country by its two letters: "Ireland"; another text stays. */
  country(code: string): string {
    return /^[A-Z]{2}$/.test(code) ? (this.#country.of(code) ?? code) : code;
  }

  /** The name of a language (ISO 639-1): "German". */
  language(code: string): string {
    return /^[a-z]{2,3}$/i.test(code) ? (this.#language.of(code) ?? code) : code;
  }

  /** An amount of money in a currency (ISO 4217): "$165", "$1,240.50". */
  money(amount: number, currency: string): string {
    const options = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const;
    return new Intl.NumberFormat(this.tag, options).format(amount);
  }

  list(items: readonly string[]): string {
    const [and, asWell] = AS_WELL[this.tag.slice(0, 2)] ?? [];
    const last = items.at(-1) ?? '';
    // "a, b as well as c and d"
    if (and === undefined || items.length < 2 || !last.includes(` ${and} `))
      return this.#list.format(items);
    return `${items.slice(0, -1).join(', ')} ${asWell} ${last}`;
  }

  /** Up to ten in words: "nine", "11". */
  inWords(value: number): string {
    return SMALL[this.tag.slice(0, 2)]?.split(' ')[value - 2] ?? this.number(value);
  }

  /** "A, B, or C". */
  choice(items: readonly string[]): string {
    return this.#choice.format(items);
  }
}

function at(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}
