// The cosignatures of witnesses, which arrive after a checkpoint is published.

import { parseCheckpoint } from '../log/checkpoint.ts';
import type { PublishedLog } from './published-log.ts';

/** The signature lines of a witness for a tree. */
export interface Cosignature {
  readonly size: number;
  /** In base64. */
  readonly root: string;
  readonly lines: string;
}

export class Cosignatures {
  readonly #known: readonly Cosignature[];

  constructor(known: readonly Cosignature[] = []) {
    this.#known = known;
  }

  linesFor(log: PublishedLog): string {
    if (this.#known.length === 0) return '';
    const root = Buffer.from(parseCheckpoint(log.manifest.checkpoint)?.root ?? []);
    const isOfTree = (each: Cosignature) =>
      each.size === log.size && each.root === root.toString('base64');
    return this.#known
      .filter(isOfTree)
      .map(({ lines }) => lines)
      .join('');
  }
}
