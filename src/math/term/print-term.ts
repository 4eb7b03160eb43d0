/**
 * Terms as one line of notation, for messages and reports: `Σ_{j<n} exp(x_j − m)`. Readable, not parsed again;
 * identity is the business of `term-key.ts`.
 */
import type { FunctionName } from '../functions.ts';
import type { IndexBinder, Term } from './term.ts';

/** How tightly each construct binds; larger is tighter. */
const level = { logic: 1, relation: 2, sum: 3, product: 4, unary: 5, power: 6, atom: 7 } as const;

const infix: Partial<Readonly<Record<FunctionName, readonly [symbol: string, level: number]>>> = {
  add: ['+', level.sum],
  subtract: ['-', level.sum],
  multiply: ['·', level.product],
  divide: ['/', level.product],
  'floor-divide': ['//', level.product],
  modulo: ['mod', level.product],
  power: ['^', level.power],
  less: ['<', level.relation],
  'less-equal': ['≤', level.relation],
  greater: ['>', level.relation],
  'greater-equal': ['≥', level.relation],
  equal: ['=', level.relation],
  'not-equal': ['≠', level.relation],
  and: ['∧', level.logic],
  or: ['∨', level.logic],
  implies: ['⟹', level.logic],
  iff: ['⟺', level.logic],
  xor: ['⊕', level.logic],
};

const reductionSigns = {
  sum: 'Σ',
  product: '∏',
  max: 'max',
  min: 'min',
  all: '∀',
  any: '∃',
  argmax: 'argmax',
  argmin: 'argmin',
  count: '#',
} as const;

/** How a variable of that name is written. */
export type NameOf = (name: string) => string;

/** The text of `term`; longer than `limit` characters it is cut with `…`. */
export function printTerm(term: Term, limit = 400, nameOf: NameOf = (name) => name): string {
  const text = print(term, 0, { left: limit, nameOf });
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

const LONGEST_NUMBER = 24;

/** Printing stops growing once the budget is spent, so that huge terms cost no more than small ones. */
interface Budget {
  left: number;
  readonly nameOf: NameOf;
}

const otherNames: Partial<Readonly<Record<FunctionName, string>>> = {
  minimum: 'min',
  maximum: 'max',
  ceiling: 'ceil',
  'reciprocal-sqrt': 'rsqrt',
  pi: 'π',
};

/** The name of a function as the notation has it. */
export function notationName(fn: FunctionName): string {
  return otherNames[fn] ?? fn.replaceAll('-', '_');
}

/** What `term` is of what, without saying of what: `exp(…)`, `(… · …)`, `(Σ …)`. */
export function printHead(term: Term): string {
  switch (term.kind) {
    case 'call': {
      const operator = infix[term.fn];
      if (term.arguments.length === 0) return notationName(term.fn);
      return operator ? `(… ${operator[0]} …)` : `${notationName(term.fn)}(…)`;
    }
    case 'reduce':
      return `(${reductionSigns[term.operator]} …)`;
    case 'tabulate':
      return '[…]';
    case 'if':
      return '{ … }';
    default:
      return '(…)';
  }
}

function print(term: Term, outer: number, budget: Budget): string {
  if (budget.left <= 0) return '…';
  const [text, inner] = printNode(term, budget);
  budget.left -= 1;
  return inner < outer ? `(${text})` : text;
}

function printNode(term: Term, budget: Budget): readonly [text: string, level: number] {
  switch (term.kind) {
    case 'number':
      return [numberText(term.value), term.value.startsWith('-') ? level.unary : level.atom];
    case 'boolean':
      return [term.value ? 'true' : 'false', level.atom];
    case 'string':
      return [JSON.stringify(term.value), level.atom];
    case 'variable':
      return [budget.nameOf(term.name), level.atom];
    case 'call':
      return printCall(term, budget);
    case 'if':
      return [
        `{ ${print(term.then, 0, budget)} if ${print(term.condition, 0, budget)}; ${print(term.otherwise, 0, budget)} otherwise }`,
        level.atom,
      ];
    case 'element':
      return [`${print(term.tensor, level.atom, budget)}${subscript(term.indices, budget)}`, level.atom];
    case 'tabulate':
      return [`[${print(term.body, 0, budget)} : ${binders(term.binders, budget)}]`, level.atom];
    case 'recurrence':
      return [
        `[${budget.nameOf(term.name)} ↦ ${print(term.body, 0, budget)} : ${binders(term.binders, budget)}]`,
        level.atom,
      ];
    case 'reduce':
      return printReduce(term, budget);
    case 'let':
      return [`let ${budget.nameOf(term.name)} = ${print(term.value, 0, budget)} in ${print(term.body, 0, budget)}`, 0];
    case 'apply':
      return [`${term.equation}(${term.arguments.map((a) => print(a, 0, budget)).join(', ')})`, level.atom];
  }
}

/** Some constants have 40 digits; a few are enough for a reader. */
function numberText(digits: string): string {
  return digits.length > LONGEST_NUMBER ? `${digits.slice(0, 8)}…` : digits;
}

function printReduce(term: Extract<Term, { kind: 'reduce' }>, budget: Budget): readonly [string, number] {
  const condition = term.condition ? `, ${print(term.condition, 0, budget)}` : '';
  const quantifier = term.operator === 'all' || term.operator === 'any';
  const head = `${reductionSigns[term.operator]}_{${binders(term.binders, budget)}${condition}}`;
  return quantifier
    ? [`${head}: ${print(term.body, 0, budget)}`, 0]
    : [`${head} ${print(term.body, level.product, budget)}`, level.sum];
}

function printCall(term: Extract<Term, { kind: 'call' }>, budget: Budget): readonly [string, number] {
  const [a, b] = term.arguments;
  if (!a) return [notationName(term.fn), level.atom];
  const operator = infix[term.fn];
  if (operator && b) {
    const [symbol, inner] = operator;
    return [`${print(a, inner, budget)} ${symbol} ${print(b, inner + 1, budget)}`, inner];
  }
  if (term.fn === 'negate' && a) return [`-${print(a, level.unary, budget)}`, level.unary];
  if (term.fn === 'not' && a) return [`¬${print(a, level.unary, budget)}`, level.unary];
  if (term.fn === 'absolute' && a) return [`|${print(a, 0, budget)}|`, level.atom];
  if (term.fn === 'sqrt' && a) return [`√(${print(a, 0, budget)})`, level.atom];
  if (term.fn === 'floor' && a) return [`⌊${print(a, 0, budget)}⌋`, level.atom];
  if (term.fn === 'ceiling' && a) return [`⌈${print(a, 0, budget)}⌉`, level.atom];
  if (term.fn === 'approximately' && a && b)
    return [`${print(a, level.sum, budget)} ≈ ${print(b, level.sum, budget)}`, level.relation];
  return [`${notationName(term.fn)}(${term.arguments.map((arg) => print(arg, 0, budget)).join(', ')})`, level.atom];
}

function subscript(indices: readonly Term[], budget: Budget): string {
  const [only] = indices;
  if (indices.length === 1 && only && (only.kind === 'variable' || only.kind === 'number'))
    return `_${print(only, 0, budget)}`;
  return `_{${indices.map((i) => print(i, 0, budget)).join(', ')}}`;
}

function binders(list: readonly IndexBinder[], budget: Budget): string {
  return list
    .map((b) => {
      const low = b.from.kind === 'number' && b.from.value === '0' ? '' : `${print(b.from, level.sum, budget)}≤`;
      return `${low}${budget.nameOf(b.name)}<${print(b.to, level.sum, budget)}`;
    })
    .join(', ');
}
