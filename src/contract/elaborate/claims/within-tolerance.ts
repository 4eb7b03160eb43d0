/** `f(A, B) == g(A, B) within floating-point tolerance` of a claim that has one, `a = b within 1e-6` and `a = b ± 1e-6`: a ≈ b. */
import { statedTolerance } from '../../../math/notation/stated-tolerance.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { FormalText, Tolerance } from '../../contract.ts';
import type { Claim } from './claim-of.ts';

const words =
  /^\(?(?:to\s+)?within\s+(?:(?:the|an?|its|stated|given|numerical|floating[- ]point|float|f32|fp32|machine|rounding)\s+)*(?:tolerances?|precision|epsilon|eps|ε|rounding|errors?)\)?\.?$/iu;

type Tolerated = Pick<Claim, 'formal' | 'tolerance'>;

/** The claim with ≈ in place of = and without the words; as it is if it does not end that way, is not an equality, or states another tolerance than it has. */
export function withStatedTolerance(claim: Claim): Claim {
  const { formal, tolerance } = claim;
  return formal ? { ...claim, ...withinTolerance(formal, tolerance) } : claim;
}

function withinTolerance(formal: FormalText, tolerance: Tolerance | null): Tolerated | null {
  const { status, statements, prose } = formal.notation;
  const [tail, more] = prose.filter(({ role }) => role === 'tail');
  const [only, other] = statements;
  if (!only || other || more) return null;
  if (status === 'math' && !tail) return withRange(formal, only, tolerance);
  if (status !== 'partial' || !tail) return null;
  const body = approximately(only.body);
  const range = { start: only.range.start, end: Math.max(only.range.end, tail.range.end) };
  const allowed =
    tolerance && words.test(tail.text) ? tolerance : agreed(formal, tolerance, statedTolerance(tail.text));
  return body && allowed && { formal: withOnly(formal, { ...only, body, range }), tolerance: allowed };
}

/** `a = b ± 1e-6`. */
function withRange(formal: FormalText, only: Statement, tolerance: Tolerance | null): Tolerated | null {
  const [left, right, more] = only.body.kind === 'relation' ? only.body.operands : [];
  if (!left || more || right?.kind !== 'binary' || right.operator !== '±' || right.right.kind !== 'number') return null;
  const { value, unit } = right.right;
  const allowed = agreed(formal, tolerance, unit === null ? Number(value) : null);
  const body = only.body.kind === 'relation' ? approximately({ ...only.body, operands: [left, right.left] }) : null;
  return body && allowed && { formal: withOnly(formal, { ...only, body }), tolerance: allowed };
}

const withOnly = (formal: FormalText, statement: Statement): FormalText => ({
  ...formal,
  notation: { ...formal.notation, status: 'math', statements: [statement], prose: [] },
});

/** The tolerance of the claim, if it is the number that its text states, or the claim has none. */
function agreed(formal: FormalText, tolerance: Tolerance | null, stated: number | null): Tolerance | null {
  if (stated === null) return null;
  if (tolerance !== null) return tolerance.unitless && tolerance.abs === stated ? tolerance : null;
  return {
    abs: stated,
    rel: null,
    ulp: null,
    cond: null,
    envelope: null,
    per: null,
    unitless: true,
    span: formal.span,
  };
}

function approximately(body: Expression): Expression | null {
  if (body.kind === 'quantified' && body.quantifier === 'forall') {
    const inner = approximately(body.body);
    return inner && { ...body, body: inner };
  }
  const isEquality = body.kind === 'relation' && body.operators.every((one) => one === '=' || one === '≈');
  return isEquality ? { ...body, operators: body.operators.map(() => '≈' as const) } : null;
}
