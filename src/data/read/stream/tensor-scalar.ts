/** The number in a `tensorflow.TensorProto` of one element, as TensorBoard's scalar plugin writes it (tensor.proto, types.proto). */
import { visitFields } from './protobuf.ts';

/** The element, or null if the tensor has another size or type (images, histograms, texts). */
export function scalarOfTensor(bytes: Uint8Array, start: number, end: number): number | null {
  let type = 0;
  let content: { readonly start: number; readonly end: number } | null = null;
  let listed: number | null = null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = (value: number): void => void (listed ??= value);
  visitFields(bytes, start, end, (field) => {
    if (field.number === 1 && field.type === 'varint') type = field.varint;
    else if (field.number === 4 && field.type === 'bytes') content = field;
    // float_val, double_val, int_val, int64_val: packed lists, or single fields of older writers.
    else if (field.number === 5 && field.end - field.start === 4) first(view.getFloat32(field.start, true));
    else if (field.number === 6 && field.end - field.start === 8) first(view.getFloat64(field.start, true));
    else if ((field.number === 7 || field.number === 10) && field.type === 'varint') first(field.varint);
  });
  return listed ?? (content === null ? null : elementOf(view, type, content));
}

/** DT_FLOAT 1, DT_DOUBLE 2, DT_INT32 3, DT_INT64 9, DT_HALF 19. */
function elementOf(
  view: DataView,
  type: number,
  { start, end }: { readonly start: number; readonly end: number },
): number | null {
  const size = end - start;
  if (type === 1 && size === 4) return view.getFloat32(start, true);
  if (type === 2 && size === 8) return view.getFloat64(start, true);
  if (type === 3 && size === 4) return view.getInt32(start, true);
  if (type === 9 && size === 8) return Number(view.getBigInt64(start, true));
  if (type === 19 && size === 2) return halfToNumber(view.getUint16(start, true));
  return null;
}

/** IEEE 754 binary16: one bit of sign, five of exponent, ten of significand. */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}
