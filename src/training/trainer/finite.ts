import type { Attempt } from '../invariants/invariant.ts';
import type { Measured } from '../ledger/step-record.ts';

/** What no step may leave, whatever is tolerated: recorded as the invariant `Finite` where it fails. */
export const notFiniteValue = (what: string, value: number): Measured => ({
  invariant: 'Finite',
  what,
  value,
  is: 'at most',
  bound: Number.MAX_VALUE,
});

/** What of loss, rate and gradients is NaN or infinite. */
export function notFinite({ loss, rate, gradientNorm }: Attempt, prefix = ''): Measured[] {
  const values = [
    ['loss', loss],
    ['learning rate', rate],
    ['gradient norm', gradientNorm],
  ] as const;
  return values
    .filter(([, value]) => !Number.isFinite(value))
    .map(([what, value]) => notFiniteValue(prefix + what, Math.abs(value)));
}
