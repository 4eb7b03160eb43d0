/** Compares replayed logits with what a step recorded. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Sketch, Step } from '../format/trace.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { sameBytes } from '../../merkle/hash.ts';
import type { Problem } from '../../base/problem.ts';
import { littleEndianBytes } from '../../tensors/float32-bytes.ts';
import { logSumExp } from '../record/log-sum-exp.ts';
import { takeSketch } from '../record/sketch.ts';
import { largestDifference, type Level } from './level.ts';

/** How far the numbers of one step are apart, in a band. */
export interface Difference {
  /** Largest |Δ|. */
  readonly largest: number;
  /** Σ|Δ| and the number of numbers, for means over steps. */
  readonly sum: number;
  readonly numbers: number;
  /** The token with the largest |Δ|; null for the log-sum-exp. */
  readonly token: number | null;
}

/** SHA-256 of logits as little-endian float32, as steps hold it. */
export const hashLogits = (logits: Float32Array): Uint8Array => sha256(littleEndianBytes(logits));

/**
 * |Δ| between the sketch and `logits`: of logits and of the log-sum-exp in the float band, of log-probabilities in the
 * engine band. A token that is among the largest here and not in the sketch had at most the smallest logit of it there,
 * which says how far it is off at least.
 */
export function sketchDifference(sketch: Sketch, logits: Float32Array, level: Exclude<Level, 'exact'>): Difference {
  const here = logSumExp(logits);
  const [shiftHere, shiftThere] = level === 'float band' ? [0, 0] : [here, sketch.logSumExp];
  let [largest, sum, numbers] = [-1, 0, 0];
  let token: number | null = null;
  const note = (difference: number, id: number | null): void => {
    sum += difference;
    numbers++;
    if (difference <= largest) return;
    [largest, token] = [difference, id];
  };
  sketch.ids.forEach((id, i) => {
    const ours = logits[id];
    const theirs = sketch.logits[i];
    note(
      ours === undefined || theirs === undefined ? Infinity : Math.abs(ours - shiftHere - (theirs - shiftThere)),
      id,
    );
  });
  const least = (sketch.logits.at(-1) ?? 0) - shiftThere;
  const listed = new Set(sketch.ids);
  for (const id of takeSketch(logits, sketch.ids.length)?.ids ?? []) {
    const ours = (logits[id] ?? 0) - shiftHere;
    if (!listed.has(id) && ours > least) note(ours - least, id);
  }
  if (level === 'float band') note(Math.abs(here - sketch.logSumExp), null);
  return { largest, sum, numbers, token };
}

/**
 * What is wrong with the logits of a step at `level`: PV-8064 (hash), PV-8066 (sketch, band), PV-8067 (the step has no
 * sketch). Engines with one profile give the same hashes; a band does not excuse a different one.
 */
export function compareLogits(
  step: Step,
  logits: Float32Array,
  level: Level,
  sameProfile: boolean,
): { readonly problem: Problem | null; readonly difference: Difference | null } {
  const { position, sketch } = step;
  const hash = level === 'exact' || sameProfile ? hashLogits(logits) : null;
  const other =
    hash === null ? null : sameBytes(hash, step.logitsHash) ? otherSketch(step, logits) : otherHash(step, hash, logits);
  if (level === 'exact' || other !== null) return { problem: other, difference: null };
  if (sketch === null) {
    const message = `The step at position ${position} keeps no logits, so the ${level} cannot be decided.`;
    return { problem: { code: 'PV-8067', check: 'level', message, position }, difference: null };
  }
  const difference = sketchDifference(sketch, logits, level);
  const limit = largestDifference[level];
  if (difference.largest <= limit) return { problem: null, difference };
  const what = level === 'float band' ? 'logit' : 'log-probability';
  const of = difference.token === null ? 'log-sum-exp' : `${what} of token ${difference.token}`;
  const message = `The ${of} at position ${position} is ${difference.largest.toPrecision(3)} off, and the ${level} ends at ${limit}: the model, its precision or the step is another.`;
  const expected = `at most ${limit}`;
  const actual = String(difference.largest);
  return { problem: { code: 'PV-8066', check: level, message, position, expected, actual }, difference };
}

/** Equal logits have one sketch: a band would be decided by what these numbers pretend. */
function otherSketch({ position, sketch }: Step, logits: Float32Array): Problem | null {
  if (sketch === null) return null;
  const [expected, actual] = [sketchText(takeSketch(logits, sketch.ids.length)), sketchText(sketch)];
  if (expected === actual) return null;
  const message = `The sketch at position ${position} does not belong to the logits that the step's hash is of.`;
  return { code: 'PV-8066', check: 'sketch', message, position, expected, actual };
}

const sketchText = (sketch: Sketch | null): string =>
  sketch === null ? '' : JSON.stringify([sketch.ids, sketch.logits, sketch.logSumExp]);

function otherHash({ position, logitsHash, sketch }: Step, hash: Uint8Array, logits: Float32Array): Problem {
  const near = sketch === null ? null : sketchDifference(sketch, logits, 'float band').largest;
  const how =
    near === null
      ? 'the model, its numbers or the step is another'
      : near <= largestDifference['float band']
        ? `its logits are within the float band (${near.toPrecision(3)}), as another engine's would be`
        : `its logits are ${near.toPrecision(3)} off`;
  return {
    code: 'PV-8064',
    check: 'logits hash',
    message: `The replayed logits at position ${position} have another hash than the recorded ones: ${how}.`,
    position,
    expected: bytesToHex(logitsHash),
    actual: bytesToHex(hash),
  };
}
