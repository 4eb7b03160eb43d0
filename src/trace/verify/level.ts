/**
 * How closely replayed logits must agree with recorded ones. Each level shows less than the one before it, so none replaces
 * another: a verdict states the one that was requested. docs/trace-verify.md has measurements of what each can distinguish.
 */
import { err, ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import type { Manifest } from '../format/trace.ts';
import type { Problem } from '../../base/problem.ts';

/**
 * `exact`: the same bits (the SHA-256 of all logits). `float band`: the logits of the sketch, and what the others add
 * up to, within 1e-3. `engine band`: their log-probabilities within 5e-2 each and 5e-3 on average.
 */
export type Level = 'exact' | 'float band' | 'engine band';

export const levels: readonly Level[] = ['exact', 'float band', 'engine band'];

/** Largest |Δ| of one number, in units of the natural logarithm: logits, or log-probabilities in the engine band. */
export const largestDifference: Readonly<Record<Level, number>> = { exact: 0, 'float band': 1e-3, 'engine band': 5e-2 };

/** Largest mean |Δ log-probability| of all numbers compared, in the engine band. */
export const largestMean = 5e-3;

/**
 * The minimum with which a band can distinguish models: logits that each step keeps, and steps compared. The recorder
 * chooses both, and with only the largest logit, bfloat16 weights stay within the engine band for whole texts. At these
 * sizes hardly any stretch of such a text does (`node scripts/bench.mjs trace-bands`, docs/trace-verify.md).
 */
export const leastSketch: Readonly<Record<Level, number>> = { exact: 0, 'float band': 4, 'engine band': 8 };
export const leastSteps = 8;

const unspecified = 'unspecified';

/**
 * The level to compare at: the requested one, or `exact` if the engine has the trace's profile, or if the trace states none and
 * keeps no logits. PV-8067 if that cannot be decided, PV-8093 if a step keeps too few logits for a band; a weaker level must be
 * requested explicitly.
 */
export function chooseLevel(
  asked: Level | null,
  recording: Pick<Manifest, 'profile' | 'sketch' | 'vocabSize'>,
  engine: string,
): Result<Level, Problem> {
  if (asked === null) return levelOf(recording, engine);
  if (asked !== 'exact' && recording.sketch === 0) {
    return undecidable(
      `The ${asked} compares logits, but the trace keeps only their hashes, so only the level exact can be decided.`,
      'a sketch of 1 or more',
      'none',
    );
  }
  // Where profiles agree, hashes are compared as well.
  const least = recording.profile === engine ? 0 : leastSketch[asked];
  if (recording.sketch < Math.min(least, recording.vocabSize ?? Infinity)) {
    const message = `Each step keeps ${count(recording.sketch, 'logit')}, which is too few for the ${asked}: another model may agree in those.`;
    return err({
      code: 'PV-8093',
      check: 'level',
      message,
      expected: `${least} or more`,
      actual: String(recording.sketch),
    });
  }
  return ok(asked);
}

/** Where none is requested. */
function levelOf(recording: Pick<Manifest, 'profile' | 'sketch'>, engine: string): Result<Level, Problem> {
  if (recording.profile === engine) return ok('exact');
  if (recording.profile === unspecified && recording.sketch === 0) return ok('exact');
  const band = recording.sketch === 0 ? '' : ' or a band of it';
  return undecidable(
    `The trace was recorded with the numeric profile "${recording.profile}", and this engine has "${engine}", so hashes need not agree: say which level is required (exact${band}).`,
    recording.profile,
    engine,
  );
}

const undecidable = (message: string, expected: string, actual: string): Result<Level, Problem> =>
  err({ code: 'PV-8067', check: 'level', message, expected, actual });

/**
 * PV-8093 if agreement may be chance: few steps were compared, or the recorder left out more steps than it kept. `hidden` is
 * the number of positions that were not recorded and that no prompt explains.
 */
export function weakBand(level: Level, compared: number, kept: number, hidden: number): Problem | null {
  const problem = (message: string, expected: string, actual: number): Problem => {
    return { code: 'PV-8093', check: 'level', message, expected, actual: String(actual) };
  };
  if (compared < leastSteps) {
    const message = `The logits of ${count(compared, 'step')} are within the ${level}, which is too few to distinguish models.`;
    return problem(message, `${leastSteps} or more`, compared);
  }
  if (hidden <= kept) return null;
  const message = `The trace keeps ${count(kept, 'step')} and leaves out ${count(hidden, 'position')} after its prompt: by choosing which steps to keep, a recorder can stay within the ${level} with another model.`;
  return problem(message, `at most ${kept}`, hidden);
}
