/**
 * Measures how far the float64 functions of this JavaScript engine lie from the exact values, against 40 decimal digits,
 * at seeded points of each domain and at hard ones, and compares that with the allowance of interval arithmetic.
 *
 *     node scripts/run.mjs scripts/check-intervals.ts [points per function, default 100000]
 *
 * Fails when a function errs by more than half of its allowance.
 */
import { functionUlps } from '../src/numeric/interval-elementary.ts';
import { measureFunction, measuredFunctions } from '../test/numeric/function-errors.ts';

const points = Number(process.argv[2] ?? 100_000);
let failed = false;
for (const fn of measuredFunctions) {
  const { worst, at } = measureFunction(fn, points, 1);
  const allowed = functionUlps[fn];
  const line = `${fn.padEnd(6)} ${worst.toFixed(3).padStart(7)} ulp at ${at}; allowed ${allowed}`;
  if (worst * 2 > allowed) failed = true;
  console.log(worst * 2 > allowed ? `${line}: TOO CLOSE` : line);
}
process.exitCode = failed ? 1 : 0;
