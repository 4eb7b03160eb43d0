/** Function names of the notation that need no declaration. A declared name of the same text wins. */
import type { FunctionName } from '../../../math/functions.ts';
import type { Reduction } from './reductions.ts';

/** Functions of scalars, applied elementwise to tensors; with the number of arguments. */
export const scalarFunctions: ReadonlyMap<string, readonly [fn: FunctionName, arity: number]> = new Map([
  ['sqrt', ['sqrt', 1]],
  ['rsqrt', ['reciprocal-sqrt', 1]],
  ['exp', ['exp', 1]],
  ['expm1', ['expm1', 1]],
  ['log', ['log', 1]],
  ['ln', ['log', 1]],
  ['log1p', ['log1p', 1]],
  ['log2', ['log2', 1]],
  ['log_2', ['log2', 1]],
  ['log10', ['log10', 1]],
  ['log_10', ['log10', 1]],
  ['sin', ['sin', 1]],
  ['cos', ['cos', 1]],
  ['tan', ['tan', 1]],
  ['tanh', ['tanh', 1]],
  ['sinh', ['sinh', 1]],
  ['cosh', ['cosh', 1]],
  ['atan', ['atan', 1]],
  ['arctan', ['atan', 1]],
  ['erf', ['erf', 1]],
  ['sigmoid', ['sigmoid', 1]],
  ['logistic', ['sigmoid', 1]],
  ['σ', ['sigmoid', 1]],
  ['softplus', ['softplus', 1]],
  ['abs', ['absolute', 1]],
  ['sign', ['sign', 1]],
  ['sgn', ['sign', 1]],
  ['floor', ['floor', 1]],
  ['ceil', ['ceiling', 1]],
  ['ceiling', ['ceiling', 1]],
  ['round', ['round', 1]],
  ['clamp', ['clamp', 3]],
  ['clip', ['clamp', 3]],
  ['pow', ['power', 2]],
  ['mod', ['modulo', 2]],
  ['is_finite', ['is-finite', 1]],
  ['isfinite', ['is-finite', 1]],
  ['is_nan', ['is-nan', 1]],
  ['isnan', ['is-nan', 1]],
  ['ulp32', ['ulp32', 1]],
  ['ulp_distance', ['ulp-distance', 2]],
  ['fl32', ['round32', 1]],
  ['round32', ['round32', 1]],
  ['factorial', ['factorial', 1]],
] as const satisfies readonly (readonly [string, readonly [FunctionName, number]])[]);

/** Functions of all elements of a tensor; `max(a, b)` of scalars is the larger. */
export const tensorFunctions: ReadonlyMap<string, Reduction> = new Map([
  ['sum', 'sum'],
  ['prod', 'product'],
  ['product', 'product'],
  ['mean', 'mean'],
  ['max', 'max'],
  ['min', 'min'],
  ['argmax', 'argmax'],
  ['argmin', 'argmin'],
  ['all', 'all'],
  ['any', 'any'],
  ['count', 'count'],
] as const satisfies readonly (readonly [string, Reduction])[]);

/** Constants, with as many digits as the evaluation needs. */
export const constants: ReadonlyMap<string, FunctionName> = new Map([
  ['π', 'pi'],
  ['pi', 'pi'],
  ['e', 'e'],
]);

/** Names that papers define differently: if a formula defines one as a function, that definition is used. */
export const definedByAuthors: ReadonlySet<string> = new Set([
  'sigmoid',
  'logistic',
  'softplus',
  'mean',
  'norm',
  'variance',
  'var',
  'std',
  'dot',
] as const);

/** Every name above, and the functions that have a rule of their own. */
export const builtinNames: ReadonlySet<string> = new Set([
  ...scalarFunctions.keys(),
  ...tensorFunctions.keys(),
  ...constants.keys(),
  'norm',
  'variance',
  'var',
  'std',
  'dot',
  'transpose',
  'vjp',
  'jvp',
  'len',
  'length',
  'shape',
  'utf8',
  'code_points',
  'Φ',
  'Phi',
]);

/** Whether `name` is a word of the function table; single letters may be used for anything. */
export function isBuiltinWord(name: string): boolean {
  return name.length > 1 && builtinNames.has(name);
}
