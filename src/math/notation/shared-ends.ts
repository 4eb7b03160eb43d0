/** `0 ≤ a, b ≤ 1`: the ends around a list of names are those of each. */
import { advance, peek, sees, since, type Cursor } from './cursor.ts';
import { level } from './levels.ts';
import type { Expression, RelationOperator } from './syntax.ts';

const directions: Readonly<Partial<Record<string, 'up' | 'down'>>> = { '<': 'up', '≤': 'up', '>': 'down', '≥': 'down' };

/** `0 ≤ a ≤ 1` and `0 ≤ b ≤ 1`, if `first` is `0 ≤ a` and the cursor is before `, b ≤ 1`; otherwise null, and nothing is read. */
export function sharedEnds(c: Cursor, first: Expression): readonly Expression[] | null {
  if (first.kind !== 'relation' || first.operands.length !== 2) return null;
  const [start, name] = first.operands;
  const [before] = first.operators;
  if (!start || !isEnd(start) || name?.kind !== 'name' || before === undefined) return null;
  const names: Expression[] = [name];
  let ahead = 0;
  while (sees(c, ',', ahead) && peek(c, ahead + 1).kind === 'word') {
    const { text, range } = peek(c, ahead + 1);
    names.push({ kind: 'name', text, range });
    ahead += 2;
  }
  const after = peek(c, ahead).text as RelationOperator;
  if (ahead === 0 || directions[after] === undefined || directions[after] !== directions[before]) return null;
  for (let i = 0; i <= ahead; i++) advance(c);
  const end = c.expression(c, level.relation + 1);
  const range = since(c, first.range.start);
  return names.map((one) => ({ kind: 'relation', operands: [start, one, end], operators: [before, after], range }));
}

/** Of `x ≤ y, z ≤ 3` each part says something of its own. */
function isEnd(e: Expression): boolean {
  if (e.kind === 'negate') return isEnd(e.operand) || e.operand.kind === 'name';
  if (e.kind === 'binary') return isEnd(e.left) && isEnd(e.right);
  return e.kind === 'number' || e.kind === 'infinity';
}
