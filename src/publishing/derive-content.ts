// The steps of a publish from the verified content of the store to its insights.

import { buildAnalyser } from '../insights/analyse.ts';
import type { ResultCache } from '../insights/aggregate/result-cache.ts';
import { deriveFromAnalyses } from '../insights/derive.ts';
import type { Business } from '../model/business.ts';
import type { HeaderPicture, Logo } from '../model/business-pictures.ts';
import type { PeopleSettings } from '../model/people.ts';
import type { Review } from '../model/review.ts';
import type { drawRatingPicture } from '../site/pictures/draw-rating-picture.ts';
import type { drawPictures } from '../site/pictures/pictures.ts';
import type { BuildFinish } from '../snapshot/build.ts';
import type { Database } from '../store/database.ts';
import type { Proposals } from '../store/reviews/proposals.ts';
import type { Language } from '../strings/language.ts';
import { analyseAll } from './analyses.ts';
import type { Omission } from './run/messages.ts';
import { type OnStage, type Stage, STAGES } from './run/stages.ts';

/** A publish that would fail again with the same content. */
class PublishError extends Error {
  override readonly name = 'PublishError';
}

/** What finds and draws things; tests let it fail. */
export interface PublishWork {
  readonly buildAnalyser: typeof buildAnalyser;
  readonly deriveFromAnalyses: typeof deriveFromAnalyses;
  readonly drawPictures: typeof drawPictures;
  readonly drawRatingPicture: typeof drawRatingPicture;
}

/** What the parts of a publish share. */
export interface Parts {
  readonly omitted: Omission[];
  readonly onStage: OnStage;
  readonly work: Partial<PublishWork>;
  readonly language: Language;
  /** Those of the previous publish. */
  readonly results: ResultCache;
}

/** The verified content of the store. */
export interface Content {
  readonly business: Business;
  readonly logo: Logo | null;
  readonly header: HeaderPicture | null;
  readonly reviews: readonly Review[];
  readonly people: PeopleSettings;
  readonly proposals: Proposals;
}

/** Runs a stage whose success depends on the content alone. */
export async function runStage<T>(
  onStage: OnStage,
  stage: Stage,
  work: () => T | Promise<T>,
): Promise<T> {
  onStage(stage);
  try {
    return await work();
  } catch (error) {
    throw new PublishError(`${STAGES[stage]} failed: ${String(error)}`, { cause: error });
  }
}

/** Analyses the reviews that are new or changed, and derives the insights of all. */
export async function derive(
  database: Database,
  publisherId: string,
  content: Content,
  { omitted, onStage, work, language, results }: Parts,
): Promise<Pick<BuildFinish, 'insights' | 'languages'>> {
  const analyserOf = work.buildAnalyser ?? buildAnalyser;
  const analysed = await analyseAll(database, publisherId, content, {
    omitted,
    onStage,
    analyserOf,
  });
  const insights = await runStage(onStage, 'derive', () =>
    (work.deriveFromAnalyses ?? deriveFromAnalyses)(
      analysed,
      content.business,
      content.people,
      language.code,
      results,
    ),
  );
  const languages = new Map(
    analysed.map(({ review, analysis }) => [review.id, analysis.language] as const),
  );
  const { proposer } = content.proposals;
  const model = proposer === null ? insights.model : `${insights.model}, ${proposer}`;
  return { insights: { ...insights, model }, languages };
}
