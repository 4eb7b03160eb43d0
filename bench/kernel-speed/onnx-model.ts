/** The smallest ONNX models: a chain of standard operators over named float32 inputs, encoded as Protocol Buffers. */

export interface OnnxNode {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly output: string;
}

export interface OnnxValue {
  readonly name: string;
  readonly shape: readonly number[];
}

/** A model of opset 20 (onnx.proto3, ModelProto). */
export function onnxModel(nodes: readonly OnnxNode[], inputs: readonly OnnxValue[], output: OnnxValue): Uint8Array {
  const graph = [
    ...nodes.map(({ operator, inputs: names, output: result }) =>
      message(1, [...names.map((name) => text(1, name)), text(2, result), text(4, operator)]),
    ),
    text(2, 'graph'),
    ...inputs.map((value) => message(11, valueInfo(value))),
    message(12, valueInfo(output)),
  ];
  return Uint8Array.from([number(1, 8), message(7, graph), message(8, [text(1, ''), number(2, 20)])].flat());
}

type Bytes = readonly number[];

function valueInfo({ name, shape }: OnnxValue): readonly Bytes[] {
  const dimensions = shape.map((size) => message(1, [number(1, size)]));
  return [text(1, name), message(2, [message(1, [number(1, 1), message(2, dimensions)])])];
}

function varint(value: number): Bytes {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

const number = (field: number, value: number): Bytes => [field * 8, ...varint(value)];
const message = (field: number, parts: readonly Bytes[]): Bytes => {
  const body = parts.flat();
  return [field * 8 + 2, ...varint(body.length), ...body];
};
const text = (field: number, value: string): Bytes => message(field, [[...new TextEncoder().encode(value)]]);
