// The model of names: how probable it is that a name in a review is of somebody who works for the business. Logistic over
// hashed features (features.ts), trained in bench/evaluate/training.

import { readFileSync } from 'node:fs';
import { weightOf } from '../../claims/model.ts';
import { once } from '../../once.ts';

/** The stored model, made by `npm run train`. */
export interface NamesModel {
  readonly about: string;
  /** Factor of the weights. */
  readonly scale: number;
  /** By feature its weight, signed, 8 bits each, in Base64. */
  readonly weights: string;
}

/** Evidence from which on one review alone names a person of the business. */
export const CLEAR = 0.1;

/** The evidence where a review calls somebody an executive, whom customers never meet: no other review outweighs it. */
export const EXECUTIVE = -99;

export type LogitOf = (features: ReadonlySet<number>) => number;

function buildNamesModel({ scale, weights }: NamesModel): LogitOf {
  const all = new Int8Array(Uint8Array.from(Buffer.from(weights, 'base64')).buffer);
  return (features) => {
    let sum = 0;
    for (const feature of features) sum += all[feature] as number;
    return sum * scale * weightOf(features.size);
  };
}

export const logitOfName = once(() =>
  buildNamesModel(
    JSON.parse(readFileSync(new URL('./model.json', import.meta.url), 'utf8')) as NamesModel,
  ),
);
