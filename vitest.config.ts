import { defineConfig } from 'vitest/config';

// oxlint-disable-next-line import/no-default-export -- the form that the runner reads
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Journeys start processes and import large files; a loaded machine is slow, not wrong.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
