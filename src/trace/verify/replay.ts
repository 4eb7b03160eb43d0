/**
 * One replay of a trace: the recorded tokens are fed in, so that one wrong step does not hide the others, and what the
 * engine computes is held against what was recorded.
 */
import { count, listOf } from '../../base/text.ts';
import type { Engine } from '../engine/engine.ts';
import { idProblem } from '../engine/range.ts';
import type { Entry, Step } from '../format/trace.ts';
import type { Problem } from '../../base/problem.ts';
import { compareLogits } from './compare-logits.ts';
import { feedPlaces, type Place } from './feed.ts';
import { largestMean, type Level } from './level.ts';
import { samplingText } from './sampling-text.ts';
import { followTokens, type FollowToken, type TokenState } from './next-token.ts';
import type { ReplaySource } from './source.ts';

/** The results of a replay. */
export interface Replayed {
  readonly level: Level;
  /** Positions fed in, gaps among them. */
  readonly positions: number;
  /** Steps whose logits were compared. */
  readonly compared: number;
  /** Output tokens by how they could be made again; those of all positions up to the last compared one. */
  readonly tokens: Readonly<Record<TokenState, number>>;
  /** In bands: the largest |Δ| met, and the mean |Δ| of all numbers compared; null at the exact level. */
  readonly difference: { readonly largest: number; readonly mean: number } | null;
  /** The first problems, in order of their positions. */
  readonly problems: readonly Problem[];
  /** Positions with a problem, beyond those that are listed too. */
  readonly failures: number;
}

/** More would be the same fault again. */
const listedProblems = 10;

interface Running {
  positions: number;
  compared: number;
  readonly tokens: Record<TokenState, number>;
  largest: number;
  sum: number;
  numbers: number;
  readonly problems: Problem[];
  failures: number;
  /** Tokens that differ from the choice of a sampler with some settings missing. */
  unlike: number;
}

/** Replays up to the last of the `chosen` positions (upwards), and compares tokens at each, logits at the chosen ones. */
export function replay(source: ReplaySource, engine: Engine, chosen: readonly number[], level: Level): Replayed {
  const tokens = { forced: 0, same: 0, near: 0, differs: 0, unknown: 0 };
  const counts = { positions: 0, compared: 0, largest: 0, sum: 0, numbers: 0, failures: 0, unlike: 0 };
  const run: Running = { ...counts, tokens, problems: [] };
  // Equal logits choose the same token.
  const follow = followTokens(source, source.recorded.profile === engine.profile ? 'exact' : level);
  if (follow.ok) replayEntries(source, engine, chosen, level, follow.value, run);
  else note(run, [follow.error]);
  const mean = run.numbers === 0 ? 0 : run.sum / run.numbers;
  if (level === 'engine band' && mean > largestMean && run.failures === 0) note(run, [meanProblem(mean, run.compared)]);
  if (run.unlike > 0) leaveSampling(source, run);
  const { positions, compared, problems, failures, largest } = run;
  return {
    level,
    positions,
    compared,
    tokens,
    problems,
    failures,
    difference: level === 'exact' ? null : { largest, mean },
  };
}

function replayEntries(
  { entries, recorded, promptOf, assumed }: ReplaySource,
  engine: Engine,
  chosen: readonly number[],
  level: Level,
  follow: FollowToken,
  run: Running,
): void {
  const wanted = new Set(chosen);
  const last = chosen.at(-1) ?? -1;
  const prompt = recorded.prompt.tokens;
  /** The token at the next position, as far as it is known: recorded, or else ours. */
  let following: number | null = null;
  for (const { place, fed } of feedPlaces(engine, placesUpTo(entries, last), prompt, () => following)) {
    const { position, step, claimed } = place;
    const problems = position === 0 && step !== null ? firstInputProblems(step, prompt) : [];
    const stranger = claimed === null ? null : idProblem(engine.config, claimed, position + 1);
    if (stranger !== null) problems.push(stranger);
    if (!('logits' in fed)) return note(run, [...problems, fed]);
    run.positions++;
    if (step !== null && wanted.has(position))
      problems.push(...compare(step, fed.logits, level, recorded.profile === engine.profile, run));
    const next = follow(position, fed.logits, claimed);
    if (!next.ok) return note(run, [...problems, { ...next.error, position }]);
    // Tokens that the prompt forces in a gap were fed in as well.
    if (claimed !== null || (step === null && next.value.state === 'forced')) run.tokens[next.value.state]++;
    const isForced = prompt?.[position + 1] !== undefined;
    if (next.value.state === 'differs' && assumed.length > 0 && !isForced) run.unlike++;
    else if (next.value.state === 'differs')
      problems.push(
        otherToken({ ours: next.value.token, theirs: claimed, position, prompt, given: promptOf !== 'trace' }),
      );
    following = claimed ?? next.value.token;
    note(run, problems);
  }
}

/**
 * Without its settings the sampler says nothing of any token that it had to choose. Only traces of llama2-rs lack them,
 * and these have no band, so that no token is `near`.
 */
function leaveSampling({ assumed, recorded }: ReplaySource, run: Running): void {
  const { tokens, unlike } = run;
  tokens.unknown += tokens.same + unlike;
  tokens.differs -= unlike;
  tokens.same = 0;
  const flags = listOf(assumed);
  const settings = samplingText(recorded.sampler) ?? 'none';
  run.problems.push({
    code: 'PV-8067',
    check: 'sampler',
    message: `The default settings (${settings}) do not choose ${count(unlike, 'token')} of these, which shows nothing: llama2-rs does not record its settings. Give ${flags} of the recording.`,
  });
}

/** One by one, since a gap may claim billions. */
function* placesUpTo(entries: readonly Entry[], last: number): Generator<Place, void, void> {
  for (const [index, entry] of entries.entries()) {
    if (entry.position > last) return;
    if (entry.kind === 'step') {
      yield { position: entry.position, step: entry, claimed: entry.outputToken };
      continue;
    }
    const after = entries[index + 1];
    const end = entry.position + entry.count;
    for (let position = entry.position; position < end; position++) {
      const claimed = position === end - 1 && after?.kind === 'step' ? after.inputToken : null;
      yield { position, step: null, claimed };
    }
  }
}

function compare(
  step: Step,
  logits: Float32Array,
  level: Level,
  sameProfile: boolean,
  run: Running,
): readonly Problem[] {
  const { problem, difference } = compareLogits(step, logits, level, sameProfile);
  run.compared++;
  if (difference !== null) {
    run.largest = Math.max(run.largest, difference.largest);
    run.sum += difference.sum;
    run.numbers += difference.numbers;
  }
  return problem === null ? [] : [problem];
}

/** Compared as the output of the previous position; the first has none. */
function firstInputProblems({ position, inputToken }: Step, prompt: readonly number[] | null): Problem[] {
  const forced = prompt?.[position];
  return forced === undefined || forced === inputToken
    ? []
    : [notThePrompt('input token', position, position, forced, inputToken)];
}

interface Disagreement {
  readonly ours: number | null;
  readonly theirs: number | null;
  readonly position: number;
  readonly prompt: readonly number[] | null;
  readonly given: boolean;
}

function otherToken({ ours, theirs, position, prompt, given }: Disagreement): Problem {
  if (prompt?.[position + 1] !== undefined) return notThePrompt('output token', position, position + 1, ours, theirs);
  const message = `Token ${theirs} was recorded as chosen at position ${position}, and the ${given ? 'given' : 'recorded'} sampler chooses ${ours}: the seed, the sampler or the step is another.`;
  return tokenFault('PV-8065', 'output token', message, position, ours, theirs);
}

function notThePrompt(
  check: string,
  position: number,
  place: number,
  ours: number | null,
  theirs: number | null,
): Problem {
  const message = `Token ${theirs} is at position ${place}, where the prompt has ${ours}: the prompt differs, or the step was changed.`;
  return tokenFault('PV-8063', check, message, position, ours, theirs);
}

/** Expected is what the replay gives, actual what the trace holds. */
function tokenFault(
  code: 'PV-8063' | 'PV-8065',
  check: string,
  message: string,
  position: number,
  expected: number | null,
  actual: number | null,
): Problem {
  return { code, check, message, position, expected: String(expected), actual: String(actual) };
}

const meanProblem = (mean: number, steps: number): Problem => ({
  code: 'PV-8066',
  check: 'engine band',
  message: `The log-probabilities of ${count(steps, 'step')} are ${mean.toPrecision(3)} off on average, and the engine band ends at ${largestMean}: the model or its precision is another.`,
  expected: `at most ${largestMean}`,
  actual: String(mean),
});

function note(run: Running, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  run.failures++;
  run.problems.push(...problems.slice(0, listedProblems - run.problems.length));
}
