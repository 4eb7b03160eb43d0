/** Numbers of which a domain gives nothing but a bound, and which count something: `rank > 0` next to `A: [rank, d_in]`, `num_heads ≥ 1`. */
import { readNotation } from '../../../math/notation/read.ts';
import type { Equation, FormalText } from '../../contract.ts';
import { axesOf } from '../domains/shape-lists.ts';
import { boundedIn } from './open-domain.ts';

/** `n_eff` is an effective number of samples, and no count. */
const counted = /^(?:num_\w+|n_(?!eff)\p{L}{3,}\w*)$/u;

/** T may be a temperature in one equation and a length in another. */
const mayDiffer = /^[^nmkdNMKD]$/u;

/** The equation with such names as whole numbers: those that say so, and those that are the size of a tensor in another equation. */
export function withCounts(equation: Equation, others: readonly Equation[]): Equation {
  const { domain } = equation;
  if (domain === null) return equation;
  const own = new Set(axesOf(domain));
  const bounded = boundedIn(domain).filter((name) => !own.has(name));
  if (bounded.length === 0) return equation;
  const sizes = new Set(others.flatMap((one) => (one.domain ? axesOf(one.domain) : [])));
  const names = bounded.filter((name) => counted.test(name) || (sizes.has(name) && !mayDiffer.test(name)));
  const said = names.flatMap((name) => readNotation(`${name} ∈ ℕ`, 'domain').statements);
  const notation = { ...domain.notation, statements: [...said, ...domain.notation.statements] };
  return said.length === 0 ? equation : { ...equation, domain: { ...domain, notation } satisfies FormalText };
}
