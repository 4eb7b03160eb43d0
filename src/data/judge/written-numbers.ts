/** Numbers of a config as their file has them, where float64 has others. */
import { truthAsWritten } from '../../math/evaluate/as-written.ts';
import type { Binding, Environment } from '../../math/evaluate/value.ts';
import { decimal } from '../../math/term/build.ts';
import type { Term } from '../../math/term/term.ts';
import type { BoundScalar } from './bound-input.ts';

const digits = /^[-+]?\d+$/;
const decimals = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

/** The decimal that the file has, or the shortest that float64 reads as the number; null for what float64 holds exactly. */
export function numberAsWritten({ value, written }: BoundScalar): Term | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  const text = written?.scalar.text.trim().replaceAll('_', '') ?? '';
  // A number with a unit, such as `5%`, is another than its digits.
  const isText = decimals.test(text) && Number(text) === value;
  if (Number.isSafeInteger(value) && (!isText || digits.test(text))) return null;
  return decimal(isText ? text : String(value));
}

/** The values of an environment with those numbers in place of what float64 makes of them. */
export function asWritten(scalars: ReadonlyMap<string, Binding>, written: ReadonlyMap<string, Term>): Environment {
  return new Map([...scalars].map(([name, value]) => [name, written.get(name) ?? value]));
}

/** Whether a claim holds, or why that is open. */
export interface Settled {
  readonly holds: boolean;
  readonly open: string | null;
}

/**
 * What the numbers as written say of a claim of which float64 says `inFloats`. It is open if they differ because float64 rounds to
 * another whole number, since programs do so too, or if float64 denies what only more digits could decide.
 */
export function settled(inFloats: boolean, term: Term, environment: Environment): Settled {
  const exact = truthAsWritten(term, environment);
  if (exact === null) return { holds: inFloats, open: null };
  const { holds, isClose, rounded } = exact;
  if (isClose) return { holds: inFloats, open: inFloats ? null : 'its sides are too close for float64 to compare' };
  if (holds === inFloats) return { holds, open: null };
  return { holds, open: rounded };
}
