import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { keepTemporaryFilesInMemory, shareFolder } from './test/support/memory-folder.ts';

keepTemporaryFilesInMemory();
shareFolder();

/**
 * Tests of what depends on the database: they run on SQLite and on PostgreSQL. What only uses a store through
 * these parts is tested on SQLite.
 */
const BOTH_DATABASES = [
  'test/store/**/*.test.ts',
  'test/publishing/publish{,-analyses,-reuse}.test.ts',
  'test/publishing/log{,-race}.test.ts',
  'test/hub/{claims,dispatcher}.test.ts',
  'test/http/hub*.test.ts',
  'test/commands/backup.test.ts',
  'test/journey/{kill,workers-hub}.test.ts',
];
const SQLITE_ONLY = ['test/{store,journey}/sqlite*.test.ts'];
const POSTGRES_ONLY = ['test/{store,journey}/postgres*.test.ts'];
/** Makes programs that tests start faster to start. */
export const BUNDLES = ['test/support/bundled-libraries.ts', 'test/support/bundled-program.ts'];
/** What takes long by its nature: `npm run test:long`. */
const LONG = ['test/long/**/*.test.ts'];

/** What `vitest.long.config.ts` has too. */
export const common = {
  // Journeys start processes and import files. The limit only ends a test that hangs: a loaded machine is
  // slow, not wrong.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  teardownTimeout: 60_000,
  // Modules are loaded once for each worker, not once for each file: nothing of ours has module state.
  isolate: false,
  setupFiles: ['test/support/fast-starts.ts', 'test/support/failure-report.ts'],
};

// oxlint-disable-next-line import/no-default-export -- the form that the runner reads
export default defineConfig({
  test: {
    // More than cores, because tests wait: for processes that they start, disks, and time limits. On two cores, three
    // workers were busy for a good half of their time.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // A forgotten `.only` fails everywhere, not only in CI.
    allowOnly: false,
    projects: [
      {
        test: {
          ...common,
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: [...POSTGRES_ONLY, ...LONG],
          provide: { database: 'sqlite', caseFactor: 1 },
          globalSetup: BUNDLES,
        },
      },
      {
        test: {
          ...common,
          name: 'postgres',
          include: [...BOTH_DATABASES, ...POSTGRES_ONLY],
          exclude: SQLITE_ONLY,
          provide: { database: 'postgres', caseFactor: 1 },
          globalSetup: [...BUNDLES, 'test/support/postgres-setup.ts'],
        },
      },
    ],
  },
});
