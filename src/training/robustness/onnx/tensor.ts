/** Tensors of an ONNX model: weights, and the integers from which graphs compute shapes. */
import { wrong, type Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import { integersOf, readFields, type Field } from './wire.ts';

/** Numbers in row-major order, as float64. */
export interface Tensor {
  readonly name: string;
  readonly type: 'float32' | 'float64' | 'integer';
  readonly shape: readonly number[];
  readonly values: Float64Array;
}

/** The element types that are read: their names, bytes in raw_data, and how one is read. */
const elementTypes: Readonly<
  Record<
    number,
    { readonly type: Tensor['type']; readonly bytes: number; readonly read: (view: DataView, at: number) => number }
  >
> = {
  1: { type: 'float32', bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  6: { type: 'integer', bytes: 4, read: (view, at) => view.getInt32(at, true) },
  7: { type: 'integer', bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
  9: { type: 'integer', bytes: 1, read: (view, at) => view.getUint8(at) },
  11: { type: 'float64', bytes: 8, read: (view, at) => view.getFloat64(at, true) },
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
  int64Data,
  nameField,
  rawData,
  doubleData,
  externalData,
  dataLocation,
] = [1, 2, 3, 4, 5, 7, 8, 9, 10, 13, 14];

/** The tensor in a field. */
export function readTensor({ bytes, offset }: Field): Result<Tensor, Problem> {
  const read = readFields(bytes, offset);
  if (!read.ok) return read;
  const fields = read.value;
  const name = new TextDecoder().decode(fields.findLast(({ number }) => number === nameField)?.bytes);
  const location = fields.findLast(({ number }) => number === dataLocation)?.integer ?? 0;
  if (location !== 0 || fields.some(({ number }) => number === externalData))
    return wrong(
      'PV-8304',
      'external data',
      `The weights '${name}' are in an external file, which pv does not open: save the model with its weights inside.`,
      { offset },
    );
  const code = fields.findLast(({ number }) => number === dataType)?.integer ?? 0;
  const element = elementTypes[code];
  if (element === undefined)
    return wrong('PV-8303', 'element type', `The tensor '${name}' has elements of a type that pv does not read.`, {
      offset,
      expected: 'float32, float64, int32, int64 or bool',
      actual: names[code] ?? `type ${code}`,
    });
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
  const misfit = dataFault(fields, code, element.bytes);
  if (misfit !== null) return wrong('PV-8302', 'tensor data', `The tensor '${name}' ${misfit}.`, { offset });
  const values = valuesOf(fields, element);
  if (!values.ok) return values;
  const wanted = shape.reduce((product, size) => product * size, 1);
  if (shape.some((size) => !(size >= 0)) || wanted !== values.value.length)
    return wrong('PV-8302', 'tensor size', `The tensor '${name}' has data that does not match its shape.`, {
      offset,
      expected: `${shape.join(' × ')} numbers`,
      actual: `${values.value.length}`,
    });
  return ok({ name, type: element.type, shape, values: values.value });
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
  const typed = [floatData, int32Data, int64Data, doubleData].filter((number) => given(number).length > 0);
  if (raw.length > 1 || (raw.length === 1 && typed.length > 0)) return 'has its data more than once';
  if (typed.some((number) => number !== dataFields[code])) return 'has its data in the field of another type';
  const width = typed[0] === floatData || typed[0] === doubleData ? bytes : 1;
  const isCut = [
    ...raw.map((field) => field.bytes.length % bytes),
    ...typed.flatMap((number) => given(number).map((field) => field.bytes.length % width)),
  ];
  return isCut.some((rest) => rest !== 0) ? 'has data that ends inside an element' : null;
}

function valuesOf(
  fields: readonly Field[],
  element: NonNullable<(typeof elementTypes)[number]>,
): Result<Float64Array, Problem> {
  const raw = fields.find(({ number }) => number === rawData);
  if (raw !== undefined) {
    const view = new DataView(raw.bytes.buffer, raw.bytes.byteOffset, raw.bytes.byteLength);
    const count = Math.floor(raw.bytes.length / element.bytes);
    return ok(Float64Array.from({ length: count }, (_, k) => element.read(view, k * element.bytes)));
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
