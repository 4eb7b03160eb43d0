/** The parts of an ONNX model that a network is made of: onnx.proto, IR versions 3 to 12. */
import { wrong, type Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import { readTensor, type Tensor } from './tensor.ts';
import { integersOf, readFields, type Field } from './wire.ts';

/** An attribute of an operator, with a field for each type of value. */
export interface Attribute {
  /** AttributeProto.type; null where it is left out. */
  readonly type: number | null;
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
  /** TensorProto.DataType of its elements; null where it is left out. */
  readonly elements: number | null;
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
    if (field.number === 25) return refused('functions', 'The model defines functions, which pv does not read.', field);
    if (field.number === 7 && field.type === 'bytes') {
      if (graph !== null) return repeated('graph', field);
      graph = field;
    }
    if (field.number !== 8 || field.type !== 'bytes') continue;
    const version = readFields(field.bytes, field.offset);
    if (!version.ok) return version;
    const domain = textOf(version.value, 1);
    if (domain === '' || domain === 'ai.onnx')
      opset = version.value.findLast(({ number }) => number === 2)?.integer ?? 1;
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
      if (initializers.has(tensor.value.name)) return repeated(`weight '${tensor.value.name}'`, field);
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
    if (attributes.has(read.value[0])) return repeated(`attribute '${read.value[0]}'`, field);
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
  const inner = fields.value.find(({ number }) => number === 6 || number === 11);
  if (inner !== undefined)
    return refused('attribute', `The attribute '${name}' is a graph: pv does not read loops and branches.`, inner);
  let attribute: Attribute = {
    type: fields.value.findLast(({ number }) => number === 20)?.integer ?? null,
    float: null,
    integer: null,
    text: null,
    tensor: null,
    floats: [],
    integers: [],
  };
  for (const field of fields.value) {
    if (field.number === 2 && field.type === 'fixed32') attribute = { ...attribute, float: float32At(field.bytes, 0) };
    else if (field.number === 3 && field.type === 'varint') attribute = { ...attribute, integer: field.integer };
    else if (field.number === 4 && field.type === 'bytes') attribute = { ...attribute, text: text(field.bytes) };
    else if (field.number === 5 && field.type === 'bytes') {
      if (attribute.tensor !== null) return repeated(`tensor of the attribute '${name}'`, field);
      const tensor = readTensor(field);
      if (!tensor.ok) return tensor;
      attribute = { ...attribute, tensor: tensor.value };
    }
  }
  const lists = listsOf(fields.value, name);
  return lists.ok ? ok([name, { ...attribute, ...lists.value }]) : lists;
}

function readDeclared({ bytes, offset }: Field): Result<Declared, Problem> {
  const fields = readFields(bytes, offset);
  if (!fields.ok) return fields;
  const name = textOf(fields.value, 1);
  // ValueInfoProto.type (2) → TypeProto.tensor_type (1) → Tensor.shape (2) → TensorShapeProto.dim (1).
  let level = fields.value;
  let elements: number | null = null;
  for (const [depth, number] of [2, 1, 2].entries()) {
    if (depth === 2)
      elements = level.findLast((field) => field.number === 1 && field.type === 'varint')?.integer ?? null;
    const [inner, again] = level.filter((field) => field.number === number && field.type === 'bytes');
    if (inner === undefined) return ok({ name, shape: null, elements });
    if (again !== undefined) return repeated(`type or shape of '${name}'`, again);
    const read = readFields(inner.bytes, inner.offset);
    if (!read.ok) return read;
    level = read.value;
  }
  const shape: (number | null)[] = [];
  for (const field of level) {
    if (field.number !== 1 || field.type !== 'bytes') continue;
    const size = readFields(field.bytes, field.offset);
    if (!size.ok) return size;
    // One of a number and a name: the last of them counts.
    const value = size.value.findLast((one) => one.number === 1 || one.number === 2);
    shape.push(value?.type === 'varint' && value.integer > 0 ? value.integer : null);
  }
  return ok({ name, shape, elements });
}

/** The elements of an attribute's lists, which may be in several fields. */
function listsOf(fields: readonly Field[], name: string): Result<Pick<Attribute, 'floats' | 'integers'>, Problem> {
  const lists: Record<7 | 8, number[]> = { 7: [], 8: [] };
  for (const field of fields) {
    if (field.number !== 7 && field.number !== 8) continue;
    const some = field.number === 7 ? floatsOf(field, name) : integersOf(field);
    if (!some.ok) return some;
    for (const value of some.value) lists[field.number].push(value);
  }
  return ok({ floats: lists[7], integers: lists[8] });
}

function floatsOf(field: Field, name: string): Result<readonly number[], Problem> {
  const { length } = field.bytes;
  if (length % 4 !== 0) return refused('attribute', `The floats of the attribute '${name}' are cut short.`, field);
  return ok(Array.from({ length: length / 4 }, (_, k) => float32At(field.bytes, 4 * k)));
}

const refused = (check: string, message: string, { offset }: Field): Result<never, Problem> =>
  wrong('PV-8303', check, message, { offset });

/** Readers disagree about which of two counts, or merge them. */
const repeated = (what: string, { offset }: Field): Result<never, Problem> =>
  wrong('PV-8301', 'graph', `The file has the ${what} twice, so readers would disagree about it.`, { offset });

const decoder = new TextDecoder();
const text = (bytes: Uint8Array): string => decoder.decode(bytes);
const textsOf = (fields: readonly Field[], number: number): readonly string[] =>
  fields.filter((field) => field.number === number && field.type === 'bytes').map(({ bytes }) => text(bytes));
const textOf = (fields: readonly Field[], number: number): string => textsOf(fields, number).at(-1) ?? '';

const float32At = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getFloat32(at, true);
