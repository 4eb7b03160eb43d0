import { level } from '../notation/levels.ts';
import type {
  BinaryOperator,
  Expression,
  IndexItem,
  LogicOperator,
  RelationOperator,
  Statement,
} from '../notation/syntax.ts';
import { printBig, type BigStyle } from './big.ts';
import { latexName, latexString } from './latex-name.ts';
import { levelOf } from './levels-of.ts';
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

/** Prints an expression or statement as LaTeX mathematics, without delimiters. Fractions and roots are set as such. */
export function printLatex(node: Expression | Statement): string {
  return 'kind' in node ? inBrackets(node, print) : latexStatement(node);
}

function latexStatement(s: Statement): string {
  const clause = (word: string, items: readonly string[]): string =>
    items.length === 0 ? '' : `\\quad\\text{${word} }${items.join(',\\ ')}`;
  const conditions = s.conditions.map((c) => print(c, level.equivalence, false));
  const definitions = s.definitions.map((d) => print(d, level.relation, false));
  const label = s.label === null ? '' : `\\text{${latexString(s.label)}: }`;
  return `${label}${print(s.body, level.equivalence, false)}${clause(
    'for all',
    s.binders.map((b) => printBinder(b, print, signs)),
  )}${clause('when', conditions)}${clause('where', definitions)}`;
}

const relationSigns: Readonly<Record<RelationOperator, string>> = {
  '=': '=',
  '≠': '\\ne',
  '<': '<',
  '≤': '\\le',
  '>': '>',
  '≥': '\\ge',
  '≈': '\\approx',
  '≡': '\\equiv',
  '∈': '\\in',
  '∉': '\\notin',
  '⊆': '\\subseteq',
  '⊂': '\\subset',
  '⊇': '\\supseteq',
  '⊃': '\\supset',
  '∝': '\\propto',
  '~': '\\sim',
  '≪': '\\ll',
  '≫': '\\gg',
  ':=': '\\mathrel{:=}',
};
const logicSigns: Readonly<Record<LogicOperator, string>> = {
  '∧': '\\land',
  '∨': '\\lor',
  '⟹': '\\implies',
  '⟺': '\\iff',
  '⊕': '\\oplus',
};
const binarySigns: Readonly<Record<Exclude<BinaryOperator, '^' | '/'>, string>> = {
  '+': '+',
  '-': '-',
  '±': '\\pm',
  '·': '\\cdot',
  '//': '\\mathbin{/\\!/}',
  mod: '\\bmod',
  '⊙': '\\odot',
  '⊗': '\\otimes',
  '∘': '\\circ',
  '@': '\\mathbin{@}',
  '∪': '\\cup',
  '∩': '\\cap',
  '\\': '\\setminus',
  '<<': '\\ll',
  '>>': '\\gg',
  '&': '\\mathbin{\\&}',
  '|': '\\mid',
  'xor-bits': '\\oplus',
  '++': '\\mathbin{+\\!+}',
  '×': '\\times',
};

const signs: Signs = {
  infinity: '\\infty',
  emptySet: '\\emptyset',
  relation: (operator) => relationSigns[operator],
  logic: (operator) => logicSigns[operator],
  quantifiers: { forall: '\\forall', exists: '\\exists', unique: '\\exists!' },
  colon: ':\\',
  not: '\\lnot ',
  arrow: '\\to',
  ellipsis: '\\ldots',
  span: { open: '\\mathinner{..}', closed: '\\mathinner{..=}' },
  floor: ['\\left\\lfloor ', '\\right\\rfloor'],
  ceiling: ['\\left\\lceil ', '\\right\\rceil'],
  tuple: ['\\left(', '\\right)'],
  list: ['\\left[', '\\right]'],
  innerProduct: ['\\left\\langle ', '\\right\\rangle'],
  interval: { open: ['\\left(', '\\right)'], closed: ['\\left[', '\\right]'] },
  name: latexName,
};

const bigStyle = (print: Print): BigStyle => ({
  signs: {
    sum: '\\sum',
    product: '\\prod',
    union: '\\bigcup',
    intersection: '\\bigcap',
    max: '\\max',
    min: '\\min',
    argmax: '\\operatorname*{argmax}',
    argmin: '\\operatorname*{argmin}',
    mean: '\\operatorname*{mean}',
    expectation: '\\mathbb{E}',
    limit: '\\lim',
    count: '\\operatorname*{count}',
  },
  expectation: ['\\mathbb{E}\\left[', '\\right]'],
  separator: ',\\,',
  conditions: (condition) => [print(condition, level.conjunction, false)],
  under: (text) => `_{${text}}`,
  upper: (e) => `^{${inBrackets(e, print)}}`,
});

/** A fraction is a separate block. */
const latexLevel = (e: Expression): number => (e.kind === 'binary' && e.operator === '/' ? level.attached : levelOf(e));

const rules = (print: Print): Rules => {
  const all = (e: Expression): string => inBrackets(e, print);
  const list = (items: readonly Expression[]): string => items.map(all).join(', ');
  const big = bigStyle(print);
  return {
    ...sharedRules(print, signs),
    number: (e) => latexNumber(e.value, e.unit),
    string: (e) => `\\text{“${latexString(e.value)}”}`,
    boolean: (e) => `\\mathrm{${String(e.value)}}`,
    member: (e) => `${print(e.object, level.postfix, false)}.\\mathrm{${latexString(e.property)}}`,
    call: (e) => {
      const given = e.arguments.map((a) => `${a.label === null ? '' : `${latexName(a.label)} = `}${all(a.value)}`);
      return `${print(e.callee, level.power, false)}\\left(${given.join(', ')}\\right)`;
    },
    index: (e) => {
      const base = print(e.base, level.postfix, false);
      const items = e.items.map((item) => printItem(item, print)).join(', ');
      return e.style === 'bracket' ? `${base}\\left[${items}\\right]` : `{${base}}_{${items}}`;
    },
    binary: (e, tail) => printBinary(e, tail, print),
    relation: (e, tail) => printRelation(e, tail, print, signs),
    transpose: (e) => `{${print(e.operand, level.postfix, false)}}^{\\top}`,
    'square-root': (e) => `\\sqrt{${all(e.operand)}}`,
    big: (e, tail) => printBig(e, tail, print, signs, big),
    conditional: (e) => printCases([{ value: e.then, condition: e.condition }], e.otherwise, print),
    cases: (e) => printCases(e.cases, e.otherwise, print),
    absolute: (e) => `\\left|${all(e.operand)}\\right|`,
    norm: (e) => `{\\left\\|${all(e.operand)}\\right\\|}${e.order === null ? '' : `_{${all(e.order)}}`}`,
    set: (e) => `\\left\\{${withEllipsis(e.items.map(all), e.ellipsis ? signs.ellipsis : null)}\\right\\}`,
    'set-builder': (e) => `\\left\\{${print(e.element, level.bits + 1, false)} \\mid ${list(e.conditions)}\\right\\}`,
  };
};

const print = printerOf({ parentheses: ['\\left(', '\\right)'], levelOf: latexLevel, rules });

function printBinary(e: NodeOf<'binary'>, tail: boolean, print: Print): string {
  if (e.operator === '^') return `{${print(e.left, level.postfix, false)}}^{${inBrackets(e.right, print)}}`;
  if (e.operator === '/') return `\\frac{${inBrackets(e.left, print)}}{${inBrackets(e.right, print)}}`;
  const power = levelOf(e);
  const sign = e.juxtaposed ? (needsSign(e.right) ? '\\cdot ' : '\\,') : `${binarySigns[e.operator]} `;
  return `${print(e.left, power, false)} ${sign}${print(e.right, power + 1, tail)}`;
}

/** Digits and signs would run into the factor before them. */
const needsSign = (right: Expression): boolean => right.kind === 'number' || right.kind === 'negate';

function printCases(rows: NodeOf<'cases'>['cases'], otherwise: Expression | null, print: Print): string {
  const lines = rows.map((r) => `${inBrackets(r.value, print)} & \\text{if } ${inBrackets(r.condition, print)}`);
  if (otherwise) lines.push(`${inBrackets(otherwise, print)} & \\text{otherwise}`);
  return `\\begin{cases}${lines.join(' \\\\ ')}\\end{cases}`;
}

function printItem(item: IndexItem, print: Print): string {
  if (item.kind === 'at') return print(item.value, level.equivalence, false);
  return `${printSide(item.from, print)}{:}${item.inclusive ? '{=}' : ''}${printSide(item.to, print)}`;
}

/** `6e-8` is set as a power of ten. */
function latexNumber(value: string, unit: string | null): string {
  const [mantissa = value, exponent] = value.split('e');
  const digits =
    exponent === undefined ? mantissa : mantissa === '1' ? `10^{${exponent}}` : `${mantissa} \\times 10^{${exponent}}`;
  const braced = exponent === undefined ? digits : `{${digits}}`;
  if (unit === null) return braced;
  return unit === '%' ? `${braced}\\%` : `${braced}\\,\\mathrm{${latexString(unit)}}`;
}
