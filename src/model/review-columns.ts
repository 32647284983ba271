// The columns of a stored review, in the order in which files and messages name them. Mapping, staging, merging,
// copies and the history of reviews derive from this table.

interface Column {
  readonly type: 'text' | 'integer';
  readonly isNullable: boolean;
  /**
   * How a mapping reads it: as it is, as stars, as a date of the file's format, or as that or an instant. `parts` come
   * from several columns, by name.
   */
  readonly reads: 'text' | 'stars' | 'date' | 'day' | 'parts';
  /** What an import that has no value does to the stored one. `ruled`: `store/merge/merged.ts` has a rule for it. */
  readonly ifAbsent: 'erases' | 'keeps' | 'ruled';
  /** What a copy of the review from another place does: it says the same, or has what the review lacks. */
  readonly ofCopy: 'same' | 'fills' | 'ruled';
}

const TEXT = {
  type: 'text',
  isNullable: true,
  reads: 'text',
  ifAbsent: 'erases',
  ofCopy: 'fills',
} as const;
/** What says which review it is. */
const OWN = { ...TEXT, isNullable: false, ofCopy: 'same' } as const;

export const REVIEW_COLUMNS = {
  author: OWN,
  author_avatar_url: TEXT,
  rating: { ...OWN, type: 'integer', reads: 'stars' },
  /** YYYY-MM-DD. */
  date: { ...OWN, reads: 'date' },
  /** The text begins with it (see title.ts). */
  title: { ...TEXT, ifAbsent: 'ruled', ofCopy: 'ruled' },
  text: { ...TEXT, ofCopy: 'same' },
  source: OWN,
  source_url: TEXT,
  owner_reply_text: TEXT,
  /** YYYY-MM-DD, if there is a reply. */
  owner_reply_date: { ...TEXT, reads: 'date', ofCopy: 'ruled' },
  /** 1 or 0. */
  verified: { ...OWN, type: 'integer', ifAbsent: 'ruled', ofCopy: 'ruled' },
  /** How it was verified; null if not verified, or if the file only says that it is. */
  verified_by: { ...TEXT, ifAbsent: 'ruled' },
  /** What the source says of the verification. */
  verified_level: { ...TEXT, ifAbsent: 'keeps' },
  /** YYYY-MM-DD. */
  verified_at: { ...TEXT, reads: 'day', ifAbsent: 'ruled' },
  /** The branch, as its source names it. */
  location: { ...TEXT, ifAbsent: 'keeps' },
  /** JSON of values by name (see review-parts.ts). */
  attributes: { ...TEXT, reads: 'parts' },
  ratings: { ...TEXT, reads: 'parts' },
} as const satisfies Record<string, Column>;

export type ReviewColumn = keyof typeof REVIEW_COLUMNS;
export const REVIEW_COLUMN_NAMES = Object.keys(REVIEW_COLUMNS) as ReviewColumn[];

/** The columns that one column of a file can hold. */
export type PlainColumn = Exclude<ReviewColumn, 'attributes' | 'ratings'>;
export const PLAIN_COLUMNS = REVIEW_COLUMN_NAMES.filter(
  (column): column is PlainColumn => REVIEW_COLUMNS[column].reads !== 'parts',
);

type ValueOf<C extends Column> =
  | (C['type'] extends 'integer' ? number : string)
  | (C['isNullable'] extends true ? null : never);

export type ReviewValues = { [C in ReviewColumn]: ValueOf<(typeof REVIEW_COLUMNS)[C]> };
