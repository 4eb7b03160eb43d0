import type { Equation } from '../../contract.ts';
import { declaredFunction } from '../domains/declared-function.ts';
import { isComputed, readHead, sidesOf, withElements } from '../domains/definition-heads.ts';
import { isRange } from '../operators/index-ranges.ts';
import { isLocalFunction } from './local-functions.ts';
import { childScope } from '../context/scope.ts';
import { namesOf } from '../context/syntax-parts.ts';
import { declaredLetters, stepEntries, withStates } from '../domains/step-names.ts';

/** The symbol that the last formula of `equation` defines, or null; from the text alone, before anything is elaborated. */
export function symbolOf(equation: Equation): string | null {
  const declared = declaredFunction(equation.formula);
  if (declared) return declared.symbol;
  // `i = 0..n-1` at the end states the range of an index.
  const letters = declaredLetters(equation.domain ? [equation.domain] : []);
  const scope = childScope(null, stepEntries(letters));
  const statements = withStates(equation.formula, letters).notation.statements.filter(
    ({ body }) => body.kind !== 'relation' || !body.operands.some(isRange),
  );
  const heads = statements.map(({ body, range }) => {
    const sides = sidesOf(body);
    const head = sides && readHead(sides.left, scope, sides.right);
    // `f(-x) = -f(x)` is about f, which another equation defines.
    return head && head.arguments?.some(isComputed) !== true ? { head, range, body: sides.right } : null;
  });
  if (!heads.at(-1)) return null;
  const rows = withElements(heads.filter((row) => row !== null));
  const inputs = new Set(equation.domain?.notation.statements.flatMap(({ body }) => namesOf(body)));
  return rows.findLast((row) => !isLocalFunction(row, rows, (name) => inputs.has(name)))?.head.name ?? null;
}
