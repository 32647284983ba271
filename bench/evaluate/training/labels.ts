// Parses the labels of reviews, one line for each sentence that says something (bench/data/README.md):
//   b12.3 food- !cold-food ?staff-

/** The sentiment of a label. */
export type Sign = '+' | '-' | '=';

/** What a sentence, or a review, says. */
export interface Labels {
  readonly aspects: ReadonlyMap<string, Sign>;
  /** Aspects that a careful reader could see in it or not, or whose sentiment is open. */
  readonly optional: ReadonlySet<string>;
  readonly problems: ReadonlySet<string>;
  readonly optionalProblems: ReadonlySet<string>;
}

export interface LabelledReview {
  readonly id: string;
  /** By index of the sentence; one that is missing says nothing. */
  readonly sentences: ReadonlyMap<number, Labels>;
  /** Aspects about which the sentences disagree, and their sentiment in the whole review; "?" where it is open. */
  readonly overall: ReadonlyMap<string, Sign | '?'>;
  /** By name the sentiment of people of the business; "?" where it is open. */
  readonly people: ReadonlyMap<string, Sign | '?'>;
}

const LINE = /^#?([a-z]+\d+)(?:\.(\d+))?(?: (.*))?$/;
const LABEL = /^(\?)?([a-z_]+)([+=-])?$/;
const PROBLEM = /^(\?!|!\?|!)([a-z-]+)$/;

export const NO_LABELS: Labels = {
  aspects: new Map(),
  optional: new Set(),
  problems: new Set(),
  optionalProblems: new Set(),
};

/**
 * @param file its name, for errors
 * @throws {Error} naming file and line of the first malformed one
 */
export function parseLabels(text: string, file: string): LabelledReview[] {
  const reviews = new Map<string, Draft>();
  text.split('\n').forEach((line, index) => {
    const [, id, sentence, rest = ''] = LINE.exec(line.trim()) ?? [];
    if (line.trim() === '') return;
    const refuse = (expected: string): never => {
      throw new Error(`${file}:${index + 1}: expected ${expected}, got ${line}`);
    };
    if (id === undefined) refuse('the id of a review or sentence, and labels');
    const review = reviews.get(id as string) ?? newDraft(id as string);
    reviews.set(id as string, review);
    if (sentence !== undefined)
      review.sentences.set(Number(sentence) - 1, parseLabelsOf(rest, refuse));
    else if (rest.includes('@')) addPeople(review.people, rest, refuse);
    else addOverall(review.overall, rest, refuse);
  });
  return [...reviews.values()];
}

interface Draft {
  readonly id: string;
  readonly sentences: Map<number, Labels>;
  readonly overall: Map<string, Sign | '?'>;
  readonly people: Map<string, Sign | '?'>;
}

function newDraft(id: string): Draft {
  return { id, sentences: new Map(), overall: new Map(), people: new Map() };
}

type Refuse = (expected: string) => never;

/** The labels of a sentence. */
export function parseLabelsOf(text: string, refuse: Refuse): Labels {
  const aspects = new Map<string, Sign>();
  const optional = new Set<string>();
  const problems = new Set<string>();
  const optionalProblems = new Set<string>();
  const contradicted = new Set<string>();
  for (const part of text.split(' ').filter((one) => one !== '' && one !== 'none')) {
    const [, mark, problem] = PROBLEM.exec(part) ?? [];
    if (problem !== undefined) {
      (mark === '!' ? problems : optionalProblems).add(problem);
      continue;
    }
    const [, isOptional, aspect = '', sign] = LABEL.exec(part) ?? [];
    if (aspect === '' || (isOptional === undefined && sign === undefined))
      refuse(`an aspect with + - or =, or a problem with !, instead of "${part}"`);
    if (isOptional !== undefined) optional.add(aspect);
    else if (aspects.has(aspect) && aspects.get(aspect) !== sign) contradicted.add(aspect);
    else aspects.set(aspect, sign as Sign);
  }
  // What is sure counts, also beside a doubt; praise and complaint in one sentence leave it open.
  for (const aspect of contradicted) aspects.delete(aspect);
  for (const aspect of aspects.keys()) optional.delete(aspect);
  for (const aspect of contradicted) optional.add(aspect);
  return { aspects, optional, problems, optionalProblems };
}

function addPeople(people: Draft['people'], text: string, refuse: Refuse): void {
  for (const part of text.split('@').slice(1)) {
    const [, name = '', sign] = /^(.+?)([+=?-])?$/.exec(part.trim()) ?? [];
    if (name === '') refuse('a name behind "@"');
    people.set(name, (sign ?? '?') as Sign | '?');
  }
}

function addOverall(overall: Draft['overall'], text: string, refuse: Refuse): void {
  for (const part of text.split(' ').filter((one) => one !== '' && one !== 'none')) {
    const [, isOpen, aspect = '', sign] = LABEL.exec(part) ?? [];
    if (aspect === '') refuse(`an aspect instead of "${part}"`);
    overall.set(aspect, isOpen === undefined ? (sign as Sign) : '?');
  }
}

/** What a review says as a whole: sentences that disagree leave an aspect open, unless `overall` decides. */
export function labelsOfReview({ sentences, overall }: LabelledReview): Labels {
  const signs = new Map<string, Set<Sign>>();
  const optional = new Set<string>();
  const problems = new Set<string>();
  const optionalProblems = new Set<string>();
  for (const labels of sentences.values()) {
    for (const [aspect, sign] of labels.aspects)
      signs.set(aspect, (signs.get(aspect) ?? new Set()).add(sign));
    for (const aspect of labels.optional) optional.add(aspect);
    for (const problem of labels.problems) problems.add(problem);
    for (const problem of labels.optionalProblems) optionalProblems.add(problem);
  }
  const aspects = new Map<string, Sign>();
  for (const [aspect, all] of signs) {
    const judged = all.difference(new Set<Sign>(['=']));
    const [sign = '='] = judged;
    if (judged.size < 2) aspects.set(aspect, sign);
    else optional.add(aspect);
  }
  for (const [aspect, sign] of overall) {
    if (sign === '?') aspects.delete(aspect);
    else aspects.set(aspect, sign);
    if (sign === '?') optional.add(aspect);
  }
  return {
    aspects,
    optional: optional.difference(new Set(aspects.keys())),
    problems,
    optionalProblems: optionalProblems.difference(problems),
  };
}
