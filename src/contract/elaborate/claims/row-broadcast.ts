/** `f(0, W, b) = b (broadcast)` and `… for every row`, where the left side is a matrix and b a vector: each row of it is b. */
import type { Expression, IndexItem } from '../../../math/notation/syntax.ts';
import type { Problem } from '../context/context.ts';
import { namesOf } from '../context/syntax-parts.ts';
import { withParts } from './assumed-numbers.ts';
import type { ClaimReading, FormalClaim } from './claim-reading.ts';

const says =
  /\bbroadcast(?:ed|ing|s)?\b|\b(?:every|each|all|per)\s+(?:rows?|batch|batches|samples?|examples?|tokens?)\b/iu;

/** Of the left side and of the right side; [] unless the shapes are the problem and the claim says so. */
export function withEachRow(claim: FormalClaim, { code, text, message }: Problem): readonly ClaimReading[] {
  const { formal } = claim;
  const [only, more] = formal.notation.statements;
  const { body } = only ?? {};
  const differ = code === 'PV-4007' && text.span === formal.span && message.includes('do not compare');
  if (!differ || !says.test(formal.text) || !only || more || body?.kind !== 'relation' || body.operators.length > 1)
    return [];
  const taken = [body, ...only.conditions].flatMap(namesOf);
  const row = ['r', 'i', 't', 's'].find(
    (letter) => !taken.some((name) => name === letter || name.endsWith(`_${letter}`)),
  );
  if (row === undefined) return [];
  return [0, 1].map((side) => {
    const { range } = body;
    const index: Expression = { kind: 'name', text: row, range };
    // `M[r, :]`: of a vector, which has no rows, there is no such reading.
    const items: readonly IndexItem[] = [
      { kind: 'at', value: index },
      { kind: 'slice', from: null, to: null, inclusive: false },
    ];
    const operands = body.operands.map((operand, i): Expression =>
      i === side ? { kind: 'index', base: operand, items, style: 'bracket', range: operand.range } : operand,
    );
    const binders = [{ name: row, relation: null, bound: null, range }];
    const each: Expression = { kind: 'quantified', quantifier: 'forall', binders, body: { ...body, operands }, range };
    return {
      claim: withParts(claim, (part) => (part === body ? each : part)),
      said: `it is read of each row of the ${side === 0 ? 'left' : 'right'} side`,
      widened: false,
    };
  });
}
