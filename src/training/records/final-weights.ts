/** The final weights of a run that another trainer took, which pv measures itself. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { listOf, quoted } from '../../base/text.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { float32Of, readSafetensors } from '../../tensors/safetensors.ts';
import type { StepRecords } from './read-records.ts';

/** The arrays in the order of the records' parameters. */
export type FinalWeights = readonly Float32Array[];

/** Reads the file; PV-8420, PV-8334 or PV-8339 if it is not the one that the records describe. */
export function readFinalWeights(file: Uint8Array, { header, digest }: StepRecords): Result<FinalWeights, Problem> {
  const read = readSafetensors(file);
  if (!read.ok) return read;
  const { tensors } = read.value;
  const known = new Set(header.parameters);
  const extra = [...tensors.keys()].filter((name) => !known.has(name));
  const missing = header.parameters.filter((name) => !tensors.has(name));
  const lists = [
    [missing, 'lack'],
    [extra, 'also contain'],
  ] as const;
  for (const [names, verb] of lists)
    if (names.length > 0)
      return mismatch(
        `The final weights ${verb} ${listOf(
          names.map((name) => quoted(name)),
          3,
        )}.`,
      );
  const arrays: Float32Array[] = [];
  for (const [i, name] of header.parameters.entries()) {
    const tensor = tensors.get(name);
    const array = tensor === undefined ? null : float32Of(tensor);
    const shape = header.shapes[i] ?? [];
    if (array === null) return mismatch(`Parameter ${quoted(name)} is not stored as F32.`);
    if (tensor?.shape.join() !== shape.join())
      return mismatch(
        `Parameter ${quoted(name)} has the shape [${tensor?.shape.join(', ')}], in the records [${shape.join(', ')}].`,
      );
    arrays.push(array);
  }
  const found = bytesToHex(sha256(file));
  if (found !== digest)
    return wrong(
      'PV-8339',
      'weights',
      'The weights are not those that the run ended with: pass the weights.safetensors that was written with the records.',
      { expected: digest, actual: found },
    );
  return ok(arrays);
}

const mismatch = (message: string): Result<never, Problem> =>
  wrong('PV-8334', 'weights', `${message} Pass the weights.safetensors that was written with the records.`);
