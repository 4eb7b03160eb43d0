/** The tensors that a pickle of `torch.save` describes: their type, shape and place in a storage. */
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { isPickled, itemsOf, nameOf, type Pickled } from '../../pickle/pickled.ts';
import { quoted } from '../../base/text.ts';
import type { ByteSource } from '../byte-source.ts';
import { torchDType, widthOf, type TorchDType } from './dtypes.ts';
import type { TorchFile } from './saved-file.ts';

/** A tensor that is still in its file. */
export interface TorchTensor {
  readonly dtype: TorchDType;
  readonly shape: readonly number[];
  /** In elements, per dimension. */
  readonly strides: readonly number[];
  /** Of its first element in the storage, in elements. */
  readonly start: number;
  /** The storage that holds it; tensors may share one. */
  readonly key: string;
  /** The device it was saved from, such as `cuda:0`. */
  readonly device: string;
}

/** The tensor, parameter or buffer that `value` rebuilds; null if it is something else. */
export function torchTensor(value: Pickled | undefined): TorchTensor | null {
  if (!isPickled(value, 'call')) return null;
  const given = itemsOf(value.arguments);
  switch (nameOf(value.callable)) {
    case 'torch._utils._rebuild_parameter':
    case 'torch._utils._rebuild_parameter_with_state':
      return torchTensor(given?.[0]);
    case 'torch._tensor._rebuild_from_type_v2':
      return torchTensor(remade(given ?? []));
    case 'torch._utils._rebuild_tensor_v2':
    case 'torch._utils._rebuild_tensor':
      return rebuilt(given ?? []);
    case 'torch._utils._rebuild_tensor_v3':
      return rebuilt(given ?? [], nameOf(given?.[6]));
    default:
      return null;
  }
}

/** A tensor of a subclass is made by a function of its own from arguments. */
const remade = ([callable, , args]: readonly Pickled[]): Pickled =>
  callable === undefined || args === undefined
    ? null
    : { kind: 'call', callable, arguments: args, state: null, items: [], entries: new Map() };

function rebuilt([storage, start, shape, strides]: readonly Pickled[], type?: string | null): TorchTensor | null {
  const id = isPickled(storage, 'persistent') ? itemsOf(storage.id) : null;
  const [tag, kind, key, device, , view] = id ?? [];
  const stored = torchDType(type ?? nameOf(kind));
  const [sizes, steps] = [countsOf(shape), countsOf(strides)];
  // Before PyTorch 1.6, a storage could itself be a view of another one, from an element on.
  const [, before = 0] = itemsOf(view) ?? [];
  if (tag !== 'storage' || stored === null || typeof key !== 'string' || typeof device !== 'string') return null;
  if (!isCount(start) || !isCount(before) || sizes === null || sizes.length !== steps?.length) return null;
  return { dtype: stored.dtype, shape: sizes, strides: steps, start: before + start, key, device };
}

const isCount = (value: Pickled | undefined): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function countsOf(value: Pickled | undefined): readonly number[] | null {
  const items = itemsOf(value);
  return items?.every(isCount) === true ? items : null;
}

/** Where the elements of a tensor are, row by row. */
export interface PlacedTensor {
  /** The file, or a reader that puts the elements of a strided view in order. */
  readonly source: ByteSource;
  readonly offset: number;
  readonly bytes: number;
}

/** A view whose elements are gathered; larger ones would take too long. */
const largestView = 1024 ** 3;

/** PV-8503 if its storage does not hold the tensor. */
export function placedTensor(file: TorchFile, source: ByteSource, tensor: TorchTensor): Result<PlacedTensor, Problem> {
  const width = widthOf(tensor.dtype);
  const entry = file.storage(tensor.key);
  if (entry === undefined) return misplaced(`its storage ${quoted(tensor.key)} is missing`);
  if (!file.littleEndian) return misplaced('its numbers are big-endian');
  const { shape, strides, start } = tensor;
  const count = shape.reduce((product, n) => product * n, 1);
  const extent = count === 0 ? 0 : shape.reduce((sum, n, i) => sum + (n - 1) * (strides[i] ?? 0), 1);
  if (!((start + extent) * width <= entry.size))
    return misplaced(`it takes ${extent} elements from ${start}, but its storage has ${entry.size} bytes`);
  const offset = entry.offset + start * width;
  const bytes = count * width;
  if (isContiguous(tensor)) return ok({ source, offset, bytes });
  if (bytes > largestView || extent * width > largestView)
    return misplaced(`it is a strided view of ${count} elements, more than pv puts in order`);
  return ok({ source: gathered(source, { offset, extent, width }, tensor), offset: 0, bytes });
}

/** The storage behind a view. */
interface Span {
  readonly offset: number;
  /** In elements. */
  readonly extent: number;
  readonly width: number;
}

/** The elements of a view, row by row, as if they were so in a file. Reads begin and end between elements. */
function gathered(source: ByteSource, { offset, extent, width }: Span, { shape, strides }: TorchTensor): ByteSource {
  const size = shape.reduce((product, n) => product * n, width);
  return {
    size,
    read: async (from, length) => {
      const storage = await source.read(offset, extent * width);
      if (!storage.ok) return storage;
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; at += width) {
        let index = (from + at) / width;
        let place = 0;
        for (let i = shape.length - 1; i >= 0; i--) {
          const n = shape[i] ?? 1;
          place += (index % n) * (strides[i] ?? 0);
          index = Math.floor(index / n);
        }
        bytes.set(storage.value.subarray(place * width, (place + 1) * width), at);
      }
      return ok(bytes);
    },
  };
}

function isContiguous({ shape, strides }: TorchTensor): boolean {
  let expected = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    const size = shape[i] ?? 1;
    if (size > 1 && strides[i] !== expected) return false;
    expected *= size;
  }
  return true;
}

const misplaced = (message: string): Result<never, Problem> =>
  wrong('PV-8503', 'tensor', `A tensor cannot be read: ${message}.`);
