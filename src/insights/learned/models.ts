// The models of the learned layer, by vertical.

import { Model, type ModelFile } from './model.ts';
import homeServices from './home-services.json' with { type: 'json' };

const FILES: ReadonlyMap<string, ModelFile> = new Map([['home_services', homeServices]]);

/** The model of a vertical; null where none was trained. */
export function modelOf(vertical: string): Model | null {
  const file = FILES.get(vertical);
  return file ? new Model(file) : null;
}
