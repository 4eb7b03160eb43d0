/** The certified radius of an input: the radius of the largest ball, found by bisection, in which its label provably stays the same. */
import type { Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { ballProperty, type Domain, type Example } from './ball.ts';
import { certify, type CertifyOptions } from './certify.ts';
import type { Network } from './network.ts';

export interface RadiusOptions extends CertifyOptions {
  /** The largest radius to try; 1 by default. */
  readonly upTo?: number;
  /** The number of bisection steps between the largest proved and the smallest unproved radius; 20 by default. */
  readonly steps?: number;
  readonly domain?: Domain;
}

export interface CertifiedRadius {
  /** Every input within this distance, in the maximum norm, provably gets the label. Null if not even the input itself does. */
  readonly radius: number | null;
  /** The distance of the nearest input found with another label; null if none was found. No larger radius can be certified. */
  readonly refutedAt: number | null;
}

/**
 * The certified radius of an example. Each radius is tried with one box, unless `maxBoxes` allows branching. The returned radius
 * was itself proved; the search assumes that larger balls are harder to prove, but the result does not rely on it. Problems: those of
 * {@link ballProperty} and {@link certify}.
 */
export function certifiedRadius(
  network: Network,
  example: Example,
  options: RadiusOptions = {},
): Result<CertifiedRadius, Problem> {
  const { upTo = 1, steps = 20, domain, ...rest } = options;
  let refutedAt: number | null = null;
  const holdsAt = (epsilon: number): Result<boolean, Problem> => {
    const property = ballProperty(network.outputSize, example, epsilon, domain);
    if (!property.ok) return property;
    const verdict = certify(network, property.value, { maxBoxes: 1, ...rest });
    if (!verdict.ok) return verdict;
    const { counterexample } = verdict.value;
    if (counterexample !== null)
      refutedAt = Math.min(refutedAt ?? Infinity, distance(example.input, counterexample.inputs));
    return ok(verdict.value.verdict === 'holds');
  };
  const atZero = holdsAt(0);
  if (!atZero.ok) return atZero;
  if (!atZero.value) return ok({ radius: null, refutedAt });
  let [proved, open] = [0, upTo];
  const whole = holdsAt(upTo);
  if (!whole.ok) return whole;
  if (whole.value) return ok({ radius: upTo, refutedAt: null });
  for (let step = 0; step < steps; step++) {
    const middle = (proved + open) / 2;
    // If an input with another label is known, no proof can succeed.
    const holds: Result<boolean, Problem> = refutedAt !== null && middle >= refutedAt ? ok(false) : holdsAt(middle);
    if (!holds.ok) return holds;
    if (holds.value) proved = middle;
    else open = middle;
  }
  return ok({ radius: proved, refutedAt });
}

/** The distance in the maximum norm. */
function distance(a: ArrayLike<number>, b: readonly number[]): number {
  return b.reduce((most, value, i) => Math.max(most, Math.abs(value - (a[i] ?? 0))), 0);
}
