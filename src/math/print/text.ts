import { level, logicLevels } from '../notation/levels.ts';
import type { Argument, Binder, Expression, IndexItem, Statement } from '../notation/syntax.ts';
import { isShortName } from '../notation/vocabulary.ts';
import type { Print } from './print.ts';
import { printBig, printBinder } from './text-big.ts';
import { printProduct } from './text-product.ts';
import { endsInFunctionType, levelOf, reachesToEnd } from './levels-of.ts';

/** Prints an expression or statement in canonical Unicode notation; reading it again gives the same tree. */
export function printText(node: Expression | Statement): string {
  return 'kind' in node ? print(node, level.equivalence, true) : printStatement(node);
}

function printStatement(s: Statement): string {
  const parts = [s.label === null ? '' : `${s.label}: `, print(s.body, level.equivalence, bare(s))];
  for (const binder of s.binders) parts.push(` ∀ ${printBinder(binder, print)}`);
  for (const condition of s.conditions) parts.push(` when ${print(condition, level.equivalence, false)}`);
  if (s.definitions.length > 0)
    parts.push(` where ${s.definitions.map((d) => print(d, level.relation, false)).join(', ')}`);
  return parts.join('');
}

const bare = (s: Statement): boolean => s.binders.length + s.conditions.length + s.definitions.length === 0;

const print: Print = (e, minimum, tail) => {
  if (levelOf(e) >= minimum) return printBare(e, tail);
  return tail && reachesToEnd(e) ? printBare(e, tail) : `(${printBare(e, true)})`;
};

function printBare(e: Expression, tail: boolean): string {
  switch (e.kind) {
    case 'number':
      return e.unit === null ? e.value : e.unit === '%' ? `${e.value}%` : `${e.value} ${e.unit}`;
    case 'string':
      return e.value.includes('"') ? `'${e.value}'` : `"${e.value}"`;
    case 'boolean':
      return String(e.value);
    case 'infinity':
      return '∞';
    case 'empty-set':
      return '∅';
    case 'name':
      return e.text;
    case 'member':
      return `${print(e.object, level.postfix, false)}.${e.property}`;
    case 'call':
      return `${printCallee(e.callee)}(${e.arguments.map(printArgument).join(', ')})`;
    case 'index':
      return printIndex(e);
    case 'binary':
      return printBinary(e, tail);
    case 'relation':
      return printRelation(e, tail);
    case 'logic':
      return printLogic(e, tail);
    default:
      return printOther(e, tail);
  }
}

type Rest = Exclude<
  Expression,
  {
    kind:
      | 'number'
      | 'string'
      | 'boolean'
      | 'infinity'
      | 'empty-set'
      | 'name'
      | 'member'
      | 'call'
      | 'index'
      | 'binary'
      | 'relation'
      | 'logic';
  }
>;

function printOther(e: Rest, tail: boolean): string {
  switch (e.kind) {
    case 'transpose':
      return `${print(e.operand, level.postfix, false)}^T`;
    case 'negate':
      return `-${print(e.operand, level.sign, tail)}`;
    case 'not':
      return `¬${print(e.operand, level.postfix, false)}`;
    case 'square-root':
      return `√(${print(e.operand, level.equivalence, true)})`;
    case 'factorial':
      return `${print(e.operand, level.postfix, false)}!`;
    case 'quantified':
      return `${{ forall: '∀', exists: '∃', unique: '∃!' }[e.quantifier]} ${printBinders(e.binders)}: ${print(e.body, level.equivalence, tail)}`;
    case 'big':
      return printBig(e, tail, print);
    case 'span':
      return `${e.from ? print(e.from, level.span + 1, false) : ''}${e.inclusive ? '..=' : '..'}${e.to ? print(e.to, level.span + 1, false) : ''}`;
    case 'conditional':
      return `${print(e.then, level.conditional + 1, false)} if ${print(e.condition, level.relation, false)} else ${print(e.otherwise, level.conditional, tail)}`;
    case 'cases':
      return printCases(e);
    case 'function-type':
      return `${print(e.from, level.implication + 1, false)} → ${print(e.to, level.implication, tail)}`;
    default:
      return printBracketed(e);
  }
}

const printBinders = (binders: readonly Binder[]): string => binders.map((b) => printBinder(b, print)).join(', ');

type Bracketed = Extract<
  Rest,
  {
    kind:
      | 'absolute'
      | 'norm'
      | 'floor'
      | 'ceiling'
      | 'tuple'
      | 'list'
      | 'set'
      | 'set-builder'
      | 'interval'
      | 'inner-product';
  }
>;

function printBracketed(e: Bracketed): string {
  const list = (items: readonly Expression[]): string => items.map((i) => print(i, level.equivalence, true)).join(', ');
  // In braces a quantifier's colon and a loose bar would look like those of a set builder.
  const member = (i: Expression): string => print(i, level.bits + 1, false);
  switch (e.kind) {
    case 'absolute':
      return `|${inBars(e.operand)}|`;
    case 'norm':
      return `‖${inBars(e.operand)}‖${e.order === null ? '' : printOrder(e.order)}`;
    case 'floor':
      return `⌊${list([e.operand])}⌋`;
    case 'ceiling':
      return `⌈${list([e.operand])}⌉`;
    case 'tuple':
      return `(${list(e.items)})`;
    case 'list':
      return `[${withEllipsis(
        e.items.map((i) => list([i])),
        e.ellipsis,
      )}]`;
    case 'set':
      return `{${withEllipsis(e.items.map(member), e.ellipsis)}}`;
    case 'set-builder':
      return `{${printElement(e.element, member)} | ${e.conditions.map((i) => print(i, level.equivalence, false)).join(', ')}}`;
    case 'interval':
      return `${e.lowOpen ? '(' : '['}${list([e.low, e.high])}${e.highOpen ? ')' : ']'}`;
    case 'inner-product':
      return `⟨${list(e.items)}⟩`;
  }
}

/** `{x ∈ S | p}`, unless the membership itself holds a bar or a colon. */
function printElement(e: Expression, member: (e: Expression) => string): string {
  const whole = print(e, level.relation, false);
  return /[|:]/.test(whole) ? member(e) : whole;
}

/** Bars in bars are told apart by parentheses. */
function inBars(e: Expression): string {
  const inner = print(e, level.equivalence, true);
  return /[|‖]/.test(inner) ? `(${inner})` : inner;
}

function printOrder(order: Expression): string {
  const simple =
    order.kind === 'infinity' ||
    (order.kind === 'number' && order.unit === null) ||
    (order.kind === 'name' && isShortName(order.text));
  const text = print(order, level.equivalence, true);
  return simple ? `_${text}` : `_{${text}}`;
}

function withEllipsis(items: readonly string[], ellipsis: boolean): string {
  if (!ellipsis) return items.join(', ');
  return items.length < 2 ? [...items, '…'].join(', ') : [...items.slice(0, -1), '…', ...items.slice(-1)].join(', ');
}

function printCallee(callee: Expression): string {
  return callee.kind === 'binary' ? printBare(callee, false) : print(callee, level.postfix, false);
}

function printArgument(argument: Argument): string {
  const text = print(argument.value, level.equivalence, true);
  if (argument.label !== null) return `${argument.label} = ${text}`;
  // An equation as an argument would look like a label.
  return argument.value.kind === 'relation' || argument.value.kind === 'logic' ? `(${text})` : text;
}

function printIndex(e: Extract<Expression, { kind: 'index' }>): string {
  // A subscript on a norm would be its order.
  const base = e.base.kind === 'norm' ? `(${printBare(e.base, true)})` : print(e.base, level.postfix, false);
  const items = e.items.map(printItem).join(', ');
  if (e.style === 'bracket') return `${base}[${items}]`;
  const [only] = e.items;
  const simple =
    e.items.length === 1 && only?.kind === 'at' && only.value.kind === 'name' && /^[a-z]+$/.test(only.value.text);
  return simple && e.base.kind === 'call' ? `${base}_${items}` : `${base}_{${items}}`;
}

function printItem(item: IndexItem): string {
  if (item.kind === 'at') return print(item.value, level.equivalence, false);
  const side = (e: Expression | null): string => (e ? print(e, level.span + 1, false) : '');
  return `${side(item.from)}${item.inclusive ? '..=' : ':'}${side(item.to)}`;
}

function printBinary(e: Extract<Expression, { kind: 'binary' }>, tail: boolean): string {
  if (e.juxtaposed) return printProduct(e, tail, print);
  if (e.operator === '^') return `${print(e.left, level.postfix, false)}^${printExponent(e.right)}`;
  const power = levelOf(e);
  return `${print(e.left, power, false)} ${e.operator} ${print(e.right, power + 1, tail)}`;
}

function printExponent(e: Expression): string {
  const simple =
    (e.kind === 'number' && e.unit === null) || (e.kind === 'name' && e.text !== 'T' && isShortName(e.text));
  const text = print(e, level.equivalence, true);
  if (simple) return text;
  return e.kind === 'tuple' || e.kind === 'name' ? `(${text})` : `{${text}}`;
}

function printRelation(e: Extract<Expression, { kind: 'relation' }>, tail: boolean): string {
  const last = e.operands.length - 1;
  const operand = (o: Expression, i: number): string =>
    print(o, i === last && endsInFunctionType(e) ? level.implication : level.relation + 1, tail && i === last);
  return e.operands
    .map((o, i) => (i === 0 ? operand(o, i) : `${e.operators[i - 1] ?? '='} ${operand(o, i)}`))
    .join(' ');
}

function printLogic(e: Extract<Expression, { kind: 'logic' }>, tail: boolean): string {
  const power = logicLevels.get(e.operator) ?? level.equivalence;
  const rightward = e.operator === '⟹';
  return `${print(e.left, rightward ? power + 1 : power, false)} ${e.operator} ${print(e.right, rightward ? power : power + 1, tail)}`;
}

function printCases(e: Extract<Expression, { kind: 'cases' }>): string {
  const rows = e.cases.map(
    (c) => `${print(c.value, level.conditional + 1, false)} if ${print(c.condition, level.disjunction, false)}`,
  );
  if (e.otherwise) rows.push(`${print(e.otherwise, level.conditional + 1, false)} otherwise`);
  return `{ ${rows.join('; ')} }`;
}
