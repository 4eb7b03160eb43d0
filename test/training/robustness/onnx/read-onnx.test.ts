/**
 * Models that `readOnnx` reads as the functions that they are, and files that it refuses.
 *
 * Holds src/training/robustness/onnx/activations.ts, src/training/robustness/onnx/arithmetic.ts,
 * src/training/robustness/onnx/attribute.ts, src/training/robustness/onnx/budget.ts,
 * src/training/robustness/onnx/messages.ts, src/training/robustness/onnx/signatures.ts,
 * src/training/robustness/onnx/builder.ts, src/training/robustness/onnx/convolution.ts,
 * src/training/robustness/onnx/model.ts, src/training/robustness/onnx/normalisation.ts,
 * src/training/robustness/onnx/parts.ts, src/training/robustness/onnx/places.ts,
 * src/training/robustness/onnx/products.ts, src/training/robustness/onnx/tensor.ts,
 * src/training/robustness/onnx/values.ts, src/training/robustness/onnx/wire.ts, src/training/robustness/sparse-
 * rows.ts.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { certify } from '../../../../src/training/robustness/certify.ts';
import { createEvaluator } from '../../../../src/training/robustness/evaluate.ts';
import type { Arithmetic } from '../../../../src/training/robustness/rounding.ts';
import { readOnnx } from '../../../../src/training/robustness/onnx/read-onnx.ts';
import {
  bytesField,
  integerField,
  join,
  onnxFile,
  smallModel,
  tensorBytes,
  type TestModel,
  type TestOperator,
  type TestTensor,
} from '../../../support/onnx-file.ts';
import { hasRobustnessData, jsonAt, networkAt, robustnessData } from '../../../support/robustness-data.ts';

/** What the network of a model returns. */
function outputsOf(model: TestModel, x: readonly number[]): readonly number[] {
  const read = readOnnx(onnxFile(model));
  if (!read.ok) throw new Error(`${read.error.code} ${read.error.message}`);
  return [...createEvaluator(read.value)(x)];
}

const codeOf = (bytes: Uint8Array): string => {
  const read = readOnnx(bytes);
  return read.ok ? 'read' : read.error.code;
};
const refusal = (model: TestModel): string => codeOf(onnxFile(model));

/** A model of one operator from x to y. */
const one = (
  type: string,
  shape: readonly number[],
  attributes: TestOperator['attributes'] = {},
  weights: Readonly<Record<string, TestTensor>> = {},
): TestModel => ({
  operators: [{ type, inputs: ['x', ...Object.keys(weights)], outputs: ['y'], attributes }],
  weights,
  inputs: { x: shape },
});

/** x plus what an operator computes of constants. */
const computed = (
  type: string,
  w: TestTensor,
  v: TestTensor | null,
  attributes: TestOperator['attributes'] = {},
): TestModel => ({
  operators: [
    { type, inputs: v === null ? ['w'] : ['w', 'v'], outputs: ['c'], attributes },
    ...(type === 'Cast' ? [] : [{ type: 'Cast', inputs: ['c'], outputs: ['d'], attributes: { to: 1 } }]),
    { type: 'Add', inputs: ['x', type === 'Cast' ? 'c' : 'd'], outputs: ['y'] },
  ],
  weights: { w, ...(v !== null && { v }) },
});

const square: TestTensor = { shape: [2, 2], values: [1, 2, 3, 4] };
const normalised = (outputs: readonly string[]): TestModel => ({
  operators: [{ type: 'BatchNormalization', inputs: ['x', 's', 'b', 'm', 'v'], outputs }],
  weights: {
    s: { shape: [1], values: [1] },
    b: { shape: [1], values: [1] },
    m: { shape: [1], values: [1] },
    v: { shape: [1], values: [1] },
  },
  inputs: { x: [1, 1] },
});
const list = (...values: readonly number[]): TestTensor => ({ shape: [values.length], values });
const integers = (...values: readonly number[]): TestTensor => ({ shape: [values.length], values, type: 7 });

describe('readOnnx', () => {
  it('reads values that are left out as zero, and limits of any size', () => {
    const zero = { fields: integerField(20, 1) };
    expect(outputsOf(one('LeakyRelu', [1, 2], { alpha: zero }), [-1, 2])).toEqual([0, 2]);
    const [flat] = [{ fields: integerField(20, 2) }];
    expect(outputsOf(one('Flatten', [1, 2], { axis: flat }), [-1, 2])).toEqual([-1, 2]);
    const sum = one('ReduceSum', [1, 2], { keepdims: 0 }, { axes: { shape: [0], values: [], type: 7 } });
    expect(outputsOf(sum, [1, 2])).toEqual([3]);
    const least = { ...one('Clip', [1, 1], {}, { min: list(3.2e38) }) };
    expect(outputsOf(least, [1])[0]).toBeGreaterThan(3.1e38);
    const open = one('Clip', [1, 1], {}, { min: list(-Infinity), max: list(Infinity) });
    expect(outputsOf(open, [-7])).toEqual([-7]);
  });

  it('says how it reads weights that are declared as inputs, and an open batch', () => {
    const declared = (inputs: TestModel['inputs']): readonly string[] | undefined => {
      const read = readOnnx(onnxFile({ ...smallModel, ...(inputs && { inputs }) }));
      return read.ok ? read.value.readAs : [];
    };
    expect(declared({ x: [1, 2] })).toBeUndefined();
    expect(declared({ x: ['N', 2], w1: [2, 3], b2: [2] })).toEqual([
      "the values stored for the inputs 'w1' and 'b2'",
      'a batch of 1',
    ]);
  });

  it('reads two layers', () => {
    // h = (x0 + 2 x1, −x0 + x1 + 0.5, 0.5 x0 − 0.5 x1 − 1)
    expect(outputsOf(smallModel, [1, 1])).toEqual([3 + 0.5 + 0.25, -3 + 1 - 0.25]);
    expect(outputsOf(smallModel, [-1, 0])).toEqual([1.5 + 0.25, 3 - 0.25]);
  });

  it.each<readonly [string, TestModel, readonly number[], readonly number[]]>([
    ['Add', one('Add', [1, 2], {}, { w: list(1, 2) }), [1, 2], [2, 4]],
    ['Sub', one('Sub', [1, 2], {}, { w: list(1, 2) }), [1, 2], [0, 0]],
    ['Mul', one('Mul', [1, 2], {}, { w: list(3) }), [1, 2], [3, 6]],
    ['Div', one('Div', [1, 2], {}, { w: list(2, 4) }), [1, 2], [0.5, 0.5]],
    ['Neg', one('Neg', [1, 2]), [1, -2], [-1, 2]],
    ['MatMul', one('MatMul', [1, 2], {}, { w: { shape: [2, 2], values: [1, 2, 3, 4] } }), [1, 1], [4, 6]],
    ['Relu', one('Relu', [1, 2]), [-1, 2], [0, 2]],
    ['LeakyRelu', one('LeakyRelu', [1, 2], { alpha: { float: 0.25 } }), [-1, 2], [-0.25, 2]],
    ['PRelu', one('PRelu', [1, 2], {}, { slope: list(0.5, 0.25) }), [-1, -1], [-0.5, -0.25]],
    [
      'Clip',
      one('Clip', [1, 3], {}, { min: { shape: [], values: [-1] }, max: { shape: [], values: [1] } }),
      [-2, 0.5, 3],
      [-1, 0.5, 1],
    ],
    ['Abs', one('Abs', [1, 2]), [-1, 2], [1, 2]],
    ['Max', one('Max', [1, 2], {}, { w: list(0.5, 0.5) }), [-1, 2], [0.5, 2]],
    ['Min', one('Min', [1, 2], {}, { w: list(0.5, 0.5) }), [-1, 2], [-1, 0.5]],
    ['Transpose', one('Transpose', [2, 3], { perm: [1, 0] }), [1, 2, 3, 4, 5, 6], [1, 4, 2, 5, 3, 6]],
    ['Reshape', one('Reshape', [1, 4], {}, { shape: integers(2, -1) }), [1, 2, 3, 4], [1, 2, 3, 4]],
    ['Flatten', one('Flatten', [1, 2, 2]), [1, 2, 3, 4], [1, 2, 3, 4]],
    [
      'Slice',
      one('Slice', [1, 4], {}, { a: integers(1), b: integers(9), c: integers(1), d: integers(2) }),
      [1, 2, 3, 4],
      [2, 4],
    ],
    [
      'Slice to the end, backwards',
      one('Slice', [1, 3], {}, { a: integers(2 ** 31 - 1), b: integers(-(2 ** 63)), c: integers(1), d: integers(-1) }),
      [1, 2, 3],
      [3, 2, 1],
    ],
    ['Dropout at inference', one('Dropout', [1, 2], {}, { ratio: list(0.5), training: list(0) }), [1, 2], [1, 2]],
    ['Gather', one('Gather', [1, 3], { axis: 1 }, { i: integers(2, 0) }), [1, 2, 3], [3, 1]],
    ['Pad', one('Pad', [1, 2], {}, { p: integers(0, 1, 0, 2) }), [1, 2], [0, 1, 2, 0, 0]],
    ['Concat', one('Concat', [1, 2], { axis: 1 }, { w: { shape: [1, 1], values: [7] } }), [1, 2], [1, 2, 7]],
    ['ReduceMean', one('ReduceMean', [1, 4], { axes: [1] }), [1, 2, 3, 6], [3]],
    [
      'BatchNormalization',
      one(
        'BatchNormalization',
        [1, 2],
        { epsilon: { float: 0 } },
        { s: list(2, 1), b: list(1, 0), m: list(1, 2), v: list(4, 1) },
      ),
      [3, 2],
      [3, 0],
    ],
    [
      'Conv',
      one(
        'Conv',
        [1, 1, 2, 3],
        { kernel_shape: [2, 2] },
        { w: { shape: [1, 1, 2, 2], values: [1, 2, 3, 4] }, b: list(1) },
      ),
      [1, 2, 3, 4, 5, 6],
      [1 + 4 + 12 + 20 + 1, 2 + 6 + 15 + 24 + 1],
    ],
    [
      'Conv with padding, stride and groups',
      one(
        'Conv',
        [1, 2, 2],
        { kernel_shape: [2], pads: [1, 1], strides: [2], group: 2 },
        { w: { shape: [2, 1, 2], values: [1, 10, 1, 10] } },
      ),
      [1, 2, 3, 4],
      [10, 2, 30, 4],
    ],
    [
      'Conv with auto_pad',
      one('Conv', [1, 1, 3], { auto_pad: 'SAME_UPPER' }, { w: { shape: [1, 1, 2], values: [1, 10] } }),
      [1, 2, 3],
      [21, 32, 3],
    ],
    ['AveragePool', one('AveragePool', [1, 1, 4], { kernel_shape: [2], strides: [2] }), [1, 3, 5, 9], [2, 7]],
    ['GlobalAveragePool', one('GlobalAveragePool', [1, 1, 2, 2]), [1, 2, 3, 6], [3]],
    ['MaxPool', one('MaxPool', [1, 1, 4], { kernel_shape: [3], pads: [1, 1] }), [1, 4, 2, 3], [4, 4, 4, 3]],
  ])('%s', (_, model, x, y) => {
    expect(outputsOf(model, x)).toEqual(y);
  });

  it('reads a residual connection', () => {
    const operators: readonly TestOperator[] = [
      { type: 'Relu', inputs: ['x'], outputs: ['h'] },
      { type: 'Add', inputs: ['h', 'x'], outputs: ['y'] },
    ];
    expect(outputsOf({ operators }, [-1, 2])).toEqual([-1, 4]);
  });

  it('reads what PyTorch exports for x.view(x.size(0), -1)', () => {
    const operators: readonly TestOperator[] = [
      { type: 'Shape', inputs: ['x'], outputs: ['s'] },
      { type: 'Gather', inputs: ['s', 'zero'], outputs: ['n'], attributes: { axis: 0 } },
      { type: 'Unsqueeze', inputs: ['n'], outputs: ['n1'], attributes: { axes: [0] } },
      { type: 'Concat', inputs: ['n1', 'rest'], outputs: ['to'], attributes: { axis: 0 } },
      { type: 'Reshape', inputs: ['x', 'to'], outputs: ['y'] },
    ];
    const weights = { zero: { shape: [], values: [0], type: 7 }, rest: integers(-1) };
    expect(outputsOf({ operators, weights, inputs: { x: ['batch', 2, 2] }, opset: 11 }, [1, 2, 3, 4])).toEqual([
      1, 2, 3, 4,
    ]);
  });

  it('reads constants of operators, and weights of 64 bits', () => {
    const value = tensorBytes('', { shape: [2], values: [0.1, 0.2], type: 11 });
    const operators: readonly TestOperator[] = [
      { type: 'Constant', inputs: [], outputs: ['w'], attributes: { value } },
      { type: 'Add', inputs: ['x', 'w'], outputs: ['y'] },
    ];
    expect(outputsOf({ operators, elements: 11 }, [0, 0])).toEqual([0.1, 0.2]);
  });
});

describe('a proof in float32', () => {
  /** The factors one after the other, by Mul. */
  const chain = (...factors: readonly number[]): TestModel => ({
    operators: factors.map((_, i) => ({
      type: 'Mul',
      inputs: [i === 0 ? 'x' : `h${i}`, `w${i}`],
      outputs: [i === factors.length - 1 ? 'y' : `h${i + 1}`],
    })),
    weights: Object.fromEntries(factors.map((factor, i) => [`w${i}`, { shape: [], values: [factor] }])),
    inputs: { x: [1, 1] },
  });

  /** The verdict on: y is above `least` (below, if `sign` is −1) for x from `lo` to `hi`. */
  function verdictOf(
    model: TestModel,
    lo: number,
    hi: number,
    least: number,
    arithmetic?: Arithmetic,
    sign: 1 | -1 = 1,
  ): string {
    const read = readOnnx(onnxFile(model));
    if (!read.ok) throw new Error(`${read.error.code} ${read.error.message}`);
    const box = { lo: [lo], hi: [hi] };
    const constraints = [{ inputs: null, outputs: Float64Array.of(sign), bound: sign * least, isStrict: false }];
    const property = { inputSize: 1, outputSize: 1, cases: [{ box, constraints }] };
    const verdict = certify(read.value, property, { maxBoxes: 50, ...(arithmetic && { arithmetic }) });
    if (!verdict.ok) throw new Error(verdict.error.message);
    return verdict.value.verdict;
  }

  // An engine computes 0, or infinity and then not a number, between these factors; in exact arithmetic y is x.
  it.each([[[1e-30, 1e-30, 1e30, 1e30]], [[1e38, 1e38, 1e-38, 1e-38]], [[1e-38, 1e-7, 1e38, 1e7]], [[1e38, 10, 0, 1]]])(
    'does not merge factors whose products underflow or overflow: %j',
    (factors) => {
      expect(verdictOf(chain(...factors), 1, 2, factors.includes(0) ? -1 : 0.5)).not.toBe('holds');
    },
  );

  /** Operators one after the other, each with its weights. */
  const after = (
    ...steps: readonly (readonly [string, readonly TestTensor[], TestOperator['attributes']?])[]
  ): TestModel => ({
    operators: steps.map(([type, weights, attributes = {}], i) => ({
      type,
      inputs: [i === 0 ? 'x' : `h${i}`, ...weights.map((_, k) => `w${i}.${k}`)],
      outputs: [i === steps.length - 1 ? 'y' : `h${i + 1}`],
      attributes,
    })),
    weights: Object.fromEntries(steps.flatMap(([, weights], i) => weights.map((w, k) => [`w${i}.${k}`, w]))),
    inputs: { x: [1, 1, 1, 1] },
  });
  const times = (factor: number) => ['Mul', [list(factor)]] as const;
  const filter = (weight: number): TestTensor => ({ shape: [1, 1, 1, 1], values: [weight] });
  /** With this scale and variance. */
  const norm = (scale: number, variance: number, epsilon = 0) =>
    ['BatchNormalization', [list(scale), list(0), list(0), list(variance)], { epsilon: { float: epsilon } }] as const;

  // In exact arithmetic y is x, between 1 and 2.
  it.each<readonly [string, TestModel]>([
    // onnxruntime merges the weight and the scale into 1e-44, and computes 0.98 x.
    ['a convolution and a normalisation', after(times(1e30), ['Conv', [filter(1e-30)]], norm(1e-14, 1), times(1e14))],
    // onnxruntime multiplies by the scale after the product of matrices.
    ['a scale and a product', after(times(1e25), times(1e-25), ['MatMul', [filter(1e25)]], times(1e-25))],
    // The root is divided by before the scale is multiplied by, or after it.
    ['within a normalisation', after(times(2 ** 60), norm(2 ** -40, 2 ** -80), times(2 ** -60), times(1), times(1))],
    ['within a normalisation, downwards', after(times(2 ** -50), norm(2 ** -80, 2 ** -100), times(2 ** 80))],
  ])('covers engines that merge or reorder factors: %s', (_, model) => {
    expect(verdictOf(model, 1, 2, 0.99)).not.toBe('holds');
  });

  it('does not bound what is computed of a value that may not be a number', () => {
    const sum: TestModel = {
      operators: [
        { type: 'Mul', inputs: ['x', 'a'], outputs: ['h'] },
        { type: 'Mul', inputs: ['h', 'a'], outputs: ['i'] },
        { type: 'Sub', inputs: ['i', 'i'], outputs: ['j'] },
        { type: 'Relu', inputs: ['j'], outputs: ['y'] },
      ],
      weights: { a: list(1e30) },
      inputs: { x: [1] },
    };
    expect(verdictOf(sum, 1, 2, -1)).not.toBe('holds');
  });

  it('does not lose coefficients that underflow in the analysis', () => {
    const relu = ['Relu', []] as const;
    const { weights = {}, ...rest } = after(times(1e300), relu, times(1e-170), relu, times(1e-160));
    const wide = Object.fromEntries(Object.entries(weights).map(([name, w]) => [name, { ...w, type: 11 }]));
    const model = { ...rest, weights: wide, elements: 11 };
    // y is 1e-30 · x where x is positive. 1e-170 · 1e-160 is 0 in float64.
    expect(verdictOf(model, 1, 2, 1e-32, 'real', -1)).not.toBe('holds');
  });

  it('merges the factors of an ordinary normalisation', () => {
    expect(verdictOf(chain(0.003_921_569, 255, 0.5, 2), 1, 2, 0.99)).toBe('holds');
    expect(verdictOf(chain(0.003_921_569, 255, 0.5, 2), 1, 2, 1.01)).toBe('violated');
    expect(verdictOf(chain(1, 0), 1, 2, -0.01)).toBe('holds');
  });

  it('counts what weights and inputs that are flushed to zero may cost', () => {
    expect(verdictOf(chain(2 ** -130), 2 ** 100, 2 ** 101, 2 ** -31)).not.toBe('holds');
    expect(verdictOf(chain(2 ** 100), 2 ** -130, 2 ** -129, 2 ** -31)).not.toBe('holds');
    expect(verdictOf(chain(2 ** -100), 2 ** 100, 2 ** 101, 0.5)).toBe('holds');
  });

  it('does not cover inputs near the largest number', () => {
    const sum: TestModel = {
      operators: [
        { type: 'Add', inputs: ['x', 'x'], outputs: ['h'] },
        { type: 'Mul', inputs: ['h', 'w'], outputs: ['y'] },
      ],
      weights: { w: { shape: [], values: [2 ** -18] } },
      inputs: { x: [1, 1] },
    };
    expect(verdictOf(sum, 3e38, 3.1e38, 1)).not.toBe('holds');
    expect(verdictOf(sum, 3e28, 3.1e28, 1)).toBe('holds');
  });
});

describe('readOnnx refuses', () => {
  it.each<readonly [string, string, TestModel]>([
    ['an operator that it does not know, by name', 'PV-8303', one('Sigmoid', [1, 2])],
    [
      'an operator of another domain',
      'PV-8303',
      { operators: [{ type: 'Relu', inputs: ['x'], outputs: ['y'], domain: 'com.example' }] },
    ],
    ['a product of two values', 'PV-8303', { operators: [{ type: 'Mul', inputs: ['x', 'x'], outputs: ['y'] }] }],
    ['a slope above 1', 'PV-8303', one('LeakyRelu', [1, 2], { alpha: { float: 2 } })],
    [
      'a cycle',
      'PV-8301',
      {
        operators: [
          { type: 'Add', inputs: ['x', 'y'], outputs: ['h'] },
          { type: 'Relu', inputs: ['h'], outputs: ['y'] },
        ],
      },
    ],
    ['a name that nothing computes', 'PV-8301', { operators: [{ type: 'Relu', inputs: ['z'], outputs: ['y'] }] }],
    [
      'a value that is written twice',
      'PV-8301',
      {
        operators: [
          { type: 'Relu', inputs: ['x'], outputs: ['y'] },
          { type: 'Abs', inputs: ['x'], outputs: ['y'] },
        ],
      },
    ],
    ['an output that nothing computes', 'PV-8301', { operators: [{ type: 'Relu', inputs: ['x'], outputs: ['z'] }] }],
    [
      'matrices that do not fit',
      'PV-8302',
      one('MatMul', [1, 2], {}, { w: { shape: [3, 2], values: [1, 2, 3, 4, 5, 6] } }),
    ],
    ['a tensor with too few numbers', 'PV-8302', one('Add', [1, 2], {}, { w: { shape: [3], values: [1] } })],
    ['an open size beside the batch', 'PV-8302', { ...one('Relu', [1]), inputs: { x: [1, 'width'] } }],
    [
      'weights in another file',
      'PV-8304',
      one('Add', [1, 2], {}, { w: { shape: [2], values: [1, 2], external: true } }),
    ],
    ['NaN among the weights', 'PV-8306', one('Add', [1, 2], {}, { w: list(Number.NaN, 1) })],
    ['an infinite weight of a product', 'PV-8306', one('Mul', [1, 2], {}, { w: list(Infinity, 1) })],
    ['a division by zero', 'PV-8303', one('Div', [1, 2], {}, { w: list(0, 1) })],
    ['a division by a number without a reciprocal', 'PV-8303', one('Div', [1, 2], {}, { w: list(2 ** -149, 1) })],
    ['a slope that engines may flush to zero', 'PV-8303', one('LeakyRelu', [1, 2], { alpha: { float: 2 ** -130 } })],
    [
      'a slope for each channel as before opset 7',
      'PV-8303',
      { ...one('PRelu', [1, 2], {}, { slope: list(0.5, 0.25) }), opset: 6 },
    ],
    ['integers of 64 bits', 'PV-8303', computed('Add', integers(2 ** 40), integers(-(2 ** 40)))],
    ['a sum of more than 32 bits', 'PV-8303', computed('Add', integers(2 ** 30), integers(2 ** 30))],
    [
      'a product of integers that would wrap around',
      'PV-8303',
      computed('MatMul', { ...integers(2 ** 16), shape: [1, 1] }, { ...integers(2 ** 16), shape: [1, 1] }),
    ],
    [
      'a sum that would wrap around and come back',
      'PV-8303',
      computed(
        'MatMul',
        { ...integers(2 ** 30, 2 ** 30, -(2 ** 30)), shape: [1, 3] },
        { ...integers(1, 1, 1), shape: [3, 1] },
      ),
    ],
    [
      'a cast of an integer of 64 bits, which is rounded',
      'PV-8303',
      computed('Cast', integers(2 ** 60 + 2 ** 36), null, { to: 1 }),
    ],
    ['weights of 16 bits', 'PV-8303', one('Add', [1, 2], {}, { w: { shape: [2], values: [1, 2], type: 10 } })],
    [
      'normalisation by the batch',
      'PV-8303',
      one('BatchNormalization', [1, 1], { training_mode: 1 }, { s: list(1), b: list(1), m: list(1), v: list(1) }),
    ],
    ['dropout that drops', 'PV-8303', one('Dropout', [1, 2], {}, { ratio: list(0.5), training: list(1) })],
    ['broadcasting as before opset 7', 'PV-8303', one('Add', [1, 2], { axis: 1 }, { w: list(1, 2) })],
    ['a part of a shape', 'PV-8303', one('Shape', [1, 2], { start: 1 })],
    ['a start that is not an integer', 'PV-8303', one('Slice', [1, 4], {}, { a: list(0.5), b: integers(3) })],
    ['a slice without ends', 'PV-8303', one('Slice', [1, 4], {}, { a: integers(1) })],
    [
      'two inputs',
      'PV-8303',
      { operators: [{ type: 'Add', inputs: ['x', 'z'], outputs: ['y'] }], inputs: { x: [1, 2], z: [1, 2] } },
    ],
    ['a value of a billion numbers', 'PV-8302', one('Expand', [1, 1], {}, { to: integers(100_000, 100_000) })],
    [
      'an output that is a constant',
      'PV-8303',
      { operators: [{ type: 'Identity', inputs: ['w'], outputs: ['y'] }], weights: { w: list(1) } },
    ],
  ])('%s', (_, code, model) => {
    expect(refusal(model)).toBe(code);
  });

  // Each of these was once read as another function than the one that an engine computes.
  it.each<readonly [string, string, TestModel]>([
    ['a flag that is neither 0 nor 1', 'PV-8303', one('Gemm', [1, 2], { transB: 2 }, { w: square, b: list(0, 0) })],
    ['a padding mode of integers', 'PV-8303', one('Pad', [1, 2], { mode: 1 }, { p: integers(0, 0, 0, 0) })],
    ['an axis that is a float', 'PV-8303', one('Flatten', [1, 2], { axis: { float: 1 } })],
    ['an attribute that pv does not know', 'PV-8303', one('Relu', [1, 2], { threshold: { float: 1 } })],
    ['an input of integers', 'PV-8303', { ...one('Div', [1, 2], {}, { w: list(2) }), elements: 7 }],
    ['an input of 16 bits', 'PV-8303', { ...one('Relu', [1, 2]), elements: 10 }],
    ['a cast that rounds', 'PV-8303', { ...one('Cast', [1, 2], { to: 1 }), elements: 11 }],
    [
      'a weight that is infinite and meets a zero',
      'PV-8306',
      one('MatMul', [1, 1], {}, { w: { shape: [1, 2], values: [Infinity, 1] } }),
    ],
    ['statistics that an old opset computes', 'PV-8303', { ...normalised(['y']), opset: 6 }],
    ['statistics as outputs', 'PV-8303', normalised(['y', 'mean', 'var'])],
    ['dropout of an old opset', 'PV-8303', { ...one('Dropout', [1, 2]), opset: 6 }],
    ['functions', 'PV-8303', { ...one('Relu', [1, 2]), more: bytesField(25, new Uint8Array(0)) }],
    ['a second graph', 'PV-8301', { ...one('Relu', [1, 2]), more: bytesField(7, new Uint8Array(0)) }],
    [
      'a weight that is given twice',
      'PV-8301',
      { ...one('Add', [1, 2], {}, { w: list(1) }), moreOfGraph: bytesField(5, tensorBytes('w', list(2))) },
    ],
    [
      'two products of constant matrices, which engines round differently',
      'PV-8303',
      {
        operators: [
          { type: 'MatMul', inputs: ['w', 'w'], outputs: ['v'] },
          { type: 'MatMul', inputs: ['x', 'v'], outputs: ['y'] },
        ],
        weights: { w: square },
      },
    ],
    ['constants that engines round differently', 'PV-8303', computed('Mul', list(0.1), list(0.1))],
    ['a slope of a constant', 'PV-8303', computed('LeakyRelu', list(-0.3), null, { alpha: { float: 0.3 } })],
    ['constants of two types', 'PV-8303', one('Add', [1, 2], {}, { w: { ...list(1), type: 11 } })],
    ['a truth value as a number', 'PV-8303', one('Add', [1, 2], {}, { w: { ...list(1), type: 9 } })],
    ['a divisor that engines flush to zero', 'PV-8303', one('Div', [1, 1], {}, { w: list(2 ** -127) })],
    [
      'a negative variance',
      'PV-8303',
      one('BatchNormalization', [1, 1], {}, { s: list(1), b: list(1), m: list(1), v: list(-1e-6) }),
    ],
    [
      'a bias that would repeat the product',
      'PV-8302',
      one('Gemm', [1, 2], {}, { w: square, c: { shape: [3, 2], values: [1, 2, 3, 4, 5, 6] } }),
    ],
    ['an empty range', 'PV-8303', one('Clip', [1, 1], {}, { min: list(1), max: list(0) })],
    ['two limits in one', 'PV-8302', one('Clip', [1, 1], {}, { min: list(0, 1) })],
    ['an axis that is given twice', 'PV-8302', one('ReduceSum', [1, 2], {}, { axes: integers(1, -1) })],
    ['no axis to remove', 'PV-8303', one('Squeeze', [1, 2], {}, { axes: integers() })],
    ['parts of another number', 'PV-8302', { ...one('Split', [1, 4], { axis: 1, num_outputs: 2 }), opset: 18 }],
    [
      'a padding that would be negative',
      'PV-8303',
      one('MaxPool', [1, 1, 5], { kernel_shape: [1], strides: [10], auto_pad: 'SAME_UPPER' }),
    ],
    ['an input without numbers', 'PV-8302', { ...one('Relu', [1, 2]), inputs: { x: [0, 2] } }],
    [
      'a dilated pooling window with auto_pad',
      'PV-8303',
      one('MaxPool', [1, 1, 5], { kernel_shape: [3], dilations: [2], auto_pad: 'SAME_UPPER' }),
    ],
    [
      'a dilated averaging window with auto_pad',
      'PV-8303',
      { ...one('AveragePool', [1, 1, 5], { kernel_shape: [3], dilations: [2], auto_pad: 'SAME_LOWER' }), opset: 19 },
    ],
    ['two paddings', 'PV-8303', one('MaxPool', [1, 1, 3], { kernel_shape: [2], pads: [0, 1], auto_pad: 'VALID' })],
    [
      'a value of a constant that is given twice',
      'PV-8303',
      {
        operators: [
          { type: 'Constant', inputs: [], outputs: ['w'], attributes: { value_int: 1, value_float: { float: 2 } } },
          { type: 'Add', inputs: ['x', 'w'], outputs: ['y'] },
        ],
      },
    ],
    // Engines ignore what an opset does not have, or refuse it.
    ['an attribute of an older opset', 'PV-8303', one('Clip', [1, 2], { max: { float: 0.1 } })],
    ['an attribute of a newer opset', 'PV-8303', { ...one('Split', [1, 1], { axis: 1, num_outputs: 1 }), opset: 17 }],
    ['an input of a newer opset', 'PV-8303', one('ReduceMean', [1, 2], {}, { axes: integers(1) })],
    ['an operator of a newer opset', 'PV-8303', { ...one('Expand', [1, 2], {}, { to: integers(1, 2) }), opset: 7 }],
    ['more inputs than an operator has', 'PV-8303', one('Relu', [1, 2], {}, { w: list(1) })],
    ['opset 0', 'PV-8303', { ...one('Relu', [1, 2]), opset: 0 }],
    ['opset −5', 'PV-8303', { ...one('Relu', [1, 2]), opset: -5 }],
    ['opset 999', 'PV-8303', { ...one('Relu', [1, 2]), opset: 999 }],
    ['two opsets', 'PV-8303', { ...one('Relu', [1, 2]), more: bytesField(8, integerField(2, 13)) }],
    ['no opset', 'PV-8303', { ...one('Relu', [1, 2]), opset: null }],
    ['a format that pv does not know', 'PV-8303', { ...one('Relu', [1, 2]), format: 99 }],
    ['a window that is all padding', 'PV-8303', one('MaxPool', [1, 1, 2], { kernel_shape: [1], pads: [1, 1] })],
    [
      'a kernel_shape of another size',
      'PV-8302',
      one('Conv', [1, 1, 3], { kernel_shape: [3] }, { w: { shape: [1, 1, 2], values: [1, 1] } }),
    ],
    [
      '17 dimensions',
      'PV-8302',
      one('Reshape', [1, 2], {}, { to: integers(...Array.from({ length: 16 }, () => 1), 2) }),
    ],
  ])('%s', (_, code, model) => {
    expect(refusal(model)).toBe(code);
  });

  it('fields of another type, which readers skip', () => {
    // Key 0x45 is field 8 as fixed32, 0x21 field 4 as fixed64.
    const axes = { fields: Uint8Array.of(0x45, 1, 0, 0, 0) };
    expect(refusal({ ...one('ReduceSum', [1, 2], { axes }), opset: 11 })).toBe('PV-8300');
    const data = join([integerField(1, 1), integerField(2, 1), bytesField(8, new TextEncoder().encode('w'))]);
    const fixed64 = Uint8Array.of(0x21, 0, 0, 128, 63, 0, 0, 128, 63);
    const added = { ...one('Add', [1, 2]), operators: [{ type: 'Add', inputs: ['x', 'w'], outputs: ['y'] }] };
    expect(refusal({ ...added, moreOfGraph: bytesField(5, join([data, fixed64])) })).toBe('PV-8300');
    expect(refusal({ ...one('Relu', [1, 2]), more: integerField(7, 0) })).toBe('PV-8300');
    const floats = Uint8Array.of(0x25, 0, 0, 128, 63);
    expect(refusal({ ...added, moreOfGraph: bytesField(5, join([data, floats])) })).toBe('read');
  });

  it('a field whose number some readers cut to 32 bits', () => {
    // 2^32 + 58: field 7, the graph, for those.
    const second = Uint8Array.of(0xba, 0x80, 0x80, 0x80, 0x10, 0);
    expect(refusal({ ...one('Relu', [1, 2]), more: second })).toBe('PV-8300');
  });

  it('names that look the same, and those that are not text', () => {
    const add = (name: string): TestModel => ({
      operators: [{ type: 'Add', inputs: ['x', name], outputs: ['y'] }],
      weights: { w: list(1) },
    });
    expect(refusal(add('w'))).toBe('read');
    expect(refusal(add('\uFEFFw'))).toBe('PV-8301');
    expect(refusal(add('w'.repeat(5000)))).toBe('PV-8300');
    const odd = bytesField(1, bytesField(2, Uint8Array.of(0xff)));
    expect(refusal({ ...one('Relu', [1, 2]), moreOfGraph: odd })).toBe('PV-8300');
  });

  it('integers that their type does not have, which readers cut', () => {
    const tensor = (code: number, value: number) =>
      bytesField(5, join([integerField(1, 1), integerField(2, code), name, integerField(5, value)]));
    const name = bytesField(8, new TextEncoder().encode('b'));
    const model = (end: Uint8Array): TestModel => ({
      operators: [{ type: 'Slice', inputs: ['x', 'a', 'b', 'c'], outputs: ['y'] }],
      weights: { a: integers(0), c: integers(1) },
      moreOfGraph: end,
    });
    expect(refusal(model(tensor(6, 1)))).toBe('read');
    expect(refusal(model(tensor(6, 2 ** 32 + 1)))).toBe('PV-8302');
    expect(refusal(model(tensor(9, 2)))).toBe('PV-8302');
  });

  it('a small file that takes long or much memory, whatever its operators are', () => {
    const fill = { type: 'ConstantOfShape', inputs: ['s'], outputs: ['a0'] };
    const weights = { s: integers(2000, 2000) };
    const many = (n: number, type: string, inputs: (i: number) => readonly string[]): TestModel => ({
      operators: [
        fill,
        ...Array.from({ length: n }, (_, i) => ({ type, inputs: inputs(i), outputs: [`a${i + 1}`] })),
        { type: 'Relu', inputs: ['x'], outputs: ['y'] },
      ],
      weights,
    });
    for (const model of [
      many(60, 'Transpose', (i) => [`a${i}`]),
      many(60, 'Relu', (i) => [`a${i}`]),
      many(1000, 'Shape', () => ['a0']),
      many(99, 'ConstantOfShape', () => ['s']),
      many(5000, 'Identity', (i) => [`a${i}`]),
    ])
      expect(refusal(model)).toBe('PV-8305');
  });

  it('what is not read in time', () => {
    let left = 3;
    const read = readOnnx(onnxFile(smallModel), () => left-- > 0);
    expect(read.ok ? 'read' : `${read.error.code} ${read.error.message}`).toMatch(/^PV-8305 The time ran out/);
  });

  it('a small file that is much work', () => {
    const rows = { type: 'Expand', inputs: ['x', 'to'], outputs: ['a0'] };
    const again = Array.from({ length: 500 }, (_, i) => ({ type: 'Relu', inputs: [`a${i}`], outputs: [`a${i + 1}`] }));
    const wide = {
      operators: [rows, ...again],
      weights: { to: integers(2_000_000, 1) },
      inputs: { x: [1, 2] },
      outputs: ['a500'],
    };
    expect(refusal(wide)).toBe('PV-8305');
    const filled = (name: string, outputs: string) => ({ type: 'ConstantOfShape', inputs: [name], outputs: [outputs] });
    const product: TestModel = {
      operators: [
        filled('s', 'a'),
        filled('t', 'b'),
        { type: 'Reshape', inputs: ['x', 'u'], outputs: ['c'] },
        { type: 'MatMul', inputs: ['a', 'b'], outputs: ['d'] },
        { type: 'Add', inputs: ['c', 'd'], outputs: ['y'] },
      ],
      weights: { s: integers(2000, 2000), t: integers(2000, 2000), u: integers(1, 2) },
    };
    expect(refusal(product)).toBe('PV-8305');
    const parts = Array.from({ length: 400 }, () => 'a');
    const concat: TestModel = {
      operators: [
        filled('s', 'a'),
        { type: 'Concat', inputs: ['x', ...parts], outputs: ['y'], attributes: { axis: 0 } },
      ],
      weights: { s: integers(3000, 2) },
    };
    expect(refusal(concat)).toBe('PV-8305');
  });

  it('data in another place than its type’s, or in two', () => {
    const dims = integerField(1, 1);
    const float = join([dims, integerField(2, 1)]);
    const named = bytesField(8, new TextEncoder().encode('w'));
    const four = Uint8Array.of(0, 0, 128, 63);
    for (const data of [
      integerField(5, 1065353216),
      join([bytesField(9, four), bytesField(9, four)]),
      join([bytesField(9, four), bytesField(4, four)]),
      bytesField(9, Uint8Array.of(...four, 0)),
      bytesField(4, Uint8Array.of(...four, 0)),
      join([bytesField(9, four), bytesField(3, new Uint8Array(0))]),
    ])
      expect(
        refusal({ ...one('Add', [1, 2], {}, {}), moreOfGraph: bytesField(5, join([float, named, data])) }),
      ).toMatch(/PV-830[12]/);
  });

  it('a file cut anywhere, an empty one, and text', () => {
    const whole = onnxFile(smallModel);
    expect(codeOf(whole)).toBe('read');
    for (let length = 0; length < whole.length; length++)
      expect(codeOf(whole.subarray(0, length))).toMatch(/^PV-830|^read$/);
    expect(codeOf(new Uint8Array(0))).toBe('PV-8300');
    expect(codeOf(new TextEncoder().encode('(declare-const X_0 Real)'))).toBe('PV-8300');
  });

  it('a length beyond the file', () => {
    expect(codeOf(Uint8Array.of(0x3a, 0xff, 0xff, 0xff, 0xff, 0x0f))).toBe('PV-8300');
    expect(codeOf(Uint8Array.of(0x3a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01))).toBe('PV-8300');
  });

  it('messages nested without end, without reading them', () => {
    let inner: Uint8Array = new Uint8Array(0);
    for (let depth = 0; depth < 300; depth++) inner = bytesField(7, inner);
    expect(codeOf(inner)).toMatch(/^PV-830/);
  });

  it('or reads every file with changed bytes, and never throws', () => {
    const files = [
      onnxFile(smallModel),
      onnxFile(
        one('Conv', [1, 1, 2, 3], { kernel_shape: [2, 2] }, { w: { shape: [1, 1, 2, 2], values: [1, 2, 3, 4] } }),
      ),
    ];
    if (hasRobustnessData) files.push(readFileSync(`${robustnessData}/tiny/test_small.onnx`));
    fc.assert(
      fc.property(
        fc.constantFrom(...files),
        fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
        (file, changes) => {
          const bytes = file.slice();
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          expect(codeOf(bytes)).toMatch(/^PV-83|^read$/);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

it.runIf(hasRobustnessData)('evaluates as onnxruntime does, on inputs of others', () => {
  interface Known {
    readonly onnx: string;
    readonly x: readonly number[];
    readonly y_onnxruntime_f32: readonly number[];
  }
  const known = jsonAt<readonly Known[]>('counterexamples.json', []).filter(({ onnx }) => onnx.startsWith('ACASXU'));
  expect(known.length).toBeGreaterThan(10);
  for (const { onnx, x, y_onnxruntime_f32: y } of known.slice(0, 8)) {
    const network = networkAt(`acasxu/${onnx}`);
    for (const [j, value] of createEvaluator(network, 'float32')(x).entries())
      expect(Math.abs(value - (y[j] ?? 0))).toBeLessThan(1e-5 + 1e-4 * Math.abs(value));
  }
});

describe('a counterexample', () => {
  const list = (...values: readonly number[]): TestTensor => ({ shape: [1, values.length], values });
  const chain = (...constants: readonly (readonly [type: string, value: number])[]): TestModel => ({
    operators: constants.map(([type], i) => ({
      type,
      inputs: [i === 0 ? 'x' : `h${i}`, `c${i}`],
      outputs: [i === constants.length - 1 ? 'y' : `h${i + 1}`],
    })),
    weights: Object.fromEntries(constants.map(([, value], i) => [`c${i}`, list(value)])),
    inputs: { x: [1, 1] },
  });
  /** The verdict for an input in [1, 2] and outputs that are unsafe where sign · y ≤ bound. */
  const verdictOn = (model: TestModel, sign: 1 | -1, bound: number, arithmetic: Arithmetic): string => {
    const read = readOnnx(onnxFile(model));
    if (!read.ok) return read.error.code;
    const constraint = { inputs: null, outputs: Float64Array.of(sign), bound, isStrict: false };
    const cases = [{ box: { lo: [1], hi: [2] }, constraints: [constraint] }];
    const verdict = certify(read.value, { inputSize: 1, outputSize: 1, cases }, { arithmetic, maxBoxes: 50 });
    if (!verdict.ok) return verdict.error.code;
    return [verdict.value.verdict, ...(verdict.value.reason === null ? [] : [verdict.value.reason])].join(' ');
  };

  it.each<[string, TestModel, 1 | -1, number, Arithmetic, string]>([
    // The engine returns x, but −1e20 + ReLU(x + 1e20) is 0 in float32 and in float64.
    ['Max with a large constant', chain(['Max', -1e20]), 1, 0.5, 'float32', 'undecided unconfirmed'],
    ['Max with a large constant', chain(['Max', -1e20]), 1, 0.5, 'float64', 'undecided unconfirmed'],
    ['Min with a large constant', chain(['Min', 1e20]), -1, -1e19, 'float32', 'holds'],
    // The engine returns 0 in float32; merged into one bias of 0, the operators return x.
    ['two sums that cancel', chain(['Add', 1e10], ['Add', -1e10]), -1, -0.5, 'float32', 'undecided unconfirmed'],
    ['two sums that cancel', chain(['Add', 1e10], ['Add', -1e10]), -1, -0.5, 'float64', 'violated'],
    ['a sum after a factor', chain(['Mul', 3], ['Add', 1]), -1, -5, 'float32', 'violated'],
    ['a factor after a sum, well inside the unsafe set', chain(['Add', 1], ['Mul', 3]), -1, -5, 'float32', 'violated'],
    ['Max of values of one size', chain(['Max', -1]), -1, -1.5, 'float32', 'violated'],
  ])('is one in any order of the roundings: %s', (_, model, sign, bound, arithmetic, verdict) => {
    expect(verdictOn(model, sign, bound, arithmetic)).toBe(verdict);
  });

  it('may be on the edge of the unsafe set if no operator was merged or replaced', () => {
    // Unsafe where y ≥ 2: only x = 2 is.
    expect(verdictOn(chain(['Add', 0]), -1, -2, 'float32')).toBe('violated');
    expect(verdictOn(chain(['Mul', 1]), -1, -2, 'float32')).toBe('violated');
  });
});
