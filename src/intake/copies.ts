// Folders with copies of what is new at a source.

import { tmpdir } from 'node:os';
import { makeFolder, removeLeft } from '../store/temporary-files.ts';

const KIND = 'public-reviews-sync-';

/** Makes the folder of a look at a source, which `owner` names. The caller removes it. */
export function makeCopyFolder(owner: string): Promise<string> {
  return makeFolder(tmpdir(), KIND, owner);
}

/** Removes what a look left behind that was killed. */
export function removeCopies(owner: string): Promise<void> {
  return removeLeft(tmpdir(), KIND + owner, 0);
}
