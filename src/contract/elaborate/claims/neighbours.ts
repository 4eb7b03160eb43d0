/** `f_i > f_{i+1} for all i`: all i at which both elements exist. */
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { childrenOf, namesOf } from '../context/syntax-parts.ts';

/**
 * `formal` under the condition that the elements next to those it speaks of exist; null if it has none, or states the range of the
 * index itself.
 */
export function whereNeighboursExist(formal: FormalText): FormalText | null {
  const { statements } = formal.notation;
  const changed = statements.map(withCondition);
  if (changed.every((statement, i) => statement === statements[i])) return null;
  return { ...formal, notation: { ...formal.notation, statements: changed } };
}

function withCondition(statement: Statement): Statement {
  const { body, conditions, binders } = statement;
  const names = new Set([body, ...conditions].flatMap(namesOf));
  const ranged = new Set([
    ...binders.flatMap(({ name, relation }) => (relation === null ? [] : [name])),
    ...conditions.flatMap(namesOf),
    ...(body.kind === 'quantified' ? body.binders.flatMap(({ name, bound }) => (bound ? [name] : [])) : []),
  ]);
  const found = neighbours(body).filter(({ base, index }) => names.has(`${base}_${index}`) && !ranged.has(index));
  const texts = [
    ...new Set(found.map(({ base, index, by }) => (by > 0 ? `${index} + ${by} < len(${base})` : `${index} >= ${-by}`))),
  ];
  const added = texts.flatMap((text) => readNotation(text, 'proposition').statements.map((one) => one.body));
  return added.length === 0 ? statement : { ...statement, conditions: [...conditions, ...added] };
}

interface Neighbour {
  readonly base: string;
  readonly index: string;
  readonly by: number;
}

/** Elements such as `f_{i+1}`. */
function neighbours(part: Expression): readonly Neighbour[] {
  const [item, more] = part.kind === 'index' && part.base.kind === 'name' ? part.items : [];
  const at = item?.kind === 'at' && !more ? item.value : null;
  const isNext = at?.kind === 'binary' && (at.operator === '+' || at.operator === '-');
  const own: readonly Neighbour[] =
    isNext &&
    at.left.kind === 'name' &&
    at.right.kind === 'number' &&
    part.kind === 'index' &&
    part.base.kind === 'name'
      ? [{ base: part.base.text, index: at.left.text, by: (at.operator === '+' ? 1 : -1) * Number(at.right.value) }]
      : [];
  return [...own, ...childrenOf(part).flatMap(neighbours)];
}
