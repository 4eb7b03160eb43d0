/** The tensors that a pickle of `torch.save` describes: their type, shape and place in a storage. */
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { isPickled, itemsOf, nameOf, type Pickled } from '../../pickle/pickled.ts';
import type { TorchFile } from './torch-file.ts';

/** Bytes per element of a storage, by the class that names it. */
const storages = {
  FloatStorage: { dtype: 'F32', bytes: 4 },
  DoubleStorage: { dtype: 'F64', bytes: 8 },
  HalfStorage: { dtype: 'F16', bytes: 2 },
  BFloat16Storage: { dtype: 'BF16', bytes: 2 },
  LongStorage: { dtype: 'I64', bytes: 8 },
  IntStorage: { dtype: 'I32', bytes: 4 },
  ShortStorage: { dtype: 'I16', bytes: 2 },
  CharStorage: { dtype: 'I8', bytes: 1 },
  ByteStorage: { dtype: 'U8', bytes: 1 },
  BoolStorage: { dtype: 'BOOL', bytes: 1 },
} as const;

/** An element type, as safetensors names it. */
type TorchDType = (typeof storages)[keyof typeof storages]['dtype'];

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
    case 'torch._utils._rebuild_tensor_v2':
    case 'torch._utils._rebuild_tensor':
      return rebuilt(given ?? []);
    default:
      return null;
  }
}

function rebuilt([storage, start, shape, strides]: readonly Pickled[]): TorchTensor | null {
  const id = isPickled(storage, 'persistent') ? itemsOf(storage.id) : null;
  const [tag, kind, key, device] = id ?? [];
  const stored = storageOf(nameOf(kind));
  const [sizes, steps] = [countsOf(shape), countsOf(strides)];
  if (tag !== 'storage' || stored === null || typeof key !== 'string' || typeof device !== 'string') return null;
  if (!isCount(start) || sizes === null || sizes.length !== steps?.length) return null;
  return { dtype: stored.dtype, shape: sizes, strides: steps, start, key, device };
}

function storageOf(name: string | null): (typeof storages)[keyof typeof storages] | null {
  const kind = name?.startsWith('torch.') === true ? name.slice('torch.'.length) : '';
  return Object.hasOwn(storages, kind) ? storages[kind as keyof typeof storages] : null;
}

const isCount = (value: Pickled | undefined): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function countsOf(value: Pickled | undefined): readonly number[] | null {
  const items = itemsOf(value);
  return items?.every(isCount) === true ? items : null;
}

/** Where a tensor's elements are in its file, row by row. */
export interface TensorRange {
  readonly offset: number;
  readonly bytes: number;
}

/** The range of a contiguous tensor; PV-8503 if its storage does not hold it. */
export function placeOfTensor(file: TorchFile, tensor: TorchTensor): Result<TensorRange, Problem> {
  const width = Object.values(storages).find(({ dtype }) => dtype === tensor.dtype)?.bytes ?? 1;
  const entry = file.storage(tensor.key);
  if (entry === undefined) return misplaced(`its storage ${JSON.stringify(tensor.key)} is missing`);
  if (!file.littleEndian) return misplaced('its numbers are big-endian');
  const count = tensor.shape.reduce((product, n) => product * n, 1);
  if (!isContiguous(tensor)) return misplaced('its elements are not contiguous');
  if ((tensor.start + count) * width > entry.size)
    return misplaced(`it takes ${count} elements from ${tensor.start}, but its storage has ${entry.size} bytes`);
  return ok({ offset: entry.offset + tensor.start * width, bytes: count * width });
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
