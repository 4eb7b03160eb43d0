import { accept, advance, fail, peek, sees, seesKeyword, since, type Cursor } from './cursor.ts';
import { level } from './levels.ts';
import { parseBinders } from './parse-binders.ts';
import type { Argument, BigOperatorName, Expression } from './syntax.ts';

/** The arguments up to the parenthesis at token index `close`; `name = value` labels one. */
export function parseArguments(c: Cursor, close: number): readonly Argument[] {
  const args: Argument[] = [];
  while (c.at < close && c.problem === null) {
    // `trim(τ_1, …, τ_n)`: an ellipsis remains visible as an undeclared name.
    if (sees(c, '…')) args.push({ label: null, value: { kind: 'name', text: '…', range: advance(c).range } });
    else args.push(parseArgument(c));
    // `N(x; μ, σ)`: what follows the semicolon are parameters.
    if (!accept(c, ',') && !accept(c, ';')) break;
    if (c.at === close) fail(c, 'expected another argument');
  }
  return args;
}

function parseArgument(c: Cursor): Argument {
  const name = peek(c);
  const sign = peek(c, 1);
  const labelled =
    name.kind === 'word' && sign.kind === 'symbol' && sign.text === '=' && sign.range.end - sign.range.start === 1;
  if (labelled) c.at += 2;
  return { label: labelled ? name.text : null, value: c.expression(c, level.equivalence) };
}

const folds: ReadonlyMap<string, BigOperatorName> = new Map([
  ['sum', 'sum'],
  ['prod', 'product'],
  ['max', 'max'],
  ['min', 'min'],
  ['mean', 'mean'],
  ['count', 'count'],
]);

/** `sum(e for i in S if p)`, `all(p for i in S)`. */
export function parseComprehensionCall(
  c: Cursor,
  callee: Expression,
  args: readonly Argument[],
  close: number,
  start: number,
): Expression {
  advance(c);
  const { binders, conditions } = parseBinders(c, false);
  const filters = [...conditions];
  if (seesKeyword(c, 'if')) {
    advance(c);
    filters.push(c.expression(c, level.equivalence));
  }
  const name = callee.kind === 'name' ? callee.text : '';
  const operator = folds.get(name);
  const body = args[0]?.value;
  if (body === undefined || (operator === undefined && name !== 'all' && name !== 'any'))
    return fail(c, 'only sum, prod, max, min, mean, count, all and any range with "for"');
  if (c.problem !== null || c.at !== close) return fail(c, 'expected ")"');
  advance(c);
  const range = since(c, start);
  const [first, ...rest] = filters;
  const condition =
    first === undefined
      ? null
      : rest.reduce<Expression>((left, right) => ({ kind: 'logic', operator: '∧', left, right, range }), first);
  if (operator !== undefined) return { kind: 'big', operator, binders, upper: null, condition, body, range };
  const claim: Expression =
    condition === null
      ? body
      : { kind: 'logic', operator: name === 'all' ? '⟹' : '∧', left: condition, right: body, range };
  return { kind: 'quantified', quantifier: name === 'all' ? 'forall' : 'exists', binders, body: claim, range };
}
