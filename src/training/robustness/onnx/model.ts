/** The parts of an ONNX model that a network is made of: onnx.proto, IR versions 3 to 14. */
import { wrong, type Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import { readAttribute, type Attribute } from './attribute.ts';
import type { Budget } from './budget.ts';
import * as messages from './messages.ts';
import { readTensor, type Tensor } from './tensor.ts';
import { nameAt, readFields, repeated, textOf, type Field } from './wire.ts';

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

/** Decoding a name takes as long as so many elementary steps. */
const stepsOfName = 32;

/** Versions of the format, and of the standard operators, that pv knows: those of onnx 1.23. */
const newestFormat = 14;
const newestOpset = 28;

/** The graph of a model file. */
export function readModel(bytes: Uint8Array, budget: Budget): Result<Graph, Problem> {
  const fields = readFields(bytes, 0, messages.modelProto);
  if (!fields.ok) return fields;
  const [functions] = fields.value.filter(({ number }) => number === 25);
  if (functions !== undefined)
    return wrong('PV-8303', 'functions', 'The model defines functions, which pv does not read.', functions);
  const graph = fields.value.find(({ number }) => number === 7);
  if (graph === undefined)
    return wrong('PV-8300', 'graph', 'The file has no graph: it is empty, or it is not an ONNX model.', {
      expected: 'an ONNX model (.onnx)',
    });
  const format = fields.value.find(({ number }) => number === 1)?.integer ?? 0;
  if (!(format >= 3 && format <= newestFormat))
    return wrong('PV-8303', 'format', 'The model has a version of the format that pv does not know.', {
      expected: `an ir_version from 3 to ${newestFormat}`,
      actual: `${format}`,
    });
  const opset = opsetOf(fields.value.filter(({ number }) => number === 8));
  return opset.ok ? readGraph(graph, opset.value, budget) : opset;
}

function opsetOf(imports: readonly Field[]): Result<number, Problem> {
  const versions: number[] = [];
  for (const { bytes, offset } of imports) {
    const fields = readFields(bytes, offset, messages.operatorSetId);
    if (!fields.ok) return fields;
    const domain = nameAt(fields.value, 1);
    if (!domain.ok) return domain;
    if (domain.value === '' || domain.value === 'ai.onnx')
      versions.push(fields.value.find(({ number }) => number === 2)?.integer ?? 0);
  }
  const [version = 0, again] = versions;
  if (again === undefined && version >= 1 && version <= newestOpset) return ok(version);
  return wrong('PV-8303', 'opset', 'The model does not say which version of the standard operators it uses.', {
    expected: `one version from 1 to ${newestOpset}`,
    actual: versions.length === 0 ? 'none' : versions.slice(0, 5).join(', '),
  });
}

function readGraph({ bytes, offset }: Field, opset: number, budget: Budget): Result<Graph, Problem> {
  const fields = readFields(bytes, offset, messages.graphProto);
  if (!fields.ok) return fields;
  const count = fields.value.filter(({ number }) => number === 1).length;
  if (count > mostOperators)
    return wrong('PV-8305', 'graph', `The graph has ${count} operators; pv reads at most ${mostOperators}.`);
  const operators: Operator[] = [];
  const initializers = new Map<string, Tensor>();
  const declared: Record<11 | 12, Declared[]> = { 11: [], 12: [] };
  for (const field of fields.value) {
    const allowed = budget.spend(1 + field.bytes.length / 8, field.offset);
    if (!allowed.ok) return allowed;
    if (field.number === 1) {
      const operator = readOperator(field, budget);
      if (!operator.ok) return operator;
      operators.push(operator.value);
    } else if (field.number === 5) {
      const tensor = readTensor(field, budget);
      if (!tensor.ok) return tensor;
      if (initializers.has(tensor.value.name)) return repeated(`the weight '${tensor.value.name}'`, field.offset);
      initializers.set(tensor.value.name, tensor.value);
    } else if (field.number === 11 || field.number === 12) {
      const allowed = budget.keep(field.bytes.length, field.offset);
      const value = allowed.ok ? readDeclared(field) : allowed;
      if (!value.ok) return value;
      declared[field.number].push(value.value);
    } else if (field.number === 15)
      return wrong('PV-8303', 'initializer', 'The model stores weights as sparse tensors, which pv does not read.', {
        offset: field.offset,
      });
  }
  return ok({ operators, initializers, inputs: declared[11], outputs: declared[12], opset });
}

function readOperator({ bytes, offset }: Field, budget: Budget): Result<Operator, Problem> {
  const fields = readFields(bytes, offset, messages.nodeProto);
  if (!fields.ok) return fields;
  const names = fields.value.length;
  const kept = budget.keep(names, offset);
  const allowed = kept.ok ? budget.spend(names * stepsOfName, offset) : kept;
  if (!allowed.ok) return allowed;
  const attributes = new Map<string, Attribute>();
  const lists: Record<1 | 2, string[]> = { 1: [], 2: [] };
  for (const field of fields.value) {
    if (field.number === 1 || field.number === 2) {
      const name = textOf(field);
      if (!name.ok) return name;
      lists[field.number].push(name.value);
    }
    if (field.number !== 5) continue;
    const read = readAttribute(field, budget);
    if (!read.ok) return read;
    if (attributes.has(read.value[0])) return repeated(`the attribute '${read.value[0]}'`, field.offset);
    attributes.set(...read.value);
  }
  const [name, type, domain, overload] = [3, 4, 7, 8].map((number) => nameAt(fields.value, number));
  for (const text of [name, type, domain, overload]) if (text?.ok === false) return text;
  const valueOf = (text: typeof name): string => (text?.ok ? text.value : '');
  const operator = { type: valueOf(type), domain: valueOf(domain), name: valueOf(name) };
  if (valueOf(overload) !== '')
    return wrong('PV-8303', 'operator', `The operator ${operator.type} is an overload, which pv does not read.`, {
      offset,
    });
  return ok({ ...operator, inputs: lists[1], outputs: lists[2], attributes, offset });
}

function readDeclared({ bytes, offset }: Field): Result<Declared, Problem> {
  const fields = readFields(bytes, offset, messages.valueInfoProto);
  if (!fields.ok) return fields;
  const name = nameAt(fields.value, 1);
  if (!name.ok) return name;
  const unknown: Declared = { name: name.value, shape: null, elements: null };
  const type = fields.value.find(({ number }) => number === 2);
  if (type === undefined) return ok(unknown);
  const types = readFields(type.bytes, type.offset, messages.typeProto);
  if (!types.ok) return types;
  const [tensor, ...others] = types.value.filter(({ number }) => messages.typeProto[number] !== undefined);
  if (others.length > 0) return repeated(`the type of '${name.value}'`, type.offset);
  if (tensor?.number !== 1) return ok(unknown);
  const parts = readFields(tensor.bytes, tensor.offset, messages.tensorType);
  if (!parts.ok) return parts;
  const elements = parts.value.find(({ number }) => number === 1)?.integer ?? null;
  const shape = parts.value.find(({ number }) => number === 2);
  const sizes = shape === undefined ? ok(null) : sizesOf(shape, name.value);
  return sizes.ok ? ok({ name: name.value, shape: sizes.value, elements }) : sizes;
}

function sizesOf({ bytes, offset }: Field, name: string): Result<readonly (number | null)[], Problem> {
  const dimensions = readFields(bytes, offset, messages.tensorShapeProto);
  if (!dimensions.ok) return dimensions;
  const sizes: (number | null)[] = [];
  for (const field of dimensions.value) {
    if (field.number !== 1) continue;
    const size = readFields(field.bytes, field.offset, messages.dimension);
    if (!size.ok) return size;
    const [value, other] = size.value.filter(({ number }) => messages.dimension[number] !== undefined);
    if (other !== undefined) return repeated(`a size of '${name}'`, field.offset);
    sizes.push(value?.number === 1 && value.integer >= 0 ? value.integer : null);
  }
  return ok(sizes);
}
