/** `adapter_model.safetensors` of Hugging Face PEFT, as a whole. */
import { ok, err, type Result } from '../../base/result.ts';
import { compareText, quoted } from '../../base/text.ts';
import { widened } from '../../checkpoint/numbers.ts';
import { float32Of, readSafetensors, writeSafetensors } from '../../tensors/safetensors.ts';
import type { FloatTensor, StateDict } from './layout.ts';

/** What PyTorch's loaders expect of a file's metadata. */
export const adapterMetadata = { format: 'pt' } as const;

/** The file of an adapter, in float32, its tensors sorted by name: the same adapter gives the same bytes. */
export function writeAdapter(adapter: StateDict): Uint8Array {
  const tensors = [...adapter].map(([name, tensor]) => ({ name, ...tensor }));
  const parts = writeSafetensors(
    tensors.toSorted((x, y) => compareText(x.name, y.name)),
    adapterMetadata,
  );
  const file = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    file.set(part, end);
    end += part.length;
  }
  return file;
}

/**
 * The tensors of an adapter of one's own. F16 and BF16 are widened, which is exact; submissions must be in F32, because their bytes
 * are what is signed and averaged (`adapterFault`). An error for a malformed file or another type.
 */
export function readAdapter(file: Uint8Array): Result<StateDict, string> {
  const read = readSafetensors(file);
  if (!read.ok) return err(read.error.message);
  const adapter = new Map<string, FloatTensor>();
  for (const [name, tensor] of read.value.tensors) {
    const { dtype, bytes } = tensor;
    const isHalf = dtype === 'F16' || dtype === 'BF16';
    const data = isHalf ? widened(dtype, bytes) : float32Of(tensor);
    if (data === null) return err(`The tensor ${quoted(name)} is ${dtype}, not F32, F16 or BF16.`);
    adapter.set(name, { shape: tensor.shape, data });
  }
  return ok(adapter);
}
