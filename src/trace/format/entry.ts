/**
 * What must hold for each entry of a trace on its own, whatever file, proof or caller it comes from.
 */
import { ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { hashBytes } from '../../merkle/hash.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { largestU32, sketchLimit } from './limits.ts';
import type { Entry, Gap, Sketch, Step } from './trace.ts';

/** How many positions the entry covers. */
export const positionsOf = (entry: Entry): number => (entry.kind === 'step' ? 1 : entry.count);

const isBelow = (value: number, limit: number): boolean => Number.isInteger(value) && value >= 0 && value < limit;

/** Whether the numbers of a step are in range and its sketch is one. */
export function checkStep(step: Step): Result<void, Problem> {
  const { position } = step;
  if (!isBelow(position, largestU32)) return outOfRange('position', position, position);
  if (!isBelow(step.inputToken, largestU32)) return outOfRange('input token', step.inputToken, position);
  if (step.outputToken !== null && !isBelow(step.outputToken, largestU32)) {
    return outOfRange('output token', step.outputToken, position);
  }
  if (step.logitsHash.length !== hashBytes) {
    return wrong('PV-8037', 'logits hash', `The logits hash of position ${position} is not a SHA-256 digest.`, {
      position,
      expected: `${hashBytes} bytes`,
      actual: count(step.logitsHash.length, 'byte'),
    });
  }
  return step.sketch === null ? ok(undefined) : checkSketch(step.sketch, position);
}

/** Whether a gap covers at least one position and ends where positions do. */
export function checkGap(gap: Gap): Result<void, Problem> {
  if (!isBelow(gap.position, largestU32)) return outOfRange('position', gap.position, gap.position);
  if (gap.count !== 0 && isBelow(gap.count, largestU32 - gap.position + 1)) return ok(undefined);
  return wrong('PV-8037', 'gap length', `The gap at position ${gap.position} has an impossible length.`, {
    position: gap.position,
    expected: `1 to ${largestU32 - gap.position}`,
    actual: String(gap.count),
  });
}

/** Sketches have one form: by logit from the largest down, ties by id upwards, no −0, float32 throughout. */
function checkSketch(sketch: Sketch, position: number): Result<void, Problem> {
  const { ids, logits, logSumExp } = sketch;
  const fault = (message: string): Result<void, Problem> =>
    wrong('PV-8041', 'sketch', `The sketch of position ${position} ${message}.`, { position });
  if (ids.length === 0 || ids.length > sketchLimit)
    return fault(`holds ${count(ids.length, 'logit')}, not 1 to ${sketchLimit}`);
  if (logits.length !== ids.length) return fault(`has ${count(ids.length, 'id')} and ${count(logits.length, 'logit')}`);
  if (new Set(ids).size !== ids.length) return fault('names a token twice');
  for (const [i, id] of ids.entries()) {
    const logit = logits[i] ?? Number.NaN;
    if (!isBelow(id, largestU32)) return fault(`names the token ${id}`);
    if (!isSketchNumber(logit))
      return fault(`holds ${logit} as the logit of token ${id}, which is not a finite float32`);
    const before = logits[i - 1] ?? Infinity;
    if (logit > before || (logit === before && id < (ids[i - 1] ?? 0))) {
      return fault(`is not sorted by logit, and by id among equal ones, at token ${id}`);
    }
  }
  if (!isSketchNumber(logSumExp)) return fault(`holds ${logSumExp} as log-sum-exp, which is not a finite float32`);
  return logSumExp < (logits[0] ?? 0) ? fault('has a log-sum-exp below its largest logit') : ok(undefined);
}

const isSketchNumber = (x: number): boolean => Number.isFinite(x) && Math.fround(x) === x && !Object.is(x, -0);

function outOfRange(what: string, actual: number, position: number): Result<never, Problem> {
  return wrong('PV-8037', what, `The ${what} ${actual} is not an unsigned 32-bit number.`, {
    position,
    expected: `0 to ${largestU32 - 1}`,
    actual: String(actual),
  });
}
