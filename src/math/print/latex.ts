import { level, logicLevels } from '../notation/levels.ts';
import type {
  BinaryOperator,
  Binder,
  Expression,
  IndexItem,
  LogicOperator,
  RelationOperator,
  Statement,
} from '../notation/syntax.ts';
import { latexBig } from './latex-big.ts';
import { latexName, latexString } from './latex-name.ts';
import { levelOf, reachesToEnd } from './levels-of.ts';
import type { Print } from './print.ts';

/** Prints an expression or statement as LaTeX mathematics, without delimiters. Fractions and roots are set as such. */
export function printLatex(node: Expression | Statement): string {
  return 'kind' in node ? print(node, level.equivalence, true) : latexStatement(node);
}

function latexStatement(s: Statement): string {
  const clause = (word: string, items: readonly string[]): string =>
    items.length === 0 ? '' : `\\quad\\text{${word} }${items.join(',\\ ')}`;
  const conditions = s.conditions.map((c) => print(c, level.equivalence, false));
  const definitions = s.definitions.map((d) => print(d, level.relation, false));
  const label = s.label === null ? '' : `\\text{${latexString(s.label)}: }`;
  return `${label}${print(s.body, level.equivalence, false)}${clause(
    'for all',
    s.binders.map((b) => binder(b)),
  )}${clause('when', conditions)}${clause('where', definitions)}`;
}

const print: Print = (e, minimum, tail) => {
  const fits = latexLevel(e) >= minimum || (tail && reachesToEnd(e));
  return fits ? printBare(e, tail) : `\\left(${printBare(e, true)}\\right)`;
};

/** A fraction is a block of its own. */
const latexLevel = (e: Expression): number => (e.kind === 'binary' && e.operator === '/' ? level.attached : levelOf(e));

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

function printBare(e: Expression, tail: boolean): string {
  switch (e.kind) {
    case 'number':
      return latexNumber(e.value, e.unit);
    case 'string':
      return `\\text{“${latexString(e.value)}”}`;
    case 'boolean':
      return `\\mathrm{${String(e.value)}}`;
    case 'infinity':
      return '\\infty';
    case 'empty-set':
      return '\\emptyset';
    case 'name':
      return latexName(e.text);
    case 'member':
      return `${print(e.object, level.postfix, false)}.\\mathrm{${latexString(e.property)}}`;
    case 'call':
      return `${print(e.callee, level.power, false)}\\left(${e.arguments.map((a) => (a.label === null ? '' : `${latexName(a.label)} = `) + print(a.value, level.equivalence, true)).join(', ')}\\right)`;
    case 'index':
      return e.style === 'bracket'
        ? `${print(e.base, level.postfix, false)}\\left[${items(e.items)}\\right]`
        : `{${print(e.base, level.postfix, false)}}_{${items(e.items)}}`;
    case 'binary':
      return printBinary(e, tail);
    case 'relation':
      return e.operands
        .map(
          (o, i) =>
            `${i === 0 ? '' : `${relationSigns[e.operators[i - 1] ?? '=']} `}${print(o, level.relation + 1, tail && i === e.operands.length - 1)}`,
        )
        .join(' ');
    case 'logic': {
      const power = logicLevels.get(e.operator) ?? level.equivalence;
      const right = e.operator === '⟹';
      return `${print(e.left, right ? power + 1 : power, false)} ${logicSigns[e.operator]} ${print(e.right, right ? power : power + 1, tail)}`;
    }
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
      return `{${print(e.operand, level.postfix, false)}}^{\\top}`;
    case 'negate':
      return `-${print(e.operand, level.sign, tail)}`;
    case 'not':
      return `\\lnot ${print(e.operand, level.postfix, false)}`;
    case 'square-root':
      return `\\sqrt{${all(e.operand)}}`;
    case 'factorial':
      return `${print(e.operand, level.postfix, false)}!`;
    case 'quantified':
      return `${{ forall: '\\forall', exists: '\\exists', unique: '\\exists!' }[e.quantifier]} ${e.binders.map(binder).join(', ')}:\\ ${print(e.body, level.equivalence, tail)}`;
    case 'big':
      return latexBig(e, tail, print, binder);
    case 'span':
      return `${e.from ? print(e.from, level.span + 1, false) : ''}\\mathinner{..${e.inclusive ? '=' : ''}}${e.to ? print(e.to, level.span + 1, false) : ''}`;
    case 'conditional':
      return cases([{ value: e.then, condition: e.condition }], e.otherwise);
    case 'cases':
      return cases(e.cases, e.otherwise);
    case 'function-type':
      return `${print(e.from, level.implication + 1, false)} \\to ${print(e.to, level.implication, tail)}`;
    default:
      return printBracketed(e);
  }
}

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
  switch (e.kind) {
    case 'absolute':
      return `\\left|${all(e.operand)}\\right|`;
    case 'norm':
      return `{\\left\\|${all(e.operand)}\\right\\|}${e.order === null ? '' : `_{${all(e.order)}}`}`;
    case 'floor':
      return `\\left\\lfloor ${all(e.operand)}\\right\\rfloor`;
    case 'ceiling':
      return `\\left\\lceil ${all(e.operand)}\\right\\rceil`;
    case 'tuple':
      return `\\left(${list(e.items)}\\right)`;
    case 'list':
      return `\\left[${list(e.items, e.ellipsis)}\\right]`;
    case 'set':
      return `\\left\\{${list(e.items, e.ellipsis)}\\right\\}`;
    case 'set-builder':
      return `\\left\\{${print(e.element, level.bits + 1, false)} \\mid ${list(e.conditions)}\\right\\}`;
    case 'interval':
      return `\\left${e.lowOpen ? '(' : '['}${list([e.low, e.high])}\\right${e.highOpen ? ')' : ']'}`;
    case 'inner-product':
      return `\\left\\langle ${list(e.items)}\\right\\rangle`;
  }
}

const all = (e: Expression): string => print(e, level.equivalence, true);

function list(expressions: readonly Expression[], ellipsis = false): string {
  const printed = expressions.map(all);
  if (!ellipsis) return printed.join(', ');
  return (
    printed.length < 2 ? [...printed, '\\ldots'] : [...printed.slice(0, -1), '\\ldots', ...printed.slice(-1)]
  ).join(', ');
}

function printBinary(e: Extract<Expression, { kind: 'binary' }>, tail: boolean): string {
  if (e.operator === '^') return `{${print(e.left, level.postfix, false)}}^{${all(e.right)}}`;
  if (e.operator === '/') return `\\frac{${all(e.left)}}{${all(e.right)}}`;
  const power = levelOf(e);
  const sign = e.juxtaposed ? (needsSign(e.right) ? '\\cdot ' : '\\,') : `${binarySigns[e.operator]} `;
  return `${print(e.left, power, false)} ${sign}${print(e.right, power + 1, tail)}`;
}

/** Digits and signs would run into the factor before them. */
const needsSign = (right: Expression): boolean => right.kind === 'number' || right.kind === 'negate';

function cases(
  rows: readonly { readonly condition: Expression; readonly value: Expression }[],
  otherwise: Expression | null,
): string {
  const lines = rows.map((r) => `${all(r.value)} & \\text{if } ${all(r.condition)}`);
  if (otherwise) lines.push(`${all(otherwise)} & \\text{otherwise}`);
  return `\\begin{cases}${lines.join(' \\\\ ')}\\end{cases}`;
}

function binder(b: Binder): string {
  return b.relation === null || b.bound === null
    ? latexName(b.name)
    : `${latexName(b.name)} ${relationSigns[b.relation]} ${print(b.bound, level.relation + 1, false)}`;
}

function items(list: readonly IndexItem[]): string {
  const side = (e: Expression | null): string => (e ? print(e, level.span + 1, false) : '');
  return list
    .map((i) =>
      i.kind === 'at'
        ? print(i.value, level.equivalence, false)
        : `${side(i.from)}{:}${i.inclusive ? '{=}' : ''}${side(i.to)}`,
    )
    .join(', ');
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
