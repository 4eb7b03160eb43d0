import fc from 'fast-check';

/**
 * Where property tests start: `PV_SEED`, or a fixed seed in CI so that a run repeats; elsewhere a new one each time, so
 * that every developer's run searches further. A failure prints its seed: `PV_SEED=… npm test` runs it again.
 */
const fixedSeed = 20_261_120;
const chosen = process.env['PV_SEED'] ?? (process.env['CI'] ? String(fixedSeed) : undefined);
if (chosen !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number.parseInt(chosen, 10) });

// Generated tests run the cases that `pv verify` runs again in full; here they show that what is generated works.
process.env['PV_CASES'] ??= '300';
