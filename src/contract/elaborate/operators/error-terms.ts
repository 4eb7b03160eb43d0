/** The running error of a term of the current claim, with the errors of shared names and kernel outputs built on demand. */
import { deviceErrors } from '../../../math/running-error/device-error-rules.ts';
import { float32Errors } from '../../../math/running-error/error-rules.ts';
import { runningError } from '../../../math/running-error/running-error.ts';
import type { Term } from '../../../math/term/term.ts';
import type { Context } from '../context/context.ts';
import { share, sharedValue } from '../context/frames.ts';

/**
 * E(term), in units of one rounding, in the arithmetic that the claim's tolerance specifies. Inputs are exact; the output
 * of a kernel errs like its equation.
 */
export function runningErrorOf(ctx: Context, term: Term): Term {
  const { claim } = ctx;
  const unbounded = (operation: string): void => void claim?.unbounded.add(operation);
  return runningError(term, {
    fresh: ctx.fresh,
    rules: claim?.tolerance?.envelope === 'wgsl' ? deviceErrors(unbounded) : float32Errors,
    errorOf: (name) => {
      const output = ctx.claim?.outputErrors.get(name);
      if (output) return output();
      const value = sharedValue(ctx, name);
      return value && share(ctx, runningErrorOf(ctx, value), `${name}·error`);
    },
  });
}
