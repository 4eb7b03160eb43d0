/** Expressions from the text that `printProofExpression` writes, so that a test reads as the mathematics that it is about. */
import { argumentsOf } from '../../src/bounded-proofs/arguments-of.ts';
import { printProofExpression } from '../../src/bounded-proofs/print-expression.ts';
import {
  elementaryFunctions,
  Graph,
  type BooleanExpression,
  type Expression,
  type NumberExpression,
} from '../../src/bounded-proofs/expression.ts';
import type { ProofProblem, ProofVariable } from '../../src/bounded-proofs/problem.ts';
import { divideRational, fraction, fromFloat, type Rational } from '../../src/numeric/rational.ts';

/** The ends of a variable and what numbers it takes; null where it has no end. */
export type Domain = readonly [low: number | null, high: number | null, format?: ProofVariable['format']];

export interface Given {
  /** By name; a variable that is not named is a float32 in [−10, 10]. */
  readonly over?: Readonly<Record<string, Domain>>;
  readonly premises?: readonly string[];
}

/** The problem of whether the claim follows from the premises. */
export function problemIn(graph: Graph, claim: string, { over = {}, premises = [] }: Given = {}): ProofProblem {
  const conclusion = truth(graph, claim);
  const assumed = premises.map((premise) => truth(graph, premise));
  const variables = variablesBelow([conclusion, ...assumed]).map((expression): ProofVariable => {
    const [low, high, format = 'f32'] = over[expression.name] ?? [-10, 10];
    return { expression, name: expression.name, format, low: end(low), high: end(high), choices: null };
  });
  return { graph, variables, premises: assumed, conclusion };
}

function variablesBelow(roots: readonly Expression[]): readonly (NumberExpression & { readonly kind: 'variable' })[] {
  const seen = new Set(roots);
  for (const node of seen) for (const part of argumentsOf(node)) seen.add(part);
  return [...seen].flatMap((node) => (node.kind === 'variable' ? [node] : []));
}

export function problem(claim: string, given?: Given): ProofProblem {
  return problemIn(new Graph(), claim, given);
}

export function number(graph: Graph, text: string): NumberExpression {
  const made = parse(graph, text);
  if (made.sort !== 'number') throw new Error(`${text} is a statement`);
  return made;
}

export function truth(graph: Graph, text: string): BooleanExpression {
  const made = parse(graph, text);
  if (made.sort !== 'boolean') throw new Error(`${text} is a number`);
  return made;
}

/** On one line, with names for what is repeated after it. */
export function print(expression: Expression): string {
  return printProofExpression(expression).replaceAll('\n  ', '; ');
}

const token = /\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?|[a-z√][a-z0-9_-]*(?:\[[\d,]+\])?(?:₃₂)?|⟹|[<≤=∧∨¬+−·/%()|?:,])/giy;

function end(value: number | null): Rational | null {
  return value === null ? null : fromFloat(value);
}

function parse(graph: Graph, text: string): Expression {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) tokens.push(match[1] ?? '');
  if (tokens.join('') !== text.replaceAll(/\s/g, '')) throw new Error(`cannot read ${text}`);
  const peek = (): string => tokens[0] ?? '';
  const take = (wanted?: string): string => {
    const next = tokens.shift();
    if (next === undefined || (wanted !== undefined && next !== wanted))
      throw new Error(`${text}: ${wanted} expected before ${[next, ...tokens].join(' ')}`);
    return next;
  };
  const asNumber = (made: Expression): NumberExpression => {
    if (made.sort !== 'number') throw new Error(`${text}: a number is expected before ${tokens.join(' ')}`);
    return made;
  };
  const asTruth = (made: Expression): BooleanExpression => {
    if (made.sort !== 'boolean') throw new Error(`${text}: a statement is expected before ${tokens.join(' ')}`);
    return made;
  };
  const implication = (): Expression => {
    const left = junction('∨');
    if (peek() !== '⟹') return left;
    take();
    return graph.implies(asTruth(left), asTruth(implication()));
  };
  const junction = (symbol: '∨' | '∧'): Expression => {
    const part = symbol === '∨' ? () => junction('∧') : comparison;
    const first = part();
    if (peek() !== symbol) return first;
    const parts = [asTruth(first)];
    while (peek() === symbol) {
      take();
      parts.push(asTruth(part()));
    }
    return symbol === '∨' ? graph.or(parts) : graph.and(parts);
  };
  const comparison = (): Expression => {
    const left = sum();
    if (!['<', '≤', '='].includes(peek())) return left;
    const relation = take();
    const [a, b] = [asNumber(left), asNumber(sum())];
    return relation === '<' ? graph.less(a, b) : relation === '≤' ? graph.lessEqual(a, b) : graph.equal(a, b);
  };
  const sum = (): Expression => {
    let left = product();
    while (peek() === '+' || peek() === '−') {
      const isPlus = take() === '+';
      const [a, b] = [asNumber(left), asNumber(product())];
      left = isPlus ? graph.add(a, b) : graph.subtract(a, b);
    }
    return left;
  };
  const product = (): Expression => {
    let left = unary();
    while (['·', '/', '%', 'mod'].includes(peek())) {
      const symbol = take();
      const [a, b] = [asNumber(left), asNumber(unary())];
      left =
        symbol === '·'
          ? graph.multiply(a, b)
          : symbol === '/'
            ? graph.divide(a, b)
            : symbol === '%'
              ? graph.remainder(a, b)
              : graph.modulo(a, b);
    }
    return left;
  };
  const unary = (): Expression => {
    if (peek() === '−') {
      take();
      return graph.negate(asNumber(unary()));
    }
    if (peek() !== '¬') return atom();
    take();
    return graph.not(asTruth(unary()));
  };
  const atom = (): Expression => {
    const word = take();
    if (/^\d/.test(word)) return graph.constant(decimal(word));
    if (word === 'true' || word === 'false') return graph.truth(word === 'true');
    if (word === '|') {
      const inner = asNumber(sum());
      take('|');
      return graph.absolute(inner);
    }
    if (word === '(') {
      const inner = implication();
      const made = peek() === '?' ? choice(asTruth(inner)) : inner;
      take(')');
      return made;
    }
    return peek() === '(' ? call(word) : graph.variable(word);
  };
  const choice = (condition: BooleanExpression): Expression => {
    take('?');
    const then = asNumber(implication());
    take(':');
    return graph.if(condition, then, asNumber(implication()));
  };
  const call = (fn: string): Expression => {
    take('(');
    const given = [asNumber(sum())];
    while (peek() === ',') {
      take();
      given.push(asNumber(sum()));
    }
    take(')');
    const [a, b] = given;
    if (a && b) return ofTwo(graph, fn, a, b);
    if (!a) throw new Error(`${text}: ${fn} of nothing`);
    return ofOne(graph, fn, a);
  };
  const made = implication();
  if (tokens.length > 0) throw new Error(`${text}: not read: ${tokens.join(' ')}`);
  return made;
}

function ofTwo(graph: Graph, fn: string, a: NumberExpression, b: NumberExpression): NumberExpression {
  switch (fn) {
    case 'min':
      return graph.minimum(a, b);
    case 'max':
      return graph.maximum(a, b);
    case 'pow':
      return graph.power(a, b);
    case 'pow₃₂':
      return graph.machinePower(a, b);
    default:
      throw new Error(`${fn} of two numbers`);
  }
}

function ofOne(graph: Graph, fn: string, a: NumberExpression): NumberExpression {
  const elementary = elementaryFunctions.find((each) => fn === each || fn === `${each}₃₂`);
  if (elementary) return fn.endsWith('₃₂') ? graph.machine(elementary, a) : graph.apply(elementary, a);
  switch (fn) {
    case 'fl':
      return graph.round32(a);
    case '√':
      return graph.sqrt(a);
    case 'floor':
    case 'ceiling':
    case 'truncate':
    case 'round-half-even':
    case 'round-half-up':
      return graph.step(fn, a);
    default:
      throw new Error(`${fn} of a number`);
  }
}

/** A decimal exactly, as it is written. */
function decimal(text: string): Rational {
  const [, whole = '0', part = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text) ?? [];
  const digits = fraction(BigInt(whole + part));
  const shift = part.length - Number(exponent);
  return shift >= 0
    ? divideRational(digits, fraction(10n ** BigInt(shift)))
    : fraction(digits.numerator * 10n ** BigInt(-shift));
}
