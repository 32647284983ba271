// Which people insights show, and from how many reviews on they show scores of a person.

/** `auto` is `catalogue` if the business file names technicians, else `mentioned`. */
export const PEOPLE_MODES = ['auto', 'catalogue', 'mentioned', 'off'] as const;

export interface PeopleSettings {
  readonly mode: (typeof PEOPLE_MODES)[number];
  /** A name outside the catalogue is shown if this many reviews mention it. */
  readonly minNaming: number;
  /** A person has a score, a share of praise and an average rating from this many reviews on. */
  readonly minScored: number;
}

export const DEFAULT_PEOPLE: PeopleSettings = { mode: 'auto', minNaming: 3, minScored: 5 };

/** Shows every name that is found, with scores. */
export const EVERYONE: PeopleSettings = { mode: 'mentioned', minNaming: 1, minScored: 1 };

/** The form in which a snapshot records them, for comparison. */
export function describePeople({ mode, minNaming, minScored }: PeopleSettings): string {
  return `${mode} ${minNaming} ${minScored}`;
}

/** Settings in that form; null if it has another. */
export function parsePeople(text: string | undefined): PeopleSettings | null {
  const [mode, minNaming, minScored] = text?.split(' ') ?? [];
  const known = PEOPLE_MODES.find((one) => one === mode);
  if (known === undefined) return null;
  return { mode: known, minNaming: Number(minNaming), minScored: Number(minScored) };
}
