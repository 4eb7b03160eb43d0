import { invariant } from '../../src/base/invariant.ts';
import type { Result } from '../../src/base/result.ts';
import type { Problem } from '../../src/base/problem.ts';

/** What a benchmark makes for itself is never wrong. */
export function valueOf<T>(result: Result<T, Problem>): T {
  invariant(result.ok, result.ok ? '' : result.error.message);
  return result.value;
}
