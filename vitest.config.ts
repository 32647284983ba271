import { defineConfig } from 'vitest/config';

/** What keeps something in a store: run on each database. What is of one alone is named below. */
const STORES = [
  'test/store/**/*.test.ts',
  'test/journey/**/*.test.ts',
  'test/{keeper,publish*}.test.ts',
  'test/hub/{claims,client-counter,worker}.test.ts',
  'test/http/hub*.test.ts',
  'test/mcp/{clients,session-ends}.test.ts',
];
const OF_SQLITE = ['test/{store,journey}/sqlite*.test.ts'];
const OF_POSTGRES = ['test/{store,journey}/postgres*.test.ts'];

const common = {
  // Journeys start processes and import large files; a loaded machine is slow, not wrong.
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

// oxlint-disable-next-line import/no-default-export -- the form that the runner reads
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...common,
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: OF_POSTGRES,
          provide: { database: 'sqlite' },
        },
      },
      {
        test: {
          ...common,
          name: 'postgres',
          include: STORES,
          exclude: OF_SQLITE,
          provide: { database: 'postgres' },
          globalSetup: 'test/support/postgres-setup.ts',
        },
      },
    ],
  },
});
