import { defineConfig } from 'vitest/config';

/** The tests of the areas that scripts/mutation.mjs names, as patterns parted by spaces. */
const include = (process.env['PV_MUTATION_TESTS'] ?? '').split(' ').filter((pattern) => pattern !== '');

export default defineConfig({
  test: {
    include,
    pool: 'threads',
    setupFiles: ['test/support/property-seed.ts', 'scripts/load-mutated.ts'],
    testTimeout: 60_000,
  },
});
