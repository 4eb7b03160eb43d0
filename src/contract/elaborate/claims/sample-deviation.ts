/**
 * Claims that use `std` or `var` of a contract that divides by n - 1 elsewhere: the deviation may be that of a sample, too, and
 * `cov(x, x) / std(x)²` is 1 for that one alone.
 */
import type { FormalText } from '../../contract.ts';
import { textMentions } from '../context/syntax-parts.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';

const ofSamples = /\b[nN]\s*[-−]\s*1\s*\)|\bBessel\b|\bunbiased\b/u;
const moments: ReadonlySet<string> = new Set(['std', 'Std', 'var', 'Var', 'stddev', 'variance']);

/** Why such a claim is not refuted; null of any other. */
export function openDeviation(
  formal: FormalText,
  equations: readonly ElaboratedEquation[],
): { readonly said: string; readonly widens: boolean } | null {
  if (!equations.some(({ equation }) => ofSamples.test(equation.formula.text))) return null;
  const own = new Set(equations.flatMap(({ equation, symbol }) => [equation.name, symbol]));
  const read = new Set<FormalText>();
  const uses = (text: FormalText): boolean => {
    if (read.has(text)) return false;
    read.add(text);
    const isMoment = textMentions(text, (name) => moments.has(name) && !own.has(name));
    const used = equations.filter(({ equation, symbol }) =>
      textMentions(text, (name) => name === equation.name || name === symbol),
    );
    return isMoment || used.some(({ equation }) => uses(equation.formula));
  };
  return uses(formal)
    ? { said: 'its deviation may divide by n or, as another formula of the contract does, by n - 1', widens: false }
    : null;
}
