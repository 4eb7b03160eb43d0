/** The parts of an ONNX model that a network is made of: onnx.proto, IR versions 3 to 12. */
import { wrong, type Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import { readTensor, type Tensor } from './tensor.ts';
import { integersOf, readFields, type Field } from './wire.ts';

/** An attribute of an operator, with a field for each type of value. */
export interface Attribute {
  readonly float: number | null;
  readonly integer: number | null;
  readonly text: string | null;
  readonly tensor: Tensor | null;
  readonly floats: readonly number[];
  readonly integers: readonly number[];
}

/** One operator of the graph. */
export interface Operator {
  readonly type: string;
  readonly domain: string;
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly offset: number;
}

/** A declared input or output. A dynamic size is null. */
export interface Declared {
  readonly name: string;
  readonly shape: readonly (number | null)[] | null;
}

export interface Graph {
  readonly operators: readonly Operator[];
  readonly initializers: ReadonlyMap<string, Tensor>;
  readonly inputs: readonly Declared[];
  readonly outputs: readonly Declared[];
  /** The version of the standard operators. */
  readonly opset: number;
}

/** More operators than a network that can be certified has. */
const mostOperators = 100_000;

/** The graph of a model file. */
export function readModel(bytes: Uint8Array): Result<Graph, Problem> {
  const fields = readFields(bytes, 0);
  if (!fields.ok) return fields;
  let graph: Field | null = null;
  let opset = 1;
  for (const field of fields.value) {
    if (field.number === 7 && field.type === 'bytes') graph = field;
    if (field.number !== 8 || field.type !== 'bytes') continue;
    const version = readFields(field.bytes, field.offset);
    if (!version.ok) return version;
    const domain = textOf(version.value, 1);
    if (domain === '' || domain === 'ai.onnx') opset = version.value.find(({ number }) => number === 2)?.integer ?? 1;
  }
  if (graph === null)
    return wrong('PV-8300', 'graph', 'The file has no graph: it is empty, or it is not an ONNX model.', {
      expected: 'an ONNX model (.onnx)',
    });
  return readGraph(graph, opset);
}

function readGraph({ bytes, offset }: Field, opset: number): Result<Graph, Problem> {
  const fields = readFields(bytes, offset);
  if (!fields.ok) return fields;
  const operators: Operator[] = [];
  const initializers = new Map<string, Tensor>();
  const declared: Record<11 | 12, Declared[]> = { 11: [], 12: [] };
  for (const field of fields.value) {
    if (field.type !== 'bytes') continue;
    if (field.number === 1) {
      const operator = readOperator(field);
      if (!operator.ok) return operator;
      operators.push(operator.value);
    } else if (field.number === 5) {
      const tensor = readTensor(field);
      if (!tensor.ok) return tensor;
      initializers.set(tensor.value.name, tensor.value);
    } else if (field.number === 11 || field.number === 12) {
      const value = readDeclared(field);
      if (!value.ok) return value;
      declared[field.number].push(value.value);
    } else if (field.number === 15)
      return wrong('PV-8303', 'initializer', 'The model stores weights as sparse tensors, which pv does not read.', {
        offset: field.offset,
      });
  }
  if (operators.length > mostOperators)
    return wrong('PV-8305', 'graph', `The graph has ${operators.length} operators; pv reads at most ${mostOperators}.`);
  return ok({ operators, initializers, inputs: declared[11], outputs: declared[12], opset });
}

function readOperator({ bytes, offset }: Field): Result<Operator, Problem> {
  const fields = readFields(bytes, offset);
  if (!fields.ok) return fields;
  const attributes = new Map<string, Attribute>();
  for (const field of fields.value) {
    if (field.number !== 5 || field.type !== 'bytes') continue;
    const read = readAttribute(field);
    if (!read.ok) return read;
    attributes.set(...read.value);
  }
  return ok({
    type: textOf(fields.value, 4),
    domain: textOf(fields.value, 7),
    name: textOf(fields.value, 3),
    inputs: textsOf(fields.value, 1),
    outputs: textsOf(fields.value, 2),
    attributes,
    offset,
  });
}

function readAttribute({ bytes, offset }: Field): Result<readonly [string, Attribute], Problem> {
  const fields = readFields(bytes, offset);
  if (!fields.ok) return fields;
  const name = textOf(fields.value, 1);
  let attribute: Attribute = { float: null, integer: null, text: null, tensor: null, floats: [], integers: [] };
  const floats: number[] = [];
  const integers: number[] = [];
  for (const field of fields.value) {
    if (field.number === 2 && field.type === 'fixed32') attribute = { ...attribute, float: float32At(field.bytes, 0) };
    else if (field.number === 3 && field.type === 'varint') attribute = { ...attribute, integer: field.integer };
    else if (field.number === 4 && field.type === 'bytes') attribute = { ...attribute, text: text(field.bytes) };
    else if (field.number === 5 && field.type === 'bytes') {
      const tensor = readTensor(field);
      if (!tensor.ok) return tensor;
      attribute = { ...attribute, tensor: tensor.value };
    } else if (field.number === 7) {
      for (let at = 0; at + 4 <= field.bytes.length; at += 4) floats.push(float32At(field.bytes, at));
    } else if (field.number === 8) {
      const whole = integersOf(field);
      if (!whole.ok) return whole;
      for (const value of whole.value) integers.push(value);
    } else if (field.number === 6 || field.number === 11)
      return wrong('PV-8303', 'attribute', `The attribute '${name}' is a graph: pv does not read loops and branches.`, {
        offset,
      });
  }
  return ok([name, { ...attribute, floats, integers }]);
}

function readDeclared({ bytes, offset }: Field): Result<Declared, Problem> {
  const fields = readFields(bytes, offset);
  if (!fields.ok) return fields;
  const name = textOf(fields.value, 1);
  // ValueInfoProto.type (2) → TypeProto.tensor_type (1) → Tensor.shape (2) → TensorShapeProto.dim (1).
  let level = fields.value;
  for (const number of [2, 1, 2]) {
    const inner = level.find((field) => field.number === number && field.type === 'bytes');
    if (inner === undefined) return ok({ name, shape: null });
    const read = readFields(inner.bytes, inner.offset);
    if (!read.ok) return read;
    level = read.value;
  }
  const shape: (number | null)[] = [];
  for (const field of level) {
    if (field.number !== 1 || field.type !== 'bytes') continue;
    const size = readFields(field.bytes, field.offset);
    if (!size.ok) return size;
    const value = size.value.find((one) => one.number === 1 && one.type === 'varint');
    shape.push(value !== undefined && value.integer > 0 ? value.integer : null);
  }
  return ok({ name, shape });
}

const decoder = new TextDecoder();
const text = (bytes: Uint8Array): string => decoder.decode(bytes);
const textsOf = (fields: readonly Field[], number: number): readonly string[] =>
  fields.filter((field) => field.number === number && field.type === 'bytes').map(({ bytes }) => text(bytes));
const textOf = (fields: readonly Field[], number: number): string => textsOf(fields, number).at(-1) ?? '';

const float32At = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getFloat32(at, true);
