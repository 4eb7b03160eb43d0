/** Checkpoints, from which a run can be replayed in segments: a safetensors file whose metadata hold the scalar state. */
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { decodeJson, list } from '../../evidence/decoder.ts';
import { float32Of, readSafetensors, writeSafetensors, type NamedFloats } from '../../tensors/safetensors.ts';
import type { Kept } from '../trainer/stepper.ts';
import { plain, progress } from '../trainer/read-progress.ts';

/** The bytes of a checkpoint file. */
export const writeCheckpoint = ({ step, arrays, ...numbers }: Kept): readonly Uint8Array[] =>
  writeSafetensors(arrays, {
    format: 'pv-training-checkpoint/1',
    step: String(step),
    progress: JSON.stringify(numbers.progress),
    invariants: JSON.stringify(numbers.invariants),
  });

/** Reads a checkpoint file; PV-8420 or PV-8421 if it is malformed. */
export function readCheckpoint(file: Uint8Array): Result<Kept, Problem> {
  const read = readSafetensors(file);
  if (!read.ok) return read;
  const { tensors, metadata } = read.value;
  const { step = '', progress: progressText = '', invariants: invariantsText = '' } = metadata;
  const found = decodeJson(progressText, progress);
  const remembered = decodeJson(invariantsText, list(plain, 100));
  if (!/^(0|[1-9]\d{0,15})$/.test(step)) return malformed('its step is not a number');
  if (!found.ok) return malformed(found.error);
  if (!remembered.ok) return malformed(remembered.error);
  const arrays: NamedFloats[] = [];
  for (const [name, tensor] of tensors) {
    const data = float32Of(tensor);
    if (data === null) return malformed(`${name} is not float32`);
    arrays.push({ name, shape: tensor.shape, data });
  }
  return ok({ step: Number(step), arrays, progress: found.value, invariants: remembered.value });
}

const malformed = (why: string): Result<never, Problem> =>
  wrong('PV-8421', 'checkpoint', `The file is not a checkpoint of a training run: ${why}.`);
