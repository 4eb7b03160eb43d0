/** Tensors of an ONNX model: weights, and the integers from which graphs compute shapes. */
import { wrong, type Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import type { Budget } from './budget.ts';
import { tensorProto } from './messages.ts';
import { integersOf, nameAt, readFields, type Field } from './wire.ts';

/** Numbers in row-major order, as float64. */
export interface Tensor {
  readonly name: string;
  readonly type: 'float32' | 'float64' | 'integer' | 'boolean';
  readonly shape: readonly number[];
  readonly values: Float64Array;
}

const any = (): boolean => true;

/** The element types that are read: their names, bytes in raw_data, and how one is read. */
const elementTypes: Readonly<
  Record<
    number,
    {
      readonly type: Tensor['type'];
      readonly bytes: number;
      readonly read: (view: DataView, at: number) => number;
      /** Whether a value is one of the type: readers cut off the rest of a larger integer. */
      readonly holds: (value: number) => boolean;
    }
  >
> = {
  1: { type: 'float32', bytes: 4, read: (view, at) => view.getFloat32(at, true), holds: any },
  6: { type: 'integer', bytes: 4, read: (view, at) => view.getInt32(at, true), holds: (x) => x === (x | 0) },
  7: { type: 'integer', bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true)), holds: any },
  9: { type: 'boolean', bytes: 1, read: (view, at) => view.getUint8(at), holds: (x) => x === 0 || x === 1 },
  11: { type: 'float64', bytes: 8, read: (view, at) => view.getFloat64(at, true), holds: any },
};

const names: Readonly<Record<number, string>> = { 2: 'uint8', 3: 'int8', 8: 'string', 10: 'float16', 16: 'bfloat16' };

/** More than any operator takes. */
const mostDimensions = 16;

/** Fields of TensorProto. */
const [
  dims,
  dataType,
  segment,
  floatData,
  int32Data,
  stringData,
  int64Data,
  nameField,
  rawData,
  doubleData,
  unsignedData,
  externalData,
  dataLocation,
] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14];

/** The tensor in a field. */
export function readTensor({ bytes, offset }: Field, budget: Budget): Result<Tensor, Problem> {
  const read = readFields(bytes, offset, tensorProto);
  if (!read.ok) return read;
  const fields = read.value;
  const text = nameAt(fields, nameField);
  if (!text.ok) return text;
  const name = text.value;
  const location = fields.find(({ number }) => number === dataLocation)?.integer ?? 0;
  if (location !== 0 || fields.some(({ number }) => number === externalData))
    return wrong(
      'PV-8304',
      'external data',
      `The weights '${name}' are in an external file, which pv does not open: save the model with its weights inside.`,
      { offset },
    );
  const code = fields.find(({ number }) => number === dataType)?.integer ?? 0;
  const element = elementTypes[code];
  if (element === undefined)
    return wrong('PV-8303', 'element type', `The tensor '${name}' has elements of a type that pv does not read.`, {
      offset,
      expected: 'float32, float64, int32, int64 or bool',
      actual: names[code] ?? `type ${code}`,
    });
  const shape = shapeOf(fields, name, offset);
  if (!shape.ok) return shape;
  const misfit = dataFault(fields, code, element.bytes);
  if (misfit !== null) return wrong('PV-8302', 'tensor data', `The tensor '${name}' ${misfit}.`, { offset });
  const sizes = shape.value;
  const wanted = sizes.reduce((product, size) => product * size, 1);
  const allowed = budget.keep(mostElements(fields, element.bytes), offset);
  if (!allowed.ok) return allowed;
  const values = valuesOf(fields, element);
  if (!values.ok) return values;
  const odd = values.value.find((value) => !element.holds(value));
  if (odd !== undefined)
    return wrong('PV-8302', 'tensor data', `The tensor '${name}' has an element that its type does not have.`, {
      offset,
      actual: `${odd}`,
    });
  if (sizes.some((size) => !(size >= 0)) || wanted !== values.value.length)
    return wrong('PV-8302', 'tensor size', `The tensor '${name}' has data that does not match its shape.`, {
      offset,
      expected: `${sizes.join(' × ')} numbers`,
      actual: `${values.value.length}`,
    });
  return ok({ name, type: element.type, shape: sizes, values: values.value });
}

function shapeOf(fields: readonly Field[], name: string, offset: number): Result<readonly number[], Problem> {
  const shape: number[] = [];
  for (const field of fields) {
    if (field.number !== dims) continue;
    const sizes = integersOf(field);
    if (!sizes.ok) return sizes;
    if (shape.length + sizes.value.length > mostDimensions)
      return wrong('PV-8302', 'tensor rank', `The tensor '${name}' has more than ${mostDimensions} dimensions.`, {
        offset,
      });
    shape.push(...sizes.value);
  }
  return ok(shape);
}

/** Where the elements of each type may be besides raw_data. */
const dataFields: Readonly<Record<number, number>> = {
  1: floatData,
  6: int32Data,
  7: int64Data,
  9: int32Data,
  11: doubleData,
};

/** Data in a place where readers would understand it differently; null if there is none. */
function dataFault(fields: readonly Field[], code: number, bytes: number): string | null {
  const given = (number: number): readonly Field[] => fields.filter((field) => field.number === number);
  if (given(segment).length > 0) return 'is one segment of a larger one, which pv does not read';
  const raw = given(rawData);
  const typed = [floatData, int32Data, stringData, int64Data, doubleData, unsignedData].filter(
    (number) => given(number).length > 0,
  );
  if (raw.length > 1 || (raw.length === 1 && typed.length > 0)) return 'has its data more than once';
  if (typed.some((number) => number !== dataFields[code])) return 'has its data in the field of another type';
  const width = typed[0] === floatData || typed[0] === doubleData ? bytes : 1;
  const isCut = [
    ...raw.map((field) => field.bytes.length % bytes),
    ...typed.flatMap((number) => given(number).map((field) => field.bytes.length % width)),
  ];
  return isCut.some((rest) => rest !== 0) ? 'has data that ends inside an element' : null;
}

/** How many elements the data have at most: a varint has a byte or more. */
function mostElements(fields: readonly Field[], bytes: number): number {
  const widths: Readonly<Record<number, number>> = {
    [floatData]: 4,
    [int32Data]: 1,
    [int64Data]: 1,
    [rawData]: bytes,
    [doubleData]: 8,
  };
  return fields.reduce((sum, field) => {
    const width = widths[field.number];
    return sum + (width === undefined ? 0 : field.type === 'bytes' ? field.bytes.length / width : 1);
  }, 0);
}

function valuesOf(
  fields: readonly Field[],
  element: NonNullable<(typeof elementTypes)[number]>,
): Result<Float64Array, Problem> {
  const raw = fields.find(({ number }) => number === rawData);
  if (raw !== undefined) {
    const view = new DataView(raw.bytes.buffer, raw.bytes.byteOffset, raw.bytes.byteLength);
    const values = new Float64Array(raw.bytes.length / element.bytes);
    for (let k = 0; k < values.length; k++) values[k] = element.read(view, k * element.bytes);
    return ok(values);
  }
  const values: number[] = [];
  for (const field of fields) {
    if (field.number === floatData || field.number === doubleData) {
      const width = field.number === floatData ? 4 : 8;
      const view = new DataView(field.bytes.buffer, field.bytes.byteOffset, field.bytes.byteLength);
      for (let at = 0; at + width <= field.bytes.length; at += width)
        values.push(width === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true));
    } else if (field.number === int32Data || field.number === int64Data) {
      const whole = integersOf(field);
      if (!whole.ok) return whole;
      for (const value of whole.value) values.push(value);
    }
  }
  return ok(Float64Array.from(values));
}
