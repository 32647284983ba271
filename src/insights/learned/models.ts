// The learned models by vertical.

import { once } from '../once.ts';
import homeServices from './home-services.json' with { type: 'json' };
import { Model } from './model.ts';

/** Each is decoded on first use. */
const MODELS: ReadonlyMap<string, () => Model> = new Map([
  ['home_services', once(() => new Model(homeServices))],
]);

/** The model of a vertical; null if none is trained. */
export function modelOf(vertical: string): Model | null {
  return MODELS.get(vertical)?.() ?? null;
}
