/**
 * What must hold for the entries of a trace together: positions from 0 without a hole, tokens of the vocabulary, each step fed
 * with the token that the step before it chose, and the manifest's prompt.
 */
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem, type ProblemCode } from '../../base/problem.ts';
import { checkGap, checkStep, positionsOf } from './entry.ts';
import type { Entry, Manifest, Step } from './trace.ts';

/** The state of a trace after some of its entries. */
export interface Progress {
  /** The position that the next entry covers. */
  readonly position: number;
  readonly last: Entry | null;
}

/** Before the first entry. */
export const start: Progress = { position: 0, last: null };

/**
 * The input token that the entries so far determine for the next step; null at the start, after a gap and after an
 * unknown output.
 */
export function impliedInput(progress: Progress): number | null {
  return progress.last?.kind === 'step' ? progress.last.outputToken : null;
}

/** The state after `entry`, or why it cannot follow. */
export function admit(manifest: Manifest, progress: Progress, entry: Entry): Result<Progress, Problem> {
  const checked = entry.kind === 'gap' ? checkGap(entry) : checkStep(entry);
  if (!checked.ok) return checked;
  const { position } = entry;
  if (position !== progress.position) {
    return wrong(
      'PV-8038',
      'position',
      `An entry has position ${position}, but the next position is ${progress.position}.`,
      {
        position,
        expected: String(progress.position),
        actual: String(position),
      },
    );
  }
  const follows =
    entry.kind === 'gap' ? checkGapFollows(progress, position) : checkStepFollows(manifest, progress, entry);
  return follows.ok ? ok({ position: position + positionsOf(entry), last: entry }) : follows;
}

/** The state after all `entries`, or why one of them cannot follow. */
export function admitAll(manifest: Manifest, entries: readonly Entry[]): Result<Progress, Problem> {
  let progress = start;
  for (const entry of entries) {
    const admitted = admit(manifest, progress, entry);
    if (!admitted.ok) return admitted;
    progress = admitted.value;
  }
  return ok(progress);
}

function checkGapFollows({ last }: Progress, position: number): Result<void, Problem> {
  if (last?.kind !== 'gap') return ok(undefined);
  return wrong('PV-8038', 'gap', `Two gaps meet at position ${position}: one gap says it, and has one hash.`, {
    position,
  });
}

function checkStepFollows(manifest: Manifest, progress: Progress, step: Step): Result<void, Problem> {
  const { vocabSize, sketch } = manifest;
  const { position, inputToken, outputToken } = step;
  if (vocabSize !== null) {
    const stranger = strangerIn(step, vocabSize);
    if (stranger !== null) return mismatch('PV-8039', 'token', position, `below ${vocabSize}`, stranger);
  }
  const kept = step.sketch?.ids.length ?? 0;
  if (kept !== sketch) return mismatch('PV-8041', 'sketch size', position, sketch, kept);
  if (progress.last?.kind === 'step') {
    const chosen = progress.last.outputToken;
    if (chosen === null) return mismatch('PV-8040', 'output token', position - 1, inputToken, 'not recorded');
    if (chosen !== inputToken) return mismatch('PV-8040', 'input token', position, chosen, inputToken);
  }
  const forced = manifest.prompt.tokens;
  if (forced === null) return ok(undefined);
  const [input, output] = [forced[position], forced[position + 1]];
  if (input !== undefined && input !== inputToken)
    return mismatch('PV-8040', 'prompt token', position, input, inputToken);
  if (output === undefined || outputToken === null || output === outputToken) return ok(undefined);
  return mismatch('PV-8040', 'prompt token', position + 1, output, outputToken);
}

/** The first token of a step that the vocabulary does not have. */
function strangerIn({ inputToken, outputToken, sketch }: Step, vocabSize: number): number | null {
  if (inputToken >= vocabSize) return inputToken;
  if (outputToken !== null && outputToken >= vocabSize) return outputToken;
  return sketch?.ids.find((id) => id >= vocabSize) ?? null;
}

const sentences: Readonly<Record<string, string>> = {
  token: 'is outside the vocabulary of the manifest',
  'sketch size': 'differs from the manifest',
  'output token': 'is not recorded, though the next step was fed with it',
  'input token': 'is not the token that the step before it chose',
  'prompt token': 'is not the one of the prompt in the manifest',
};

function mismatch(
  code: ProblemCode,
  check: string,
  position: number,
  expected: number | string,
  actual: number | string,
): Result<never, Problem> {
  return wrong(code, check, `The ${check} of position ${position} ${sentences[check] ?? 'is wrong'}.`, {
    position,
    expected: String(expected),
    actual: String(actual),
  });
}
