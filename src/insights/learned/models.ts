// The learned models, one file for each vertical that has training sentences. Only the files that are used are
// read: a process serves one business.

import { readFileSync } from 'node:fs';
import { once } from '../once.ts';
import { Model, type ModelFile } from './model.ts';

/**
 * From which probability on a sentence can mention an aspect without a cue, by vertical: chosen by
 * cross-validation (docs/insights.md).
 */
const LIKELY = {
  home_services: 0.6,
  hospitality_and_travel: 0.5,
  restaurants: 0.7,
  health_and_senior_living: 0.5,
  legal_and_professional: 0.5,
  retail_and_apps: 0.8,
} as const;

/**
 * Up to how many sentences that holds, by vertical. In reviews of airlines of a dozen sentences half of what the model
 * alone found was wrong.
 */
const SHORT_TEXTS: Readonly<Record<string, number>> = { hospitality_and_travel: 4 };

/** The verticals that have a model. */
export const LEARNED_VERTICALS = Object.keys(LIKELY);

const MODELS: ReadonlyMap<string, () => Model> = new Map(
  Object.entries(LIKELY).map(([vertical, likely]) => [
    vertical,
    once(() => new Model(readModel(vertical), likely, SHORT_TEXTS[vertical])),
  ]),
);

/** The model of a vertical; null if none is trained. */
export function modelOf(vertical: string): Model | null {
  return MODELS.get(vertical)?.() ?? null;
}

function readModel(vertical: string): ModelFile {
  const url = new URL(`./models/${vertical}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as ModelFile;
}
