import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BUNDLES, common } from './vitest.config.ts';

/** What takes long by its nature, one file at a time: many kills, large files, full fuzzers. */
const LONG = 'test/long/**/*.test.ts';
const SQLITE_ONLY = 'test/long/sqlite*.test.ts';
const POSTGRES_ONLY = 'test/long/postgres*.test.ts';
/** They depend on no database, or choose one themselves. */
const ONCE =
  'test/long/{benchmarks,install,languages,openapi-clients,proxies,readers,training}.test.ts';
/** Properties on ten times as many cases as in `npm test`. Those of the store run on both databases. */
const PROPERTIES = globSync('test/**/*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes("/support/cases.ts'"),
);
const OF_STORE = PROPERTIES.filter((file) => file.startsWith('test/store/'));

const limits = { ...common, testTimeout: 3_600_000, hookTimeout: 600_000 };

// oxlint-disable-next-line import/no-default-export -- the form that the runner reads
export default defineConfig({
  test: {
    maxWorkers: 1,
    allowOnly: false,
    projects: [
      {
        test: {
          ...limits,
          name: 'sqlite',
          include: [LONG, ...PROPERTIES],
          exclude: [POSTGRES_ONLY],
          provide: { database: 'sqlite', caseFactor: 10 },
          globalSetup: BUNDLES,
        },
      },
      {
        test: {
          ...limits,
          name: 'postgres',
          include: [LONG, ...OF_STORE],
          exclude: [ONCE, SQLITE_ONLY],
          provide: { database: 'postgres', caseFactor: 10 },
          globalSetup: [...BUNDLES, 'test/support/postgres-setup.ts'],
        },
      },
    ],
  },
});
