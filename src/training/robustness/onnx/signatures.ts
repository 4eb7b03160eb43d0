/**
 * The inputs and attributes of each operator in each version of the standard operators. An input or attribute that its version does
 * not have, or of another type, is ignored by some engines and means something to others.
 */
import { err, ok, type Result } from '../../../base/result.ts';
import type { Attribute } from './attribute.ts';
import type { Operator } from './model.ts';
import type { Constant, Value } from './values.ts';

type Kind = 'float' | 'integer' | 'flag' | 'text' | 'tensor' | 'floats' | 'integers';

/** AttributeProto.type. */
const codes: Readonly<Record<Kind, number>> = {
  float: 1,
  integer: 2,
  flag: 2,
  text: 3,
  tensor: 4,
  floats: 6,
  integers: 7,
};

/** An attribute, or one of the versions from `since` to `until` only. */
type Rule = Kind | { readonly kind: Kind; readonly since?: number; readonly until?: number };

interface Signature {
  /**
   * The inputs, from each version on. N is a number, T of any type, and all of both are of one type; I is an integer, X is anything.
   * Small letters are optional, and the input before a + may be repeated.
   */
  readonly inputs: Readonly<Record<number, string>>;
  readonly outputs?: number;
  readonly attributes?: Readonly<Record<string, Rule>>;
}

const legacy = { consumed_inputs: { kind: 'integers', until: 5 } } as const;
const elementwise: Signature = {
  inputs: { 1: 'NN' },
  attributes: { axis: { kind: 'integer', until: 6 }, broadcast: { kind: 'flag', until: 6 }, ...legacy },
};
const window = { auto_pad: 'text', kernel_shape: 'integers', pads: 'integers', strides: 'integers' } as const;
const reduction = (since: number): Signature => ({
  inputs: { 1: 'N', [since]: 'Ni' },
  attributes: {
    axes: { kind: 'integers', until: since - 1 },
    keepdims: 'flag',
    noop_with_empty_axes: { kind: 'flag', since },
  },
});

const signatures: Readonly<Record<string, Signature>> = {
  Add: elementwise,
  Sub: elementwise,
  Mul: elementwise,
  Div: elementwise,
  Neg: { inputs: { 1: 'N' }, attributes: legacy },
  Abs: { inputs: { 1: 'N' }, attributes: legacy },
  Max: { inputs: { 1: 'N+' }, attributes: legacy },
  Min: { inputs: { 1: 'N+' }, attributes: legacy },
  Relu: { inputs: { 1: 'N' }, attributes: legacy },
  LeakyRelu: { inputs: { 1: 'N' }, attributes: { alpha: 'float', ...legacy } },
  PRelu: { inputs: { 1: 'NN' }, attributes: legacy },
  Clip: {
    inputs: { 1: 'N', 11: 'Nnn' },
    attributes: { min: { kind: 'float', until: 10 }, max: { kind: 'float', until: 10 }, ...legacy },
  },
  Conv: { inputs: { 1: 'NNn' }, attributes: { ...window, dilations: 'integers', group: 'integer' } },
  MaxPool: {
    inputs: { 1: 'N' },
    outputs: 2,
    attributes: {
      ...window,
      ceil_mode: { kind: 'flag', since: 10 },
      dilations: { kind: 'integers', since: 10 },
      storage_order: { kind: 'flag', since: 8 },
    },
  },
  AveragePool: {
    inputs: { 1: 'N' },
    attributes: {
      ...window,
      ceil_mode: { kind: 'flag', since: 10 },
      count_include_pad: { kind: 'flag', since: 7 },
      dilations: { kind: 'integers', since: 19 },
    },
  },
  GlobalAveragePool: { inputs: { 1: 'N' } },
  MatMul: { inputs: { 1: 'NN' } },
  Gemm: {
    inputs: { 1: 'NNN', 11: 'NNn' },
    attributes: {
      alpha: 'float',
      beta: 'float',
      transA: 'flag',
      transB: 'flag',
      broadcast: { kind: 'flag', until: 6 },
    },
  },
  BatchNormalization: {
    inputs: { 1: 'NNNNN' },
    outputs: 5,
    attributes: {
      epsilon: 'float',
      momentum: 'float',
      training_mode: { kind: 'flag', since: 14 },
      spatial: { kind: 'flag', until: 8 },
      is_test: { kind: 'flag', until: 6 },
      ...legacy,
    },
  },
  ReduceMean: reduction(18),
  ReduceSum: reduction(13),
  Identity: { inputs: { 1: 'T' } },
  Dropout: {
    inputs: { 1: 'T', 12: 'Txx' },
    outputs: 2,
    attributes: {
      ratio: { kind: 'float', until: 11 },
      seed: { kind: 'integer', since: 12 },
      is_test: { kind: 'flag', until: 6 },
      ...legacy,
    },
  },
  Cast: {
    inputs: { 1: 'T' },
    attributes: { to: { kind: 'integer', since: 6 }, saturate: { kind: 'flag', since: 19 } },
  },
  Constant: {
    inputs: { 1: '' },
    attributes: {
      value: 'tensor',
      value_int: { kind: 'integer', since: 12 },
      value_ints: { kind: 'integers', since: 12 },
      value_float: { kind: 'float', since: 12 },
      value_floats: { kind: 'floats', since: 12 },
    },
  },
  ConstantOfShape: { inputs: { 9: 'I' }, attributes: { value: 'tensor' } },
  Shape: {
    inputs: { 1: 'T' },
    attributes: { start: { kind: 'integer', since: 15 }, end: { kind: 'integer', since: 15 } },
  },
  Reshape: {
    inputs: { 1: 'T', 5: 'TI' },
    attributes: {
      allowzero: { kind: 'flag', since: 14 },
      shape: { kind: 'integers', until: 4 },
      consumed_inputs: { kind: 'integers', until: 4 },
    },
  },
  Flatten: { inputs: { 1: 'T' }, attributes: { axis: 'integer' } },
  Squeeze: { inputs: { 1: 'T', 13: 'Ti' }, attributes: { axes: { kind: 'integers', until: 12 } } },
  Unsqueeze: { inputs: { 1: 'T', 13: 'TI' }, attributes: { axes: { kind: 'integers', until: 12 } } },
  Transpose: { inputs: { 1: 'T' }, attributes: { perm: 'integers' } },
  Concat: { inputs: { 1: 'T+' }, attributes: { axis: 'integer' } },
  Expand: { inputs: { 8: 'TI' } },
  Slice: {
    inputs: { 1: 'T', 10: 'TIIii' },
    attributes: {
      axes: { kind: 'integers', until: 9 },
      starts: { kind: 'integers', until: 9 },
      ends: { kind: 'integers', until: 9 },
    },
  },
  Split: {
    inputs: { 1: 'Ti', 2: 'T', 13: 'Ti' },
    outputs: Infinity,
    attributes: {
      axis: 'integer',
      split: { kind: 'integers', until: 12 },
      num_outputs: { kind: 'integer', since: 18 },
    },
  },
  Gather: { inputs: { 1: 'TI' }, attributes: { axis: 'integer' } },
  Pad: {
    inputs: { 1: 'T', 11: 'TIt', 18: 'TIti' },
    attributes: {
      mode: 'text',
      pads: { kind: 'integers', since: 2, until: 10 },
      value: { kind: 'float', until: 10 },
    },
  },
};

/** What is wrong with the number or the types of the inputs and outputs of an operator; null if nothing is. */
export function inputFault(
  { type, outputs }: Operator,
  opset: number,
  inputs: readonly (Value | null)[],
  float: 'float32' | 'float64',
): string | null {
  const { inputs: versions, outputs: most = 1 } = signatures[type] ?? { inputs: {} };
  const letters = Object.entries(versions).findLast(([since]) => Number(since) <= opset)?.[1];
  if (letters === undefined) return `is not in opset ${opset}`;
  const isRepeated = letters.endsWith('+');
  if ((inputs.length > letters.length && !isRepeated) || outputs.length > most)
    return `has ${inputs.length} inputs and ${outputs.length} outputs, more than in opset ${opset}`;
  const each = isRepeated ? (letters[0] ?? '').repeat(Math.max(inputs.length, 1)) : letters;
  const types = [...each].map((_, k) => {
    const value = inputs[k];
    return value ? (value.kind === 'variable' ? float : value.type) : null;
  });
  return typeFault(each, types);
}

/** What is wrong with the types of inputs, null where they are left out. */
function typeFault(letters: string, types: readonly (Constant['type'] | null)[]): string | null {
  let common: Constant['type'] | null = null;
  for (const [k, letter] of [...letters].entries()) {
    const type = types[k] ?? null;
    const kind = letter.toUpperCase();
    if (type === null && letter === kind) return `its input ${k + 1} is missing`;
    if (type === null || kind === 'X') continue;
    if (kind === 'I' ? type !== 'integer' : kind === 'N' && type === 'boolean')
      return `its input ${k + 1} is of the type ${type}`;
    if (kind === 'I') continue;
    if (common !== null && type !== common) return `its inputs are of the types ${common} and ${type}`;
    common = type;
  }
  return null;
}

/** The attributes of an operator, each of the type that the operator gives it; a value that is left out is the zero of its type. */
export function checkAttributes(
  { type, attributes }: Operator,
  opset: number,
): Result<ReadonlyMap<string, Attribute>, string> {
  const rules = new Map(Object.entries(signatures[type]?.attributes ?? {}));
  const checked = new Map<string, Attribute>();
  for (const [name, attribute] of attributes) {
    const rule = rules.get(name);
    if (rule === undefined) return err(`has the attribute '${name}', which pv does not know`);
    const { kind, since = 1, until = Infinity } = typeof rule === 'string' ? { kind: rule } : rule;
    if (opset < since || opset > until) return err(`has the attribute '${name}', which opset ${opset} does not have`);
    const whole = ofKind(name, attribute, kind);
    if (!whole.ok) return whole;
    checked.set(name, whole.value);
  }
  return ok(checked);
}

function ofKind(name: string, attribute: Attribute, kind: Kind): Result<Attribute, string> {
  const isOther = Object.entries(codes).some(([other, code]) => code !== codes[kind] && has(attribute, other as Kind));
  if (isOther || (attribute.type !== null && attribute.type !== codes[kind]))
    return err(`has a value of another type for its attribute '${name}'`);
  if (kind === 'tensor' && attribute.tensor === null) return err(`has no value for its attribute '${name}'`);
  const { float, integer, text } = attribute;
  if (kind === 'flag' && integer !== null && integer !== 0 && integer !== 1)
    return err(`has ${integer} for its attribute '${name}', which must be 0 or 1`);
  return ok({
    ...attribute,
    ...(kind === 'float' && { float: float ?? 0 }),
    ...((kind === 'integer' || kind === 'flag') && { integer: integer ?? 0 }),
    ...(kind === 'text' && { text: text ?? '' }),
  });
}

function has({ float, integer, text, tensor, floats, integers }: Attribute, kind: Kind): boolean {
  const given = {
    float: float !== null,
    integer: integer !== null,
    flag: integer !== null,
    text: text !== null,
    tensor: tensor !== null,
    floats: floats.length > 0,
    integers: integers.length > 0,
  };
  return given[kind];
}
