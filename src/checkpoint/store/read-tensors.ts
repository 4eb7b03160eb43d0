import { err, ok, type Result } from '../../base/result.ts';
import { readSafetensorsHeader, safetensorsDataStart, type NamedTensor } from '../../tensors/safetensors.ts';
import { arrayOfBytes, typeOfArray } from '../../tensors/typed-arrays.ts';
import type { HashedFile } from './hashed-file.ts';

/** The tensors of a safetensors file in the order of their bytes, each in a buffer of its own, so that no file is in memory twice. */
export async function readTensors({ size, take }: HashedFile): Promise<Result<readonly NamedTensor[], string>> {
  const first = await take(Math.min(8, size));
  if (!first.ok) return first;
  const start = safetensorsDataStart(first.value, size);
  if (!start.ok) return err(start.error.message);
  const json = await take(start.value - 8);
  if (!json.ok) return json;
  const header = readSafetensorsHeader(json.value, size);
  if (!header.ok) return err(header.error.message);
  const tensors: NamedTensor[] = [];
  const places = [...header.value.tensors].toSorted(([, a], [, b]) => a.start - b.start || a.end - b.end);
  for (const [name, { dtype, shape, start: from, end }] of places) {
    const bytes = await take(end - from);
    if (!bytes.ok) return bytes;
    const data = arrayOfBytes(dtype, bytes.value);
    tensors.push({ name, shape, data, ...(typeOfArray(data) === dtype ? {} : { dtype }) });
  }
  return ok(tensors);
}
