/**
 * Logits as other engines hand them out: a tensor of shape [1, positions, vocabulary], whatever its class.
 */
import { recorderError } from '../recorder-error.ts';

/** The common part of onnxruntime's and transformers.js's tensors. */
export interface TensorLike {
  /** `float32`, `float16`, `int64` and so on. */
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: unknown;
}

/**
 * The logits of each position, as float32: views of float32 data, copies of float16 data, whose numbers float32 holds
 * exactly.
 *
 * Throws a {@link RecorderError} (PV-8048) for a batch of more than one, another type, or data of another length.
 */
export function float32Rows(tensor: TensorLike): readonly Float32Array[] {
  const [batch = 1, positions = 1, vocabSize = 0] = tensor.dims.length === 2 ? [1, ...tensor.dims] : tensor.dims;
  const values = float32Of(tensor);
  if (batch !== 1 || values?.length !== positions * vocabSize) {
    throw recorderError({
      code: 'PV-8048',
      check: 'logits tensor',
      message: 'The logits are not a float32 or float16 tensor of one sequence: a trace records one sequence.',
      expected: 'shape [1, positions, vocabulary]',
      actual: `${tensor.type} of shape [${tensor.dims.join(', ')}]`,
    });
  }
  return Array.from({ length: positions }, (_, i) => values.subarray(i * vocabSize, (i + 1) * vocabSize));
}

function float32Of({ type, data }: TensorLike): Float32Array | null {
  if (type === 'float32') return data instanceof Float32Array ? data : null;
  if (type !== 'float16' || !ArrayBuffer.isView(data) || data.byteLength % 2 !== 0) return null;
  // Bits in a Uint16Array, or a Float16Array where the platform has it: the same bytes.
  return Float32Array.from(new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2), fromHalfBits);
}

/** The number encoded by the bits of an IEEE 754 binary16 (§3.4). */
function fromHalfBits(bits: number): number {
  const sign = bits >= 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (fraction + 0x400) * 2 ** (exponent - 25));
}

/**
 * The token ids of a tensor of shape [1, n], whose data are bigints (int64) or numbers. Throws as {@link float32Rows}
 * does.
 */
export function tokenIds(tensor: TensorLike): readonly number[] {
  const { dims, data } = tensor;
  const isList = data instanceof BigInt64Array || data instanceof Int32Array || Array.isArray(data);
  const ids = isList ? Array.from(data as Iterable<unknown>, Number) : [];
  const length = dims[dims.length - 1];
  if (ids.length > 0 && ids.length === length && ids.every(Number.isInteger)) return ids;
  throw recorderError({
    code: 'PV-8048',
    check: 'token tensor',
    message: 'The tokens fed in are not a tensor of one sequence: a trace records one sequence.',
    expected: 'int64 of shape [1, tokens]',
    actual: `${tensor.type} of shape [${dims.join(', ')}]`,
  });
}
