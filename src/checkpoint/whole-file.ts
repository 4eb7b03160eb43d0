import type { ByteSource } from './byte-source.ts';
import type { StoredTensor } from './checkpoint.ts';

/** A whole file, as if it were a tensor of bytes. */
export const asBytes = (file: string, source: ByteSource): StoredTensor => ({
  name: file,
  dtype: 'U8',
  shape: [source.size],
  source,
  offset: 0,
  bytes: source.size,
  file,
});
