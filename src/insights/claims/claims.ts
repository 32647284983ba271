// Finds the claims of a review: what it says about each aspect, and the problems that it reports. Patterns and words are
// evidence (evidence.ts, features.ts), the sentence model weighs it (model.ts), and the gate decides (gate.ts).

import type { Sentiment } from '../../model/insights.ts';
import { lowerBound } from '../../model/lower-bound.ts';
import { sentimentAbout } from '../sentiment/attribution.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import type { Span, Token } from '../text/text.ts';
import type { Vertical } from '../verticals/verticals.ts';
import { type AspectClasses, type ProblemClass, type Questions, questionsOf } from './classes.ts';
import { type Evidence, findEvidence } from './evidence.ts';
import { OPINION } from './features.ts';
import { type GateFile, logOddsOf, probabilityOf, PUBLISHED_FROM } from './gate.ts';
import {
  featuresOfAspect,
  featuresOfProblem,
  type JudgedReview,
  largestOf,
} from './judged-review.ts';
import { isSure, reread } from './readings.ts';
import { MODEL, MODEL_FILE, type SentenceModel } from './model.ts';

/** A place in the text that tells a claim: tokens [from, to), with the probability that the sentence model gives it. */
export interface Place {
  readonly from: number;
  readonly to: number;
  readonly score: number;
}

/** What a review says about an aspect, or a problem that it reports. */
export interface Claim {
  /** Id of the aspect or problem. */
  readonly id: string;
  readonly sentiment: Sentiment;
  /** How probable it is, 0 to 1. */
  readonly confidence: number;
  /** Where it is told most clearly. */
  readonly place: Place;
}

/** What a language model says of an aspect: evidence like any other. Its quote is [start, end) in UTF-16 units. */
export interface Proposal extends Span {
  readonly aspect: string;
  readonly sentiment: Sentiment;
}

/** How the log odds of a claim change if a language model says the same, and if it does not: by recorded answers
 * (bench/data/proposals), the second weaker than fitted, since small models miss more. */
const PROPOSED = 5;
const UNPROPOSED = -1;
/** How clearly a quote shows its claim. */
export const SCORE_OF_QUOTE = 0.5;
/** How much less clearly a sentence shows a claim that only names its subject, and one without a word of it. */
const NAMED = 0.8;
/** From which probability on a clause answers a question. */
const CLEAR = 0.75;
/** How probable it is that words mean what they say; what denies them before and after; and what says nothing yet. */
const SAID = 0.9;
const DENIED =
  /(?:\b(?:no|not(?! only| just)|never|hardly|barely|(?<!a )little|zero|without|lack of|free of|cannot|nobody|(?:ca|do|did|was|could|would)nt)|n['’]t)\b(?:[\s-]+[^\s,;-]+){0,3}[\s-]*$/iu;
const UNTROUBLED =
  /^\W*(?:(?:was|were|is|are) )?(?:never|not|n['’]t|no) (?:really )?(?:an? )?(?:issue|problem|concern)/iu;
const FEARED = /\b(?:worried|afraid|fear(?:ed)?|concerned|expect(?:ed|ing)?)\b/iu;
/** From which log odds on praise or complaint in a clause and its sentence is about who or what they name; and against the
 * stars of the review. */
const MOOD = 0.4;
const CLEAR_MOOD = 2.2;
const UNNAMED = 0.6;

/** What buyers ask about some aspects: what is said where the words are, or what some words say themselves. */
export interface Asked {
  readonly question: string;
  readonly aspects: readonly string[];
  readonly words: RegExp;
  readonly saying: Readonly<Record<'positive' | 'negative', RegExp>> | null;
}

export interface Claims {
  readonly aspects: readonly Claim[];
  readonly problems: readonly Claim[];
  /** By the question. */
  readonly answers: readonly Claim[];
  readonly moodOf: Mood;
}

/** What is said of somebody or something that the tokens [from, to) name. */
export type Mood = (named: { readonly from: number; readonly to: number }) => Sentiment;

/** A claim that may be true, by the indexes of its classes. */
interface Candidate {
  readonly sentiment: Sentiment;
  readonly classes: readonly number[];
  readonly confidence: number;
}

const NO_CLAIMS: Claims = { aspects: [], problems: [], answers: [], moodOf: () => 'neutral' };

export type ClaimFinder = (
  annotated: AnnotatedText,
  rating: number,
  proposals?: readonly Proposal[],
) => Claims;

export function buildClaimFinder(vertical: Vertical, asked: readonly Asked[] = []): ClaimFinder {
  const model = MODEL();
  const { gate } = MODEL_FILE();
  const questions = questionsOf(vertical, model.classes);
  return (annotated, rating, proposals) => {
    const evidence = findEvidence(annotated, vertical);
    const logits = annotated.sentences.map((sentence) =>
      model.logitsOf(annotated, evidence, sentence, vertical.id),
    );
    if (logits.length === 0) return NO_CLAIMS;
    reread(annotated, logits, model, { rating, vertical: vertical.id });
    const places = new Places(annotated, evidence, model, vertical.id, logits);
    const found = foundIn(annotated, evidence);
    const answers = asked.flatMap(({ question, aspects, words, saying }) => {
      const own = questions.aspects.filter(({ aspect }) => aspects.includes(aspect));
      const answer = saying === null ? places.opinion(own, words) : places.said(saying);
      return answer === null ? [] : [{ id: question, ...answer }];
    });
    const decided = decide(questions, { logits, found, rating }, gate, places, proposals);
    return {
      ...decided,
      answers,
      moodOf: (named) => places.moodOf(named, questions.aspects, rating),
    };
  };
}

/** By sentence what patterns find, and its opinions. */
function foundIn(
  { sentences, clauses, clauseOf, opinions }: AnnotatedText,
  evidence: readonly Evidence[],
): Set<number>[] {
  const found = sentences.map(() => new Set<number>());
  const add = (token: number, feature: number) =>
    found[(clauses[clauseOf[token]!] as Clause).sentence]!.add(feature);
  for (const { token, feature } of evidence) add(token, feature);
  for (const { from, value } of opinions) add(from, value > 0 ? OPINION.praise : OPINION.complaint);
  return found;
}

function decide(
  questions: Questions,
  review: JudgedReview,
  gate: GateFile,
  places: Places,
  proposals: readonly Proposal[] | undefined,
): Omit<Claims, 'answers' | 'moodOf'> {
  const published = (
    id: string,
    { sentiment, classes, confidence }: Candidate,
    words: Words,
    quote?: Proposal,
  ): Claim[] => {
    if (confidence < PUBLISHED_FROM) return [];
    const place = quote === undefined ? places.of(classes, words) : places.ofQuote(quote);
    return [{ id, sentiment, confidence, place }];
  };
  const candidates = questions.aspects.map((classes) => candidatesOf(classes, review, gate));
  const blame = likeliestComplaint(candidates);
  return {
    aspects: questions.aspects.flatMap((classes, at) => {
      const proposal = proposals?.find(({ aspect }) => aspect === classes.aspect);
      const own = candidates[at] as (typeof candidates)[number];
      const best = likeliest(
        proposals === undefined ? own : own.map((one) => weighed(one, proposal)),
      );
      // A claim that only the language model sees is told by its quote.
      const isOwn = own.some(
        (one) => one.sentiment === best.sentiment && one.confidence >= PUBLISHED_FROM,
      );
      const { praise, complaint, name } = classes.evidence;
      const words = { positive: praise, negative: complaint, neutral: name }[best.sentiment];
      return published(
        classes.aspect,
        best,
        { telling: words, naming: name },
        isOwn ? undefined : proposal,
      );
    }),
    problems: questions.problems.flatMap((one) => {
      const { problem, index, evidence } = one;
      const confidence = problemConfidence(one, review, gate, blame);
      const words = { telling: [...evidence.pattern, ...evidence.fact], naming: evidence.clue };
      return published(problem, { sentiment: 'negative', classes: [index], confidence }, words);
    }),
  };
}

/** The candidate of the greatest confidence; the first of equals. */
export function likeliest(candidates: readonly Candidate[]): Candidate {
  return candidates.reduce((most, one) => (one.confidence > most.confidence ? one : most));
}

/** A candidate with what a language model says of its aspect, which may be nothing. */
export function weighed(
  candidate: Candidate,
  proposal: Pick<Proposal, 'sentiment'> | undefined,
): Candidate {
  const isProposed = proposal?.sentiment === candidate.sentiment;
  const odds = candidate.confidence / (1 - candidate.confidence);
  const changed = odds * Math.exp(isProposed ? PROPOSED : UNPROPOSED);
  return { ...candidate, confidence: changed / (1 + changed) };
}

/** Praise, complaint and neutral statement about an aspect with their probabilities. */
export function candidatesOf(
  classes: AspectClasses,
  review: JudgedReview,
  gate: GateFile,
): [Candidate, Candidate, Candidate] {
  const { praise, complaint, neutral } = featuresOfAspect(classes, review);
  const likely = (features: readonly number[]) => probabilityOf(features, gate.signed);
  const confidence = probabilityOf(neutral, gate.neutral);
  return [
    { sentiment: 'positive', classes: classes.praise, confidence: likely(praise) },
    { sentiment: 'negative', classes: classes.complaint, confidence: likely(complaint) },
    { sentiment: 'neutral', classes: classes.neutral, confidence },
  ];
}

/** The log odds of the likeliest complaint among the candidates of each aspect of a review. */
export function likeliestComplaint(candidates: readonly ReturnType<typeof candidatesOf>[]): number {
  return logOddsOf(Math.max(...candidates.map(([, complaint]) => complaint.confidence)));
}

export function problemConfidence(
  problem: ProblemClass,
  review: JudgedReview,
  gate: GateFile,
  complaint: number,
): number {
  return probabilityOf(featuresOfProblem(problem, review, complaint), gate.problem);
}

/** Features of patterns that tell a claim by themselves, and of those that only name its subject. */
interface Words {
  readonly telling: readonly number[];
  readonly naming: readonly number[];
}

/** Where the claims of a text are told. */
class Places {
  readonly #annotated: AnnotatedText;
  readonly #evidence: readonly Evidence[];
  readonly #logits: readonly Float64Array[];
  readonly #logitsOfClause: (clause: Clause) => Float64Array;

  constructor(
    annotated: AnnotatedText,
    evidence: readonly Evidence[],
    model: SentenceModel,
    vertical: string,
    logits: readonly Float64Array[],
  ) {
    this.#annotated = annotated;
    this.#evidence = evidence;
    this.#logits = logits;
    const known = new Map<Clause, Float64Array>();
    this.#logitsOfClause = (clause) => {
      const found = known.get(clause) ?? model.logitsOf(annotated, evidence, clause, vertical);
      known.set(clause, found);
      return found;
    };
  }

  /** The clause that tells one of some classes most clearly, of the sentence that does. */
  of(classes: readonly number[], words: Words): Place {
    const { sentences, clauses, clauseOf } = this.#annotated;
    const logits = this.#logits.map((sentence) => largestOf(sentence, classes));
    const most = Math.max(...logits);
    const sentence = sentences[logits.indexOf(most)] as (typeof sentences)[number];
    const first = clauseOf[sentence.from] as number;
    const own = clauses.slice(first, (clauseOf[sentence.to - 1] as number) + 1);
    const { from, to } = this.#mostTelling(own, classes);
    const has = (features: readonly number[]) =>
      this.#evidence.some(
        ({ token, feature }) =>
          token >= sentence.from && token < sentence.to && features.includes(feature),
      );
    const named = has(words.telling) ? 1 : NAMED;
    const clarity = named < 1 && !has(words.naming) ? UNNAMED : named;
    return { from, to, score: clarity / (1 + Math.exp(-most)) };
  }

  /** What words say that judge by themselves; null without them, and if some praise and some complain. */
  said(saying: NonNullable<Asked['saying']>): Omit<Claim, 'id'> | null {
    const found = this.#annotated.clauses.flatMap((clause) => {
      const text = this.#textOf(clause);
      const praise = saying.positive.exec(text);
      const word = praise ?? saying.negative.exec(text);
      if (word === null || FEARED.test(text)) return [];
      const after = text.slice(word.index + word[0].length);
      const isDenied = DENIED.test(text.slice(0, word.index)) || UNTROUBLED.test(after);
      const sentiment: Sentiment = (praise === null) === isDenied ? 'positive' : 'negative';
      const { from, to } = clause;
      return [{ sentiment, confidence: SAID, place: { from, to, score: SAID } }];
    });
    const isClear = new Set(found.map(({ sentiment }) => sentiment)).size === 1;
    return isClear ? (found[0] ?? null) : null;
  }

  #textOf({ from, to }: Clause): string {
    const { text, tokens } = this.#annotated;
    return text.slice((tokens[from] as Token).start, (tokens[to - 1] as Token).end);
  }

  /** The clearest opinion on some aspects in the clauses with some words; null if none is clear. */
  opinion(aspects: readonly AspectClasses[], words: RegExp): Omit<Claim, 'id'> | null {
    let clearest: Omit<Claim, 'id'> | null = null;
    for (const clause of this.#annotated.clauses) {
      const { from, to } = clause;
      if (!words.test(this.#textOf(clause))) continue;
      const sentence = this.#logits[clause.sentence] as Float64Array;
      for (const { praise, complaint } of aspects)
        for (const [sentiment, classes] of [
          ['positive', praise],
          ['negative', complaint],
        ] as const) {
          const whole = largestOf(sentence, classes);
          const logit = isSure(whole) ? whole : largestOf(this.#logitsOfClause(clause), classes);
          const confidence = 1 / (1 + Math.exp(-logit));
          if (confidence <= (clearest?.confidence ?? CLEAR)) continue;
          clearest = { sentiment, confidence, place: { from, to, score: confidence } };
        }
    }
    return clearest;
  }

  /**
   * The clearer of praise and complaint about any aspect, in the mean of a clause and its sentence; or else praise of no
   * aspect ("Mike was great"). Nobody is blamed by opinions alone.
   */
  moodOf(
    { from, to }: Parameters<Mood>[0],
    aspects: readonly AspectClasses[],
    rating: number,
  ): Sentiment {
    const { clauses, clauseOf } = this.#annotated;
    const clause = clauses[clauseOf[from] as number] as Clause;
    const own = this.#logitsOfClause(clause);
    const sentence = this.#logits[clause.sentence] as Float64Array;
    const [praise, complaint] = (['praise', 'complaint'] as const).map((side) =>
      Math.max(...aspects.map((one) => largestOf(own, one[side]) + largestOf(sentence, one[side]))),
    ) as [number, number];
    const isUnlikely = praise > complaint ? rating < 3 : rating > 3;
    if (Math.max(praise, complaint) >= 2 * (isUnlikely ? CLEAR_MOOD : MOOD))
      return praise > complaint ? 'positive' : 'negative';
    const { sentiment } = sentimentAbout(this.#annotated, from, to);
    return rating > 2 && sentiment === 'positive' ? 'positive' : 'neutral';
  }

  ofQuote({ start, end }: Span): Place {
    const { tokens } = this.#annotated;
    const after = lowerBound(tokens.length, (at) => (tokens[at] as Token).end > start);
    // A quote of marks alone may stand behind the last word.
    const from = Math.min(after, tokens.length - 1);
    const to = lowerBound(tokens.length, (at) => (tokens[at] as Token).start >= end);
    return { from, to: Math.max(to, from + 1), score: SCORE_OF_QUOTE };
  }

  /** Of some clauses the one in which the classes are likeliest; the first of equals. */
  #mostTelling([first, ...others]: readonly Clause[], classes: readonly number[]): Clause {
    let best = first as Clause;
    if (others.length === 0) return best;
    const scoreOf = (clause: Clause) => largestOf(this.#logitsOfClause(clause), classes);
    let most = scoreOf(best);
    for (const clause of others) {
      const score = scoreOf(clause);
      if (score > most) [best, most] = [clause, score];
    }
    return best;
  }
}
