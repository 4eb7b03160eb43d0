/** Domains of the tests, from a few words. */
import type { Bound, Domain, InputVariable, SizeVariable } from '../../src/math/domain.ts';
import { FLOAT32, INTEGER, REAL, type FloatFormat, type ScalarType, type Term } from '../../src/math/term/term.ts';

export const numeral = (value: number): Term => {
  const text = Object.is(value, -0) ? '0' : String(Math.abs(value));
  const magnitude: Term = { kind: 'number', value: text, type: REAL, origin: null };
  return value < 0 ? call('negate', magnitude) : magnitude;
};

export const name = (text: string): Term => ({ kind: 'variable', name: text, type: INTEGER, origin: null });

export function call(fn: Extract<Term, { kind: 'call' }>['fn'], ...args: Term[]): Term {
  const relation = ['less', 'less-equal', 'greater', 'greater-equal', 'equal', 'not-equal'].includes(fn);
  return { kind: 'call', fn, arguments: args, type: relation ? { kind: 'boolean' } : REAL, origin: null };
}

export const closed = (value: number): Bound => ({ value: numeral(value), open: false });
export const open = (value: number): Bound => ({ value: numeral(value), open: true });

export function size(
  sizeName: string,
  minimum: number,
  maximum: number,
  extra: Partial<SizeVariable> = {},
): SizeVariable {
  return { name: sizeName, minimum, maximum, multipleOf: 1, definition: null, ...extra };
}

export function input(
  variableName: string,
  shape: readonly (string | Term)[],
  extra: Partial<InputVariable> = {},
): InputVariable {
  return {
    name: variableName,
    element: FLOAT32,
    shape: shape.map((axis) => (typeof axis === 'string' ? name(axis) : axis)),
    lower: null,
    upper: null,
    choices: null,
    excluded: [],
    nonFinite: false,
    structure: 'none',
    ...extra,
  };
}

export const floats = (format: FloatFormat): ScalarType => ({ kind: 'float', format });

export function domain(
  sizes: readonly SizeVariable[],
  variables: readonly InputVariable[],
  preconditions: readonly Term[] = [],
): Domain {
  return { sizes, variables, preconditions };
}

/** `x ∈ F32^n, 1 ≤ n ≤ 512, |x_i| ≤ 1e4`. */
export const softmaxDomain: Domain = domain(
  [size('n', 1, 512)],
  [input('x', ['n'], { lower: closed(-1e4), upper: closed(1e4) })],
);
