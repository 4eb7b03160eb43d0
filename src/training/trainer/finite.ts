import type { Attempt } from '../invariants/invariant.ts';
import type { Measured } from '../ledger/step-record.ts';

/** Values that are never allowed, whatever the settings tolerate. A failure is recorded as the invariant `Finite`. */
export const notFiniteValue = (what: string, value: number): Measured => ({
  invariant: 'Finite',
  what,
  value,
  is: 'at most',
  bound: Number.MAX_VALUE,
});

/** Which of loss, learning rate and gradients are NaN or infinite. */
export function notFinite(
  { loss, rate, gradientNorm }: Pick<Attempt, 'loss' | 'rate' | 'gradientNorm'>,
  prefix = '',
): Measured[] {
  const values = [
    ['loss', loss],
    ['learning rate', rate],
    ['gradient norm', gradientNorm],
  ] as const;
  return values
    .filter(([, value]) => !Number.isFinite(value))
    .map(([what, value]) => notFiniteValue(prefix + what, Math.abs(value)));
}
