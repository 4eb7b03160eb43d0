/** Step records as python/pv_training.py writes them, of a trainer of two small parameters that descends a bowl. */
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { sha256 } from '../../../src/merkle/sha256.ts';
import { norm } from '../../../src/training/norm.ts';
import { writeSafetensors } from '../../../src/tensors/safetensors.ts';

/** One line of a records file. */
export type Line = Record<string, unknown>;

/** The files of a recorded run. */
export interface Recorded {
  readonly lines: readonly Line[];
  readonly weights: Uint8Array;
}

/** A fault of the trainer at a step. */
export interface Fault {
  /** Multiplies the gradient. */
  readonly times?: number;
  /** Leaves the weights as they are. */
  readonly skipped?: boolean;
}

const json = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

/** Minimises ½‖w‖² by gradient descent for `steps` steps. */
export function recordedRun(steps = 12, faults: Readonly<Record<number, Fault>> = {}, digestEvery = 5): Recorded {
  const weights = { 'head.bias': Float32Array.of(3, -4), 'head.weight': Float32Array.of(1, 2, 2, 4, -4, 3) };
  const shapes = [[2], [3, 2]];
  const arrays = Object.values(weights);
  const file = (): Uint8Array =>
    concatBytes(
      ...writeSafetensors(Object.entries(weights).map(([name, data], i) => ({ name, data, shape: shapes[i] ?? [] }))),
    );
  const digest = (): string => bytesToHex(sha256(file()));
  const norms = (of: readonly Float32Array[]): (number | string)[] => of.map((array) => json(norm([array])));
  const lines: Line[] = [
    {
      format: 'pv-training-records/1',
      trainer: ['Bowl', '1.0'],
      parameters: Object.keys(weights),
      shapes,
      norms: norms(arrays),
      digest: digest(),
    },
  ];
  const rate = 0.1;
  for (let step = 1; step <= steps; step++) {
    const { times = 1, skipped = false } = faults[step] ?? {};
    const loss = 0.5 * norm(arrays) ** 2 * times;
    const gradients = arrays.map((array) => array.map((value) => value * times));
    const before = arrays.map((array) => array.slice());
    if (!skipped)
      for (const [i, array] of arrays.entries())
        for (const [j, g] of (gradients[i] ?? []).entries()) array[j] = (array[j] ?? 0) - rate * g;
    lines.push({
      step,
      rate,
      gradients: norms(gradients),
      updates: norms(arrays.map((array, i) => array.map((value, j) => value - (before[i]?.[j] ?? NaN)))),
      norms: norms(arrays),
      digest: step % digestEvery === 0 ? digest() : null,
      loss: json(loss),
    });
  }
  lines.push({ end: steps, digest: digest() });
  return { lines, weights: file() };
}

/** The text of a records file. */
export const textOf = (lines: readonly Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** Its bytes. */
export const bytesOf = (lines: readonly Line[]): Uint8Array => utf8ToBytes(textOf(lines));
