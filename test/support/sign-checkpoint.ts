// A checkpoint that a business, honest or not, signed with its keys.

import { type Checkpoint, formatCheckpoint } from '../../src/log/checkpoint.ts';
import { type SigningKey, signNote } from '../../src/log/notes.ts';

export function signCheckpoint(checkpoint: Checkpoint, keys: readonly SigningKey[]): string {
  const text = formatCheckpoint(checkpoint);
  return `${text}\n${keys.map((key) => signNote(text, key)).join('')}`;
}
