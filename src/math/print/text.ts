import { level } from '../notation/levels.ts';
import type { Argument, Expression, IndexItem, Statement } from '../notation/syntax.ts';
import { isShortName } from '../notation/vocabulary.ts';
import { printBig, type BigStyle } from './big.ts';
import { endsInFunctionType, levelOf } from './levels-of.ts';
import { printerOf, type NodeOf, type Print, type Rules } from './print.ts';
import {
  inBrackets,
  printBinder,
  printRelation,
  printSide,
  sharedRules,
  withEllipsis,
  type Signs,
} from './shared-rules.ts';
import { printProduct } from './text-product.ts';

/** Prints an expression or statement in canonical Unicode notation; reading it again gives the same tree. */
export function printText(node: Expression | Statement): string {
  return 'kind' in node ? inBrackets(node, print) : printStatement(node);
}

function printStatement(s: Statement): string {
  const bare = s.binders.length + s.conditions.length + s.definitions.length === 0;
  const parts = [s.label === null ? '' : `${s.label}: `, print(s.body, level.equivalence, bare)];
  for (const binder of s.binders) parts.push(` ∀ ${printBinder(binder, print, signs)}`);
  for (const condition of s.conditions) parts.push(` when ${print(condition, level.equivalence, false)}`);
  if (s.definitions.length > 0)
    parts.push(` where ${s.definitions.map((d) => print(d, level.relation, false)).join(', ')}`);
  return parts.join('');
}

const signs: Signs = {
  infinity: '∞',
  emptySet: '∅',
  relation: (operator) => operator,
  logic: (operator) => operator,
  quantifiers: { forall: '∀', exists: '∃', unique: '∃!' },
  colon: ':',
  not: '¬',
  arrow: '→',
  ellipsis: '…',
  span: { open: '..', closed: '..=' },
  floor: ['⌊', '⌋'],
  ceiling: ['⌈', '⌉'],
  tuple: ['(', ')'],
  list: ['[', ']'],
  innerProduct: ['⟨', '⟩'],
  interval: { open: ['(', ')'], closed: ['[', ']'] },
  name: (text) => text,
};

const bigStyle = (print: Print): BigStyle => ({
  signs: {
    sum: 'Σ',
    product: '∏',
    union: '⋃',
    intersection: '⋂',
    max: 'max',
    min: 'min',
    argmax: 'argmax',
    argmin: 'argmin',
    mean: 'mean',
    expectation: 'E',
    limit: 'lim',
    count: 'count',
  },
  expectation: ['E[', ']'],
  separator: ', ',
  conditions: (condition) => conjuncts(condition).map((c) => print(c, level.relation, false)),
  under: (text) => (/^[a-z]$/.test(text) ? `_${text}` : `_{${text}}`),
  upper: (e) => attached('^', e, print),
});

const rules = (print: Print): Rules => {
  const big = bigStyle(print);
  return {
    ...sharedRules(print, signs),
    number: (e) => (e.unit === null ? e.value : e.unit === '%' ? `${e.value}%` : `${e.value} ${e.unit}`),
    string: (e) => (e.value.includes('"') ? `'${e.value}'` : `"${e.value}"`),
    boolean: (e) => String(e.value),
    member: (e) => `${print(e.object, level.postfix, false)}.${e.property}`,
    call: (e) => {
      // A power of a function is applied without parentheses: `f^2(x)`.
      const callee = print(e.callee, e.callee.kind === 'binary' ? 0 : level.postfix, false);
      return `${callee}(${e.arguments.map((a) => printArgument(a, print)).join(', ')})`;
    },
    index: (e) => printIndex(e, print),
    binary: (e, tail) => printBinary(e, tail, print),
    relation: (e, tail) =>
      printRelation(e, tail, print, signs, endsInFunctionType(e) ? level.implication : level.relation + 1),
    transpose: (e) => `${print(e.operand, level.postfix, false)}^T`,
    'square-root': (e) => `√(${inBrackets(e.operand, print)})`,
    big: (e, tail) => printBig(e, tail, print, signs, big),
    conditional: (e, tail) =>
      `${print(e.then, level.conditional + 1, false)} if ${print(e.condition, level.relation, false)} else ${print(e.otherwise, level.conditional, tail)}`,
    cases: (e) => printCases(e, print),
    absolute: (e) => `|${inBars(e.operand, print)}|`,
    norm: (e) => `‖${inBars(e.operand, print)}‖${e.order === null ? '' : attached('_', e.order, print)}`,
    set: (e) => {
      const items = e.items.map((item) => inBraces(item, print));
      return `{${withEllipsis(items, e.ellipsis ? signs.ellipsis : null)}}`;
    },
    'set-builder': (e) => {
      const conditions = e.conditions.map((c) => print(c, level.equivalence, false));
      return `{${printElement(e.element, print)} | ${conditions.join(', ')}}`;
    },
  };
};

const print = printerOf({ parentheses: ['(', ')'], levelOf, rules });

/** In braces a quantifier's colon and a loose bar would look like those of a set builder. */
function inBraces(e: Expression, print: Print): string {
  return print(e, level.bits + 1, false);
}

/** `{x ∈ S | p}`, unless the membership itself holds a bar or a colon. */
function printElement(e: Expression, print: Print): string {
  const whole = print(e, level.relation, false);
  return /[|:]/.test(whole) ? inBraces(e, print) : whole;
}

/** Bars in bars are distinguished by parentheses. */
function inBars(e: Expression, print: Print): string {
  const inner = inBrackets(e, print);
  return /[|‖]/.test(inner) ? `(${inner})` : inner;
}

/** What is set below or above: `_2`, `^{n - 1}`. */
function attached(sign: '_' | '^', e: Expression, print: Print): string {
  const simple = e.kind === 'infinity' || isPlainNumber(e) || (e.kind === 'name' && isShortName(e.text));
  const text = inBrackets(e, print);
  return simple ? `${sign}${text}` : `${sign}{${text}}`;
}

const isPlainNumber = (e: Expression): boolean => e.kind === 'number' && e.unit === null;

function printArgument({ label, value }: Argument, print: Print): string {
  const text = inBrackets(value, print);
  if (label !== null) return `${label} = ${text}`;
  // An equation as an argument would look like a label.
  return value.kind === 'relation' || value.kind === 'logic' ? `(${text})` : text;
}

function printIndex(e: NodeOf<'index'>, print: Print): string {
  // A subscript on a norm would be its order.
  const base = e.base.kind === 'norm' ? `(${inBrackets(e.base, print)})` : print(e.base, level.postfix, false);
  const items = e.items.map((item) => printItem(item, print)).join(', ');
  if (e.style === 'bracket') return `${base}[${items}]`;
  const [only] = e.items;
  const simple =
    e.items.length === 1 && only?.kind === 'at' && only.value.kind === 'name' && /^[a-z]+$/.test(only.value.text);
  return simple && e.base.kind === 'call' ? `${base}_${items}` : `${base}_{${items}}`;
}

function printItem(item: IndexItem, print: Print): string {
  if (item.kind === 'at') return print(item.value, level.equivalence, false);
  return `${printSide(item.from, print)}${item.inclusive ? '..=' : ':'}${printSide(item.to, print)}`;
}

function printBinary(e: NodeOf<'binary'>, tail: boolean, print: Print): string {
  if (e.juxtaposed) return printProduct(e, tail, print);
  if (e.operator === '^') return `${print(e.left, level.postfix, false)}^${printExponent(e.right, print)}`;
  const power = levelOf(e);
  // A backslash would be read as LaTeX, whose braces are not those of sets.
  const operator = e.operator === '\\' ? '∖' : e.operator;
  return `${print(e.left, power, false)} ${operator} ${print(e.right, power + 1, tail)}`;
}

function printExponent(e: Expression, print: Print): string {
  const simple = isPlainNumber(e) || (e.kind === 'name' && e.text !== 'T' && isShortName(e.text));
  const text = inBrackets(e, print);
  if (simple) return text;
  return e.kind === 'tuple' || e.kind === 'name' ? `(${text})` : `{${text}}`;
}

function printCases(e: NodeOf<'cases'>, print: Print): string {
  const rows = e.cases.map(
    (c) => `${print(c.value, level.conditional + 1, false)} if ${print(c.condition, level.disjunction, false)}`,
  );
  if (e.otherwise) rows.push(`${print(e.otherwise, level.conditional + 1, false)} otherwise`);
  return `{ ${rows.join('; ')} }`;
}

/** Conditions are read one by one and joined from the left. */
function conjuncts(condition: Expression): readonly Expression[] {
  const found: Expression[] = [];
  let rest = condition;
  while (rest.kind === 'logic' && rest.operator === '∧') {
    found.unshift(rest.right);
    rest = rest.left;
  }
  return [rest, ...found];
}
