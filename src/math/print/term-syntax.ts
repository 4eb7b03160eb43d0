/**
 * Terms as notation: the executed term, written so that reading and typing it again gives the same term.
 *
 * Bound variables get new names, and a let whose value has no bound variable becomes a separate definition.
 */
import { freshNames } from '../term/symbols.ts';
import type { FunctionName } from '../functions.ts';
import type {
  Binder,
  BigOperatorName,
  BinaryOperator,
  Expression,
  LogicOperator,
  RelationOperator,
  Statement,
} from '../notation/syntax.ts';
import { integerValue } from '../term/fold.ts';
import { isBigWord } from '../notation/parse-big.ts';
import { notationName } from '../term/print-term.ts';
import type { IndexBinder, Term } from '../term/term.ts';
import { freeVariables, substitute } from '../term/traverse.ts';
import { elementTypeOf } from '../term/types.ts';

const range = { start: 0, end: 0 };

const binary: Partial<Readonly<Record<FunctionName, BinaryOperator>>> = {
  add: '+',
  subtract: '-',
  multiply: '·',
  divide: '/',
  'floor-divide': '//',
  modulo: 'mod',
  power: '^',
};
const relations: Partial<Readonly<Record<FunctionName, RelationOperator>>> = {
  less: '<',
  'less-equal': '≤',
  greater: '>',
  'greater-equal': '≥',
  equal: '=',
  'not-equal': '≠',
};
const logic: Partial<Readonly<Record<FunctionName, LogicOperator>>> = {
  and: '∧',
  or: '∨',
  implies: '⟹',
  iff: '⟺',
  xor: '⊕',
};
const around: Partial<
  Readonly<Record<FunctionName, 'absolute' | 'square-root' | 'floor' | 'ceiling' | 'negate' | 'not'>>
> = {
  absolute: 'absolute',
  sqrt: 'square-root',
  floor: 'floor',
  ceiling: 'ceiling',
  negate: 'negate',
  not: 'not',
};
const signs: Readonly<Record<'sum' | 'product' | 'max' | 'min' | 'argmax' | 'argmin' | 'count', BigOperatorName>> = {
  sum: 'sum',
  product: 'product',
  max: 'max',
  min: 'min',
  argmax: 'argmax',
  argmin: 'argmin',
  count: 'count',
};
/** Functions of strings and roundings that the notation writes in another form, or not at all. */
const unwritten: ReadonlySet<FunctionName> = new Set([
  'approximately',
  'string-length',
  'code-point-at',
  'utf8-length',
  'utf8-at',
  'string-concat',
]);

/** How names are chosen: `taken` grows with every name. */
interface Names {
  readonly taken: Set<string>;
  /** The written names of bound variables. */
  readonly written: Map<string, string>;
  /** How many nodes may still be written: a let that is written out may be used in many places. */
  readonly budget: { left: number };
}

const maximumNodes = 1_000;

function newNames(taken: Iterable<string>): Names {
  return { taken: new Set(taken), written: new Map(), budget: { left: maximumNodes } };
}

const letters = [...'ijklabcuvwrspqhgfmnto'];

function letter(names: Names): string {
  const found = letters.find((one) => !names.taken.has(one)) ?? nextName(names, 'i');
  names.taken.add(found);
  return found;
}

function nextName({ taken }: Names, hint: string): string {
  for (let i = 1; ; i++) if (!taken.has(`${hint}${i}`)) return `${hint}${i}`;
}

const name = (text: string): Expression => ({ kind: 'name', text, range });

/** `term` as an expression; null if the notation cannot write a part of it as an expression. */
function express(term: Term, names: Names): Expression | null {
  if (names.budget.left <= 0) return null;
  names.budget.left -= 1;
  switch (term.kind) {
    case 'number':
      return numeral(term.value);
    case 'boolean':
      return { kind: 'boolean', value: term.value, range };
    case 'string':
      return { kind: 'string', value: term.value, range };
    case 'variable':
      return name(names.written.get(term.name) ?? term.name);
    case 'call':
      return expressCall(term, names);
    case 'if':
      return expressChoice(term, names);
    case 'element':
      return expressElement(term, names);
    case 'reduce':
      return expressReduce(term, names);
    case 'let':
      return express(withoutLet(term), names);
    default:
      return null;
  }
}

function withoutLet({ name: bound, value, body }: Extract<Term, { kind: 'let' }>): Term {
  return substitute(body, new Map([[bound, value]]), freshNames([...freeVariables(body), ...freeVariables(value)]));
}

function numeral(value: string): Expression {
  if (value === 'Infinity') return { kind: 'infinity', range };
  const digits: Expression = { kind: 'number', value: value.replace(/^-/, ''), unit: null, range };
  return value.startsWith('-') ? { kind: 'negate', operand: digits, range } : digits;
}

function expressAll(terms: readonly Term[], names: Names): readonly Expression[] | null {
  const found = terms.map((term) => express(term, names)).filter((one) => one !== null);
  return found.length === terms.length ? found : null;
}

function expressCall({ fn, arguments: terms }: Extract<Term, { kind: 'call' }>, names: Names): Expression | null {
  const args = expressAll(terms, names);
  const [left, right] = args ?? [];
  if (args === null || left === undefined || unwritten.has(fn)) return null;
  const [operator, relation, connective, bracket] = [binary[fn], relations[fn], logic[fn], around[fn]];
  if (bracket) return { kind: bracket, operand: left, range };
  if (right && operator) return { kind: 'binary', operator, left, right, juxtaposed: false, range };
  if (right && relation) return { kind: 'relation', operators: [relation], operands: [left, right], range };
  if (right && connective) return { kind: 'logic', operator: connective, left, right, range };
  return {
    kind: 'call',
    callee: name(notationName(fn)),
    arguments: args.map((value) => ({ label: null, value })),
    range,
  };
}

function expressChoice(term: Extract<Term, { kind: 'if' }>, names: Names): Expression | null {
  const [condition, value, otherwise] = expressAll([term.condition, term.then, term.otherwise], names) ?? [];
  if (!condition || !value || !otherwise) return null;
  return { kind: 'cases', cases: [{ condition, value }], otherwise, range };
}

function expressElement({ tensor, indices }: Extract<Term, { kind: 'element' }>, names: Names): Expression | null {
  const inside = elementOf(tensor, indices);
  if (inside) return express(inside, names);
  const values = expressAll(indices, names);
  if (tensor.kind !== 'variable' || !values) return null;
  const text = names.written.get(tensor.name) ?? tensor.name;
  if (isBigWord(text)) {
    // `E_{k, j}` is an expectation, and `E_kj` an element.
    const places = values.map((value) => (value.kind === 'name' && value.text.length === 1 ? value.text : ''));
    return places.includes('') ? null : name(`${text}_${places.join('')}`);
  }
  const items = values.map((value) => ({ kind: 'at', value }) as const);
  return { kind: 'index', base: name(text), items, style: 'subscript', range };
}

/** The element of an inlined tensor; null for a name. */
function elementOf(tensor: Term, indices: readonly Term[]): Term | null {
  if (tensor.kind === 'let') {
    const inner = withoutLet(tensor);
    return { kind: 'element', tensor: inner, indices, type: elementTypeOf(inner.type), origin: null };
  }
  if (tensor.kind !== 'tabulate') return null;
  const places = new Map(tensor.binders.map((binder, axis) => [binder.name, indices[axis] ?? binder.from] as const));
  const reserved = [...freeVariables(tensor.body), ...indices.flatMap((index) => [...freeVariables(index)])];
  return substitute(tensor.body, places, freshNames(reserved));
}

/** The binders, with new names that hold until `body` has been expressed. */
function bound<T>(
  binders: readonly IndexBinder[],
  names: Names,
  body: (written: readonly Binder[]) => T | null,
): T | null {
  const inner: Names = { ...names, taken: new Set(names.taken), written: new Map(names.written) };
  const written: Binder[] = [];
  for (const binder of binders) {
    const ends = expressAll([binder.from, binder.to], inner);
    if (!ends?.[0] || !ends[1]) return null;
    const [low, high] = ends;
    const text = letter(inner);
    inner.written.set(binder.name, text);
    written.push(
      integerValue(binder.from) === 0
        ? { name: text, relation: '<', bound: high, range }
        : {
            name: text,
            relation: '∈',
            bound: { kind: 'interval', low, high, lowOpen: false, highOpen: true, range },
            range,
          },
    );
  }
  const outer: Names = { ...names, taken: new Set(names.taken), written: new Map(names.written) };
  copy(inner, names);
  const result = body(written);
  copy(outer, names);
  return result;
}

function copy(from: Names, to: Names): void {
  to.taken.clear();
  to.written.clear();
  for (const one of from.taken) to.taken.add(one);
  for (const [key, value] of from.written) to.written.set(key, value);
}

function expressReduce(term: Extract<Term, { kind: 'reduce' }>, names: Names): Expression | null {
  const { operator, binders, condition } = term;
  return bound(binders, names, (written): Expression | null => {
    const body = express(term.body, names);
    const premise = condition && express(condition, names);
    if (!body || (condition && !premise)) return null;
    if (operator !== 'all' && operator !== 'any') {
      const beside = premise && asCondition(premise);
      return premise !== null && beside === null
        ? null
        : { kind: 'big', operator: signs[operator], binders: written, upper: null, condition: beside, body, range };
    }
    const all = operator === 'all';
    const whole: Expression = premise
      ? { kind: 'logic', operator: all ? '⟹' : '∧', left: premise, right: body, range }
      : body;
    return { kind: 'quantified', quantifier: all ? 'forall' : 'exists', binders: written, body: whole, range };
  });
}

/** `c = 2` next to binders would bind c: it is written `2 = c`. Null if no rewriting makes it a condition. */
function asCondition(premise: Expression): Expression | null {
  if (premise.kind === 'name' || premise.kind === 'logic') return null;
  if (premise.kind !== 'relation' || premise.operators[0] !== '=' || premise.operands[0]?.kind !== 'name')
    return premise;
  const [left, right] = premise.operands;
  return !right || right.kind === 'name' ? null : { ...premise, operands: [right, left] };
}

/** `left = right`, or `left_{i, j} = right for i < n, j < m` of a tensor. */
function definition(left: string, right: Term, names: Names): Statement | null {
  const binders = right.kind === 'tabulate' ? right.binders : [];
  return bound(binders, names, (written): Statement | null => {
    const value = express(right.kind === 'tabulate' ? right.body : right, names);
    if (value === null) return null;
    const places = written.map((binder) => ({ kind: 'at', value: name(binder.name) }) as const);
    const head: Expression =
      places.length === 0 ? name(left) : { kind: 'index', base: name(left), items: places, style: 'subscript', range };
    return {
      body: { kind: 'relation', operators: ['='], operands: [head, value], range },
      binders: written,
      conditions: [],
      definitions: [],
      label: null,
      range,
    };
  });
}

/**
 * The statements that define `symbol` as `body`, helpers first; null if the notation has no such statements. `reserved` are
 * names with a meaning of their own.
 */
export function termStatements(symbol: string, body: Term, reserved: Iterable<string>): readonly Statement[] | null {
  const names = newNames([...reserved, ...freeVariables(body), symbol]);
  const statements: Statement[] = [];
  let rest = body;
  while (rest.kind === 'let') {
    const text = nextName(names, /^\p{L}+$/u.test(rest.name) ? rest.name : 'c');
    const helper = definition(text, rest.value, names);
    if (helper === null) return null;
    names.taken.add(text);
    names.written.set(rest.name, text);
    statements.push(helper);
    rest = rest.body;
  }
  const main = definition(symbol, rest, names);
  return main && [...statements, main];
}

/** `term` as an expression over `reserved` names; null if the notation has none. */
export function termExpression(term: Term, reserved: Iterable<string>): Expression | null {
  return express(term, newNames([...reserved, ...freeVariables(term)]));
}
