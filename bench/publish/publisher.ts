// A process of its own that imports, publishes, and does what a publish and a start are measured against.

import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { importFiles } from '../../src/import.ts';
import { publish } from '../../src/publish.ts';
import { type Manifest, partsOf } from '../../src/snapshot/manifest.ts';
import { Database } from '../../src/store/database.ts';
import {
  claimPublishing,
  loadCurrentSnapshot,
  releasePublishing,
} from '../../src/store/snapshots.ts';
import { answerQuestions } from '../companion.ts';

export interface Question {
  readonly databaseUrl: string;
  readonly origin: string;
  /** A file of reviews to merge first, and one of the business; null where there is none. */
  readonly file: string;
  readonly business: string | null;
}

export interface Took {
  readonly ms: number;
  /** Of all threads. */
  readonly cpuMs: number;
}

export interface Published {
  readonly publish: Took;
  /** Of the process until the publish had ended. */
  readonly peakMiB: number;
  /** JSON.stringify and zstd-3 of what the documents say. */
  readonly stringify: Took;
  /** Reading and decompressing what is stored. */
  readonly unpack: Took;
}

const PUBLISHER = 'bench';

async function publishOnce({ databaseUrl, origin, file, business }: Question): Promise<Published> {
  const database = await Database.open(databaseUrl, 'thread');
  try {
    const options = {
      format: 'ndjson',
      source: null,
      business,
      verifiedBy: null,
      dryRun: false,
      prune: false,
      example: false,
    };
    const silence = () => undefined;
    const listener = { onProgress: silence, onRefused: silence, onMerging: silence };
    await importFiles(database, [file], options, listener);
    const claimed = await claimPublishing(database, PUBLISHER, Date.now(), Date.now() + 3_600_000);
    if (!claimed) throw new Error('another publishes');
    const publishing = { publisher: PUBLISHER, defaultOrigin: origin };
    const took = await measure(() => publish(database, publishing, Date.now() / 1000));
    const peakMiB = process.resourceUsage().maxRSS / 1024;
    await releasePublishing(database, PUBLISHER);
    return { publish: took, peakMiB, ...(await measureOthers(database)) };
  } finally {
    await database.close();
  }
}

async function measureOthers(database: Database): Promise<Pick<Published, 'stringify' | 'unpack'>> {
  let unpacked: Buffer[] = [];
  let names: string[] = [];
  const unpack = await measure(async () => {
    const partNames = (manifest: string) => partsOf(JSON.parse(manifest) as Manifest);
    const stored = await loadCurrentSnapshot(database, partNames);
    if (!stored) throw new Error('nothing was published');
    const packed = [...stored.parts].filter(([name]) => name.endsWith('zstd'));
    names = packed.map(([name]) => name);
    unpacked = await Promise.all(packed.map(([, bytes]) => promisify(zstdDecompress)(bytes)));
  });
  const values = unpacked
    .filter((_, at) => /json@\d+\.zstd$/.test(names[at] ?? ''))
    .map((body) => JSON.parse(body.toString()) as unknown);
  const stringify = await measure(async () => {
    for (const value of values) {
      await promisify(zstdCompress)(Buffer.from(JSON.stringify(value)), {
        params: { [constants.ZSTD_c_compressionLevel]: 3 },
      });
    }
  });
  return { stringify, unpack };
}

async function measure(work: () => Promise<void>): Promise<Took> {
  const cpu = process.cpuUsage();
  const begin = performance.now();
  await work();
  const ms = performance.now() - begin;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000 };
}

answerQuestions(publishOnce);
