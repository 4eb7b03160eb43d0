/** The attributes of each operator: an attribute of another type, or one that pv does not know, would silently mean something else. */
import { err, ok, type Result } from '../../../base/result.ts';
import type { Attribute } from './model.ts';

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

const window = {
  auto_pad: 'text',
  dilations: 'integers',
  kernel_shape: 'integers',
  pads: 'integers',
  strides: 'integers',
} as const;
const elementwise = { axis: 'integer', broadcast: 'flag', consumed_inputs: 'integers' } as const;
const reduction = { axes: 'integers', keepdims: 'flag', noop_with_empty_axes: 'flag' } as const;

/** Those of all opsets together. */
const attributesOf: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  Add: elementwise,
  Sub: elementwise,
  Mul: elementwise,
  Div: elementwise,
  Neg: { consumed_inputs: 'integers' },
  Abs: { consumed_inputs: 'integers' },
  Max: { consumed_inputs: 'integers' },
  Min: { consumed_inputs: 'integers' },
  Relu: { consumed_inputs: 'integers' },
  LeakyRelu: { alpha: 'float', consumed_inputs: 'integers' },
  PRelu: { consumed_inputs: 'integers' },
  Clip: { min: 'float', max: 'float', consumed_inputs: 'integers' },
  Conv: { ...window, group: 'integer' },
  MaxPool: { ...window, ceil_mode: 'flag', storage_order: 'flag' },
  AveragePool: { ...window, ceil_mode: 'flag', count_include_pad: 'flag' },
  GlobalAveragePool: {},
  MatMul: {},
  Gemm: { alpha: 'float', beta: 'float', transA: 'flag', transB: 'flag', broadcast: 'flag' },
  BatchNormalization: {
    epsilon: 'float',
    momentum: 'float',
    training_mode: 'flag',
    spatial: 'flag',
    is_test: 'flag',
    consumed_inputs: 'integers',
  },
  ReduceMean: reduction,
  ReduceSum: reduction,
  Identity: {},
  Dropout: { ratio: 'float', seed: 'integer', is_test: 'flag', consumed_inputs: 'integers' },
  Cast: { to: 'integer', saturate: 'flag' },
  Constant: {
    value: 'tensor',
    value_int: 'integer',
    value_ints: 'integers',
    value_float: 'float',
    value_floats: 'floats',
  },
  ConstantOfShape: { value: 'tensor' },
  Shape: { start: 'integer', end: 'integer' },
  Reshape: { allowzero: 'flag', shape: 'integers', consumed_inputs: 'integers' },
  Flatten: { axis: 'integer' },
  Squeeze: { axes: 'integers' },
  Unsqueeze: { axes: 'integers' },
  Transpose: { perm: 'integers' },
  Concat: { axis: 'integer' },
  Expand: {},
  Slice: { axes: 'integers', starts: 'integers', ends: 'integers' },
  Split: { axis: 'integer', split: 'integers', num_outputs: 'integer' },
  Gather: { axis: 'integer' },
  Pad: { mode: 'text', pads: 'integers', value: 'float' },
};

/** The attributes of an operator, each of the type that the operator gives it; a value that is left out is the zero of its type. */
export function checkAttributes(
  type: string,
  attributes: ReadonlyMap<string, Attribute>,
): Result<ReadonlyMap<string, Attribute>, string> {
  const known = new Map(Object.entries(attributesOf[type] ?? {}));
  const checked = new Map<string, Attribute>();
  for (const [name, attribute] of attributes) {
    const kind = known.get(name);
    if (kind === undefined) return err(`has the attribute '${name}', which pv does not know`);
    const wrongKind = Object.entries(codes).some(
      ([other, code]) => code !== codes[kind] && has(attribute, other as Kind),
    );
    if (wrongKind || (attribute.type !== null && attribute.type !== codes[kind]))
      return err(`has a value of another type for its attribute '${name}'`);
    if (kind === 'tensor' && attribute.tensor === null) return err(`has no value for its attribute '${name}'`);
    const whole: Attribute = {
      ...attribute,
      ...(kind === 'float' && { float: attribute.float ?? 0 }),
      ...((kind === 'integer' || kind === 'flag') && { integer: attribute.integer ?? 0 }),
      ...(kind === 'text' && { text: attribute.text ?? '' }),
    };
    if (kind === 'flag' && whole.integer !== 0 && whole.integer !== 1)
      return err(`has ${whole.integer} for its attribute '${name}', which must be 0 or 1`);
    checked.set(name, whole);
  }
  return ok(checked);
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
