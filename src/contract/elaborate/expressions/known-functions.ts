/**
 * Functions that papers use without defining them, each as a contract of this project states it (silu-kernel-v1, activation-kernel-v1,
 * softmax-kernel-v1). A definition of the author's wins.
 */
import { readNotation } from '../../../math/notation/read.ts';
import type { Definition } from '../context/scope.ts';
import { childScope } from '../context/scope.ts';

/** Formulas by the number of axes of the argument. */
type Known = readonly (string | null)[];

const silu: Known = [
  'f(x) = x / (1 + exp(-x))',
  'f(x)_i = x_i / (1 + exp(-x_i))',
  'f(x)_{i,j} = x_{i,j} / (1 + exp(-x_{i,j}))',
];
const relu: Known = ['f(x) = max(0, x)', 'f(x)_i = max(0, x_i)', 'f(x)_{i,j} = max(0, x_{i,j})'];
const softmax: Known = [
  null,
  'f(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))',
  'f(x)_{i,j} = exp(x_{i,j} - max_k x_{i,k}) / Σ_k exp(x_{i,k} - max_l x_{i,l})',
];

const functions: ReadonlyMap<string, Known> = new Map([
  ['softmax', softmax],
  ['SiLU', silu],
  ['silu', silu],
  ['swish', silu],
  ['ReLU', relu],
  ['relu', relu],
]);

/** Functions of two arguments that mean an operator. */
const operators: ReadonlyMap<string, '@'> = new Map([['matmul', '@']]);

/** Names of the binomial coefficient, which counts: its arguments are whole numbers. */
const binomials: ReadonlySet<string> = new Set(['C', 'binom', 'binomial', 'comb']);

/** Their names. */
export const knownFunctionNames: readonly string[] = [...functions.keys(), ...operators.keys(), ...binomials];

/** Whether `name` is one of these functions. */
export function isKnownFunction(name: string): boolean {
  return functions.has(name) || operators.has(name) || binomials.has(name);
}

/** `@` of matmul(A, B). */
export function knownOperator(name: string): '@' | null {
  return operators.get(name) ?? null;
}

/** Whether `name(n, k)` is the binomial coefficient. */
export const isBinomial = (name: string): boolean => binomials.has(name);

/** The definition of the function `name` for an argument with `rank` axes; of matrices, each row is one argument. */
export function knownFunction(name: string, rank: number): Definition | null {
  const formula = functions.get(name)?.[rank] ?? null;
  if (formula === null) return null;
  const span = { source: { path: '(known functions)', text: formula }, range: { start: 0, end: formula.length } };
  const text = { text: formula, span, notation: readNotation(formula, 'formula'), offsetInSource: (at: number) => at };
  const body = text.notation.statements[0]?.body;
  const [left, right] = body?.kind === 'relation' ? body.operands : [];
  if (!left || !right) return null;
  const indices = left.kind === 'index' ? left.items.flatMap((item) => (item.kind === 'at' ? [item.value] : [])) : [];
  const cases = [{ indices, body: right, binders: [], text, range: right.range }];
  return { name, parameters: ['x'], cases, text, scope: childScope(null) };
}
