/** Writes ONNX files for tests: just enough of the format for the networks that `readOnnx` reads. */

type AttributeValue =
  number | { readonly float: number } | { readonly fields: Uint8Array } | string | readonly number[] | Uint8Array;

export interface TestOperator {
  readonly type: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
  readonly domain?: string;
}

export interface TestModel {
  readonly operators: readonly TestOperator[];
  readonly weights?: Readonly<Record<string, TestTensor>>;
  readonly inputs?: Readonly<Record<string, readonly (number | string)[]>>;
  readonly outputs?: readonly string[];
  /** Of the standard operators: 13 unless given; none if null. */
  readonly opset?: number | null;
  /** The ir_version: 8 unless given. */
  readonly format?: number;
  /** TensorProto.DataType of the inputs: float32 unless given. */
  readonly elements?: number;
  /** Fields after those of the model, and after those of its graph. */
  readonly more?: Uint8Array;
  readonly moreOfGraph?: Uint8Array;
}

export interface TestTensor {
  readonly shape: readonly number[];
  readonly values: readonly number[];
  /** 1 float32 (default), 7 int64, 9 bool, 11 float64; others are written as float32. */
  readonly type?: number;
  readonly external?: boolean;
}

const encoder = new TextEncoder();
export const join = (parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  do {
    bytes.push(Number(left & 127n) | (left > 127n ? 128 : 0));
    left >>= 7n;
  } while (left > 0n);
  return Uint8Array.from(bytes);
}

export const integerField = (number: number, value: number): Uint8Array => join([varint(number * 8), varint(value)]);
export const bytesField = (number: number, bytes: Uint8Array): Uint8Array =>
  join([varint(number * 8 + 2), varint(bytes.length), bytes]);
const textField = (number: number, text: string): Uint8Array => bytesField(number, encoder.encode(text));
const float32 = (values: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

export function tensorBytes(name: string, { shape, values, type = 1, external = false }: TestTensor): Uint8Array {
  const raw =
    type === 7
      ? new Uint8Array(BigInt64Array.from(values.map(BigInt)).buffer)
      : type === 11
        ? new Uint8Array(Float64Array.from(values).buffer)
        : type === 9
          ? Uint8Array.from(values)
          : float32(values);
  return join([
    ...shape.map((size) => integerField(1, size)),
    integerField(2, type),
    textField(8, name),
    bytesField(9, raw),
    ...(external ? [bytesField(13, textField(1, 'location')), integerField(14, 1)] : []),
  ]);
}

function attributeBytes(name: string, value: AttributeValue): Uint8Array {
  if (typeof value === 'number') return join([textField(1, name), integerField(3, value)]);
  if (typeof value === 'string') return join([textField(1, name), textField(4, value)]);
  if (value instanceof Uint8Array) return join([textField(1, name), bytesField(5, value)]);
  if ('fields' in value) return join([textField(1, name), value.fields]);
  if ('float' in value) return join([textField(1, name), varint(2 * 8 + 5), float32([value.float])]);
  return join([textField(1, name), ...value.map((one) => integerField(8, one))]);
}

const operatorBytes = ({ type, inputs, outputs, attributes = {}, domain }: TestOperator): Uint8Array =>
  join([
    ...inputs.map((input) => textField(1, input)),
    ...outputs.map((output) => textField(2, output)),
    textField(4, type),
    ...Object.entries(attributes).map(([name, value]) => bytesField(5, attributeBytes(name, value))),
    ...(domain === undefined ? [] : [textField(7, domain)]),
  ]);

function declaredBytes(name: string, shape: readonly (number | string)[], elements: number): Uint8Array {
  const dimensions = shape.map((size) =>
    bytesField(1, typeof size === 'number' ? integerField(1, size) : textField(2, size)),
  );
  return join([
    textField(1, name),
    bytesField(2, bytesField(1, join([integerField(1, elements), bytesField(2, join(dimensions))]))),
  ]);
}

/** A model with the input `x`, the output `y` and opset 13 unless it says otherwise. */
export function onnxFile({
  operators,
  weights = {},
  inputs = { x: [1, 2] },
  outputs = ['y'],
  opset = 13,
  format = 8,
  elements = 1,
  more = new Uint8Array(0),
  moreOfGraph = new Uint8Array(0),
}: TestModel): Uint8Array {
  const graph = join([
    ...operators.map((operator) => bytesField(1, operatorBytes(operator))),
    ...Object.entries(weights).map(([name, tensor]) => bytesField(5, tensorBytes(name, tensor))),
    ...Object.entries(inputs).map(([name, shape]) => bytesField(11, declaredBytes(name, shape, elements))),
    ...outputs.map((name) => bytesField(12, textField(1, name))),
    moreOfGraph,
  ]);
  const version = opset === null ? new Uint8Array(0) : bytesField(8, integerField(2, opset));
  return join([integerField(1, format), bytesField(7, graph), version, more]);
}

/** ReLU between two affine layers: x (2) → 3 → 2. */
export const smallModel: TestModel = {
  operators: [
    { type: 'Gemm', inputs: ['x', 'w1', 'b1'], outputs: ['h'] },
    { type: 'Relu', inputs: ['h'], outputs: ['a'] },
    { type: 'Gemm', inputs: ['a', 'w2', 'b2'], outputs: ['y'], attributes: { transB: 1 } },
  ],
  weights: {
    w1: { shape: [2, 3], values: [1, -1, 0.5, 2, 1, -0.5] },
    b1: { shape: [3], values: [0, 0.5, -1] },
    w2: { shape: [2, 3], values: [1, 1, 1, -1, 2, 0] },
    b2: { shape: [2], values: [0.25, -0.25] },
  },
};
