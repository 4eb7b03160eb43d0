import { invariant } from '../../src/base/invariant.ts';
import type { Result } from '../../src/base/result.ts';
import type { Problem } from '../../src/base/problem.ts';

/** Inputs that a benchmark makes for itself are always valid. */
export function valueOf<T>(result: Result<T, Problem>): T {
  invariant(result.ok, result.ok ? '' : result.error.message);
  return result.value;
}
