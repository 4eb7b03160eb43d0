import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { optimiseLate } from './src/host/optimise-late.ts';

// As pv itself does, since tests too run a lot of code a few times: those of contract/elaborate take three quarters of the processor
// time this way, and those that compute for long no more than before.
optimiseLate();

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'generated/**/*.test.ts'],
    // One module registry per worker: 150 generated suites take 5 CPU seconds this way and 46 when isolated.
    pool: 'threads',
    isolate: false,
    maxWorkers: Math.max(1, availableParallelism()),
    // Of tests of one file that wait for processes.
    maxConcurrency: 2,
    setupFiles: ['test/support/property-seed.ts'],
    // For what never ends: on a busy machine a process takes many times what it takes on an idle one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/cli/bin.ts', '**/*.generated.*'] },
  },
});
