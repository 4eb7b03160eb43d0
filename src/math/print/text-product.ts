import { level } from '../notation/levels.ts';
import type { Expression } from '../notation/syntax.ts';
import { isShortName } from '../notation/vocabulary.ts';
import type { Print } from './print.ts';

/** A product without a sign: `2 x` where the reader takes it for one, `(long)(a + b)` elsewhere. */
export function printProduct(e: Extract<Expression, { kind: 'binary' }>, tail: boolean, print: Print): string {
  const left = print(e.left, level.product, false);
  if (mayStandBeside(e.left, e.right, left, tail)) return `${left} ${print(e.right, level.product + 1, tail)}`;
  return `${grouped(e.left, print)}(${print(e.right, level.equivalence, true)})`;
}

const grouped = (left: Expression, print: Print): string =>
  left.kind === 'number' && left.unit === null ? left.value : `(${print(left, level.equivalence, true)})`;

function mayStandBeside(left: Expression, right: Expression, leftText: string, tail: boolean): boolean {
  if (right.kind === 'square-root') return true;
  const start = leftmost(right);
  if (
    start.kind !== 'name' ||
    !isShortName(start.text) ||
    (right.kind !== 'name' && right.kind !== 'index' && right.kind !== 'transpose')
  )
    return false;
  // `a x b` would be read as `a × b`.
  const cross = /(^|\s)x$/.test(leftText) || (start.text === 'x' && !tail);
  return !cross && endsShort(left);
}

function endsShort(left: Expression): boolean {
  if (left.kind === 'name') return isShortName(left.text);
  if (left.kind === 'binary' && left.juxtaposed) return endsShort(left.right);
  return (
    (left.kind === 'number' && left.unit === null) ||
    left.kind === 'call' ||
    left.kind === 'index' ||
    left.kind === 'transpose' ||
    left.kind === 'square-root'
  );
}

function leftmost(e: Expression): Expression {
  let at = e;
  for (;;) {
    if (at.kind === 'call') at = at.callee;
    else if (at.kind === 'index') at = at.base;
    else if (at.kind === 'transpose' || at.kind === 'factorial') at = at.operand;
    else if (at.kind === 'member') at = at.object;
    else return at;
  }
}
