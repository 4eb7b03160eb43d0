/** Element types of PyTorch, by the names that its files give them. */

/** Bytes per element of a storage, by the class or, in PyTorch 2, the type that names it. */
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
  ComplexFloatStorage: { dtype: 'C64', bytes: 8 },
  ComplexDoubleStorage: { dtype: 'C128', bytes: 16 },
  uint16: { dtype: 'U16', bytes: 2 },
  uint32: { dtype: 'U32', bytes: 4 },
  uint64: { dtype: 'U64', bytes: 8 },
  float8_e4m3fn: { dtype: 'F8_E4M3', bytes: 1 },
  float8_e5m2: { dtype: 'F8_E5M2', bytes: 1 },
} as const;

/** An element type: as safetensors names it, or as its names would go on. */
export type TorchDType = (typeof storages)[keyof typeof storages]['dtype'];

/** Types by their names in Python. */
const dtypes: Readonly<Record<string, keyof typeof storages>> = {
  float32: 'FloatStorage',
  float64: 'DoubleStorage',
  float16: 'HalfStorage',
  bfloat16: 'BFloat16Storage',
  int64: 'LongStorage',
  int32: 'IntStorage',
  int16: 'ShortStorage',
  int8: 'CharStorage',
  uint8: 'ByteStorage',
  bool: 'BoolStorage',
  complex64: 'ComplexFloatStorage',
  complex128: 'ComplexDoubleStorage',
};

/** The type that `torch.float32` and the like name, with its bytes per element; null for another name. */
export function torchDType(name: string | null): { readonly dtype: TorchDType; readonly bytes: number } | null {
  const kind = name?.startsWith('torch.') === true ? name.slice('torch.'.length) : '';
  const storage = Object.hasOwn(dtypes, kind) ? (dtypes[kind] ?? kind) : kind;
  return Object.hasOwn(storages, storage) ? storages[storage as keyof typeof storages] : null;
}

/** Bytes per element. */
export const widthOf = (dtype: TorchDType): number =>
  Object.values(storages).find((storage) => storage.dtype === dtype)?.bytes ?? 1;
