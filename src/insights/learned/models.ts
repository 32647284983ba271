// The models of the learned layer, by vertical.

import { once } from '../once.ts';
import homeServices from './home-services.json' with { type: 'json' };
import { Model } from './model.ts';

/** Each is read when it is first asked for, and then the same for all. */
const MODELS: ReadonlyMap<string, () => Model> = new Map([
  ['home_services', once(() => new Model(homeServices))],
]);

/** The model of a vertical; null where none was trained. */
export function modelOf(vertical: string): Model | null {
  return MODELS.get(vertical)?.() ?? null;
}
