/** Results of calls, compared where untrusted functions run as well as where they are judged. */
import type { KernelOutcome } from '../backends/backend.ts';

const { is } = Object;

/** Whether two outcomes are the same to the bit. */
export function isSameOutcome(a: KernelOutcome | undefined, b: KernelOutcome | undefined): boolean {
  if (!a?.ok || !b?.ok) return a !== undefined && b !== undefined && a.ok === b.ok;
  if (a.text !== b.text || a.output.length !== b.output.length) return false;
  // No method of the arrays, which a function may have replaced.
  for (let i = 0; i < a.output.length; i++) if (!is(a.output[i], b.output[i])) return false;
  return true;
}
