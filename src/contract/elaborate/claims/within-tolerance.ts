/** `f(A, B) == g(A, B) within floating-point tolerance` of a claim that states a tolerance: f(A, B) ≈ g(A, B). */
import type { Expression } from '../../../math/notation/syntax.ts';
import type { FormalText, Tolerance } from '../../contract.ts';

const words =
  /^\(?(?:to\s+)?within\s+(?:(?:the|an?|its|stated|given|numerical|floating[- ]point|float|f32|fp32|machine|rounding)\s+)*(?:tolerances?|precision|epsilon|eps|ε|rounding|errors?)\)?\.?$/iu;

const stated = /^\(?(?:(?:to\s+)?within|tol(?:erance)?\s*(?:[=:]|of)?)\s*(\d[\d.]*(?:e[-+]?\d+)?)\)?\.?$/iu;

/** `within 1e-6`, `(tolerance 1e-6)` of a claim with that tolerance. */
function repeats(text: string, { unitless, abs }: Tolerance): boolean {
  const [, number] = stated.exec(text) ?? [];
  return number !== undefined && unitless && Number(number) === abs;
}

/** The claim with ≈ in place of = and without the words; null if it does not end that way, is not an equality, or states no tolerance. */
export function withinTolerance(formal: FormalText, tolerance: Tolerance | null): FormalText | null {
  const { status, statements, prose } = formal.notation;
  const [tail, more] = prose.filter(({ role }) => role === 'tail');
  const [only, other] = statements;
  if (tolerance === null || status !== 'partial' || !tail || more || !only || other) return null;
  const body = words.test(tail.text) || repeats(tail.text, tolerance) ? approximately(only.body) : null;
  const range = { start: only.range.start, end: Math.max(only.range.end, tail.range.end) };
  const changed = body && [{ ...only, body, range }];
  return changed && { ...formal, notation: { ...formal.notation, status: 'math', statements: changed, prose: [] } };
}

function approximately(body: Expression): Expression | null {
  if (body.kind === 'quantified' && body.quantifier === 'forall') {
    const inner = approximately(body.body);
    return inner && { ...body, body: inner };
  }
  const isEquality = body.kind === 'relation' && body.operators.every((one) => one === '=');
  return isEquality ? { ...body, operators: body.operators.map(() => '≈' as const) } : null;
}
