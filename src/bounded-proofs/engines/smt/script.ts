/** Statements as SMT-LIB 2 text (smt-lib.org, version 2.6): one script per question, the same for every solver. */
import { present } from '../../../base/invariant.ts';
import type { Rational } from '../../../numeric/rational.ts';
import { argumentsOf } from '../../arguments-of.ts';
import type { BooleanExpression, Expression, NumberExpression } from '../../expression.ts';
import { noAxioms, unionOf, type AxiomSet } from './axiom-set.ts';
import type { Knowledge } from './known.ts';
import type { Lemma } from './lemma.ts';
import { isLinear } from './linear.ts';

/** What a solver is asked. */
export interface Question {
  /** The question is whether all of these can hold together. */
  readonly assertions: readonly BooleanExpression[];
  readonly lemmas: readonly Lemma[];
  /** Added if they share an unknown with the assertions. */
  readonly premises: readonly BooleanExpression[];
  /** Whether products, quotients and roots are stated exactly, which makes the question nonlinear. */
  readonly nonlinear: boolean;
}

/** A question as text, with what is needed to read the answer. */
export interface Script {
  /** Declarations and assertions, without options and commands: equal questions have equal texts. */
  readonly text: string;
  readonly logic: string;
  /** The symbols of the problem's variables, in the order of declaration. */
  readonly variables: readonly { readonly symbol: string; readonly node: NumberExpression }[];
  /** The values of the problem's variables, from those of the symbols. */
  readonly valuesByName: (values: ReadonlyMap<string, Rational>) => ReadonlyMap<string, Rational>;
  readonly axioms: AxiomSet;
}

type Sort = 'Int' | 'Real';

/** Declares every number that occurs, with what is known about it, and asserts the question. */
export function writeScript(question: Question, knowledge: Knowledge): Script {
  const writer = createWriter(knowledge, question.nonlinear);
  let axioms = noAxioms;
  for (const assertion of question.assertions) writer.assert(assertion);
  for (const lemma of question.lemmas) {
    writer.assert(lemma.formula);
    axioms = unionOf(axioms, lemma.axioms);
  }
  let waiting = question.premises;
  for (let before = -1; before !== waiting.length;) {
    before = waiting.length;
    const reached = waiting.filter((premise) => writer.knowsSomeOf(premise));
    for (const premise of reached) writer.assert(premise);
    waiting = waiting.filter((premise) => !reached.includes(premise));
  }
  return { ...writer.end(), axioms: unionOf(axioms, writer.axioms()) };
}

function createWriter(knowledge: Knowledge, nonlinear: boolean) {
  const lines: string[] = [];
  const texts = new Map<number, string>();
  const variables: { readonly symbol: string; readonly node: NumberExpression }[] = [];
  const sorts = new Set<Sort>();
  let axioms = noAxioms;
  let hasProducts = false;

  const isInline = (node: NumberExpression): boolean => isLinear(node) || (nonlinear && node.kind === 'multiply');
  const sortOf = (node: NumberExpression): Sort => sortIn(knowledge, node);
  const textOf = (node: NumberExpression, sort: Sort): string => {
    if (node.kind === 'constant') return literal(node.value, sort);
    const text = present(texts.get(node.id), 'a number is written before what it is part of');
    return sort === sortOf(node) ? text : `(to_real ${text})`;
  };

  /** Declares everything that the node depends on; arguments first, without recursion. */
  const prepare = (root: Expression): void => {
    const stack: Expression[] = [root];
    const opened = new Set<number>();
    for (let node = stack.at(-1); node !== undefined; node = stack.at(-1)) {
      if (texts.has(node.id)) stack.pop();
      else if (opened.has(node.id)) {
        stack.pop();
        texts.set(node.id, node.sort === 'number' ? writeNumber(node) : writeBoolean(node, booleans));
      } else {
        opened.add(node.id);
        const needed = node.sort === 'number' && !isInline(node) ? [] : argumentsOf(node);
        stack.push(...needed.toReversed().filter(({ id }) => !texts.has(id)));
      }
    }
  };

  const truthOf = (node: BooleanExpression): string =>
    present(texts.get(node.id), 'a truth value is written before what it is part of');
  const booleans: BooleanParts = { textOf, truthOf, isInteger: knowledge.isInteger };

  const writeNumber = (node: NumberExpression): string => {
    const sort = sortOf(node);
    const argument = (each: NumberExpression): string => textOf(each, sort);
    switch (node.kind) {
      case 'constant':
        return literal(node.value, sort);
      case 'negate':
        return `(- ${argument(node.operand)})`;
      case 'add':
        return name(sort, `(+ ${argument(node.left)} ${argument(node.right)})`);
      case 'multiply':
        if (!isInline(node)) return declare(node, sort);
        hasProducts ||= !isLinear(node);
        return name(sort, `(* ${argument(node.left)} ${argument(node.right)})`);
      case 'divide':
        if (isLinear(node)) return `(/ ${argument(node.left)} ${argument(node.right)})`;
        return declare(node, sort);
      default:
        return declare(node, sort);
    }
  };
  const name = (sort: Sort, text: string): string => {
    const symbol = `t${lines.length}`;
    lines.push(`(define-fun ${symbol} () ${sort} ${text})`);
    return symbol;
  };
  const declare = (node: NumberExpression, sort: Sort): string => {
    const symbol = `v${lines.length}`;
    sorts.add(sort);
    lines.push(`(declare-fun ${symbol} () ${sort})`);
    texts.set(node.id, symbol);
    if (node.kind === 'variable') variables.push({ symbol, node });
    const known = boundsOf(node, { knowledge, sort, symbol });
    lines.push(...known.lines);
    axioms = unionOf(axioms, known.axioms);
    if (nonlinear) defineExactly(node, symbol);
    return symbol;
  };

  const defineExactly = (node: NumberExpression, symbol: string): void => {
    if (node.kind === 'divide') {
      prepare(node.left);
      prepare(node.right);
      const [a, b] = [textOf(node.left, 'Real'), textOf(node.right, 'Real')];
      lines.push(`(assert (=> (not (= ${b} 0.0)) (= (* ${symbol} ${b}) ${a})))`);
      hasProducts = true;
    } else if (node.kind === 'sqrt') {
      prepare(node.operand);
      const a = textOf(node.operand, 'Real');
      lines.push(`(assert (=> (<= 0.0 ${a}) (and (<= 0.0 ${symbol}) (= (* ${symbol} ${symbol}) ${a}))))`);
      hasProducts = true;
    }
  };

  return {
    assert: (formula: BooleanExpression): void => {
      prepare(formula);
      lines.push(`(assert ${texts.get(formula.id)})`);
    },
    knowsSomeOf: (formula: BooleanExpression): boolean => leavesOf(formula, isInline).some(({ id }) => texts.has(id)),
    axioms: () => axioms,
    end: (): Omit<Script, 'axioms'> => ({
      text: lines.join('\n'),
      logic: logicOf(sorts, hasProducts),
      variables,
      valuesByName: (values) => byName(variables, values),
    }),
  };
}

/** What is known about a number whatever the claim: its range, its sign, its choices. */
function boundsOf(
  node: NumberExpression,
  { knowledge, sort, symbol }: { readonly knowledge: Knowledge; readonly sort: Sort; readonly symbol: string },
): { readonly lines: readonly string[]; readonly axioms: AxiomSet } {
  const lines: string[] = [];
  const range = knowledge.range(node);
  const positive = knowledge.positive(node);
  const low = range.low && (sort === 'Int' ? ceiling(range.low) : range.low);
  const high = range.high && (sort === 'Int' ? floor(range.high) : range.high);
  if (low) lines.push(`(assert (<= ${literal(low, sort)} ${symbol}))`);
  if (high) lines.push(`(assert (<= ${symbol} ${literal(high, sort)}))`);
  if (positive && !(low && low.numerator > 0n)) lines.push(`(assert (< ${sort === 'Int' ? '0' : '0.0'} ${symbol}))`);
  const choices = node.kind === 'variable' ? knowledge.variable(node.name)?.choices : null;
  if (choices)
    lines.push(`(assert (or false ${choices.map((value) => `(= ${symbol} ${literal(value, sort)})`).join(' ')}))`);
  return { lines, axioms: unionOf(range.axioms, positive ?? noAxioms) };
}

function byName(variables: Script['variables'], values: ReadonlyMap<string, Rational>): ReadonlyMap<string, Rational> {
  const named = variables.flatMap(({ symbol, node }) => {
    const value = values.get(symbol);
    return node.kind === 'variable' && value ? [[node.name, value] as const] : [];
  });
  return new Map(named);
}

function sortIn({ isInteger }: Knowledge, node: NumberExpression): Sort {
  return isInteger(node) ? 'Int' : 'Real';
}

interface BooleanParts {
  readonly textOf: (node: NumberExpression, sort: Sort) => string;
  readonly truthOf: (node: BooleanExpression) => string;
  readonly isInteger: (node: NumberExpression) => boolean;
}

function writeBoolean(node: BooleanExpression, { textOf, truthOf, isInteger }: BooleanParts): string {
  switch (node.kind) {
    case 'truth':
      return String(node.value);
    case 'not':
      return `(not ${truthOf(node.operand)})`;
    case 'and':
    case 'or':
      return `(${node.kind} ${node.operands.map(truthOf).join(' ')})`;
    case 'less':
    case 'less-equal':
    case 'equal': {
      const sort = isInteger(node.left) && isInteger(node.right) ? 'Int' : 'Real';
      const relation = { less: '<', 'less-equal': '<=', equal: '=' }[node.kind];
      return `(${relation} ${textOf(node.left, sort)} ${textOf(node.right, sort)})`;
    }
  }
}

/** The numbers of a formula that the script declares as unknowns. */
function leavesOf(
  formula: BooleanExpression,
  isInline: (node: NumberExpression) => boolean,
): readonly NumberExpression[] {
  const leaves = new Set<NumberExpression>();
  const seen = new Set<Expression>([formula]);
  const stack: Expression[] = [formula];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.sort === 'number' && (node.kind === 'variable' || !isInline(node))) {
      leaves.add(node);
      continue;
    }
    for (const argument of argumentsOf(node)) {
      if (seen.has(argument)) continue;
      seen.add(argument);
      stack.push(argument);
    }
  }
  return [...leaves];
}

function logicOf(sorts: ReadonlySet<Sort>, hasProducts: boolean): string {
  if (sorts.size === 2) return 'ALL';
  return `QF_${hasProducts ? 'N' : 'L'}${sorts.has('Int') ? 'I' : 'R'}A`;
}

function literal({ numerator, denominator }: Rational, sort: Sort): string {
  const suffix = sort === 'Int' ? '' : '.0';
  const magnitude = numerator < 0n ? -numerator : numerator;
  const text = denominator === 1n ? `${magnitude}${suffix}` : `(/ ${magnitude}.0 ${denominator}.0)`;
  return numerator < 0n ? `(- ${text})` : text;
}

function floor({ numerator, denominator }: Rational): Rational {
  const quotient = numerator / denominator;
  return { numerator: numerator % denominator < 0n ? quotient - 1n : quotient, denominator: 1n };
}

function ceiling(value: Rational): Rational {
  const { numerator } = floor({ ...value, numerator: -value.numerator });
  return { numerator: -numerator, denominator: 1n };
}
