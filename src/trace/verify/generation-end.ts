/** Where a trace ends, and where the generation that it is of would have ended. */
import { count } from '../../base/text.ts';
import type { Engine } from '../engine/engine.ts';
import { positionsOf } from '../format/entry.ts';
import { beginOfSequence } from '../model/tokenizer.ts';
import type { Problem } from '../../base/problem.ts';
import type { ReplaySource } from './source.ts';

/** Why the end of a trace is not shown; a generation ends with BOS or after the steps that were requested. */
export interface OpenEnd {
  /** For the first line of a verdict. */
  readonly short: string;
  readonly clause: string;
  readonly problem: Problem;
}

/**
 * PV-8085 if nothing shows that the generation ended with the trace: after removing steps at its end, one could give the
 * rest another root. Null if BOS or the number of steps shows it, and for files that do not claim to be complete.
 */
export function openEnd(source: ReplaySource, sequenceLength: number): OpenEnd | null {
  if (source.ending !== 'whole') return null;
  const short = missing(source, sequenceLength);
  if (short === null) return null;
  const { positions, asked, last } = short;
  const ended = asked === null ? 'and does not say how many were requested' : `of the ${asked} requested`;
  const message = `The trace ends after ${count(positions, 'position')} ${ended}, and ${last}: steps were removed at its end, or something else ended the text. If verified as incomplete, the trace counts as far as it goes.`;
  const expected = asked === null ? 'the number of steps' : count(asked, 'position');
  const check = 'end of the generation';
  return {
    short: asked === null ? 'number of steps not disclosed' : 'fewer steps than requested',
    clause: `why the trace ends after ${count(positions, 'position')}${asked === null ? '' : `, where ${asked} were requested`}`,
    problem: { code: 'PV-8085', check, message, position: positions, expected, actual: String(positions) },
  };
}

/** Null if a trace covers what was requested, or BOS ends it. */
function missing(
  { entries, recorded }: ReplaySource,
  sequenceLength: number,
): { readonly positions: number; readonly asked: number | null; readonly last: string } | null {
  const end = entries.findLast((entry) => entry.kind === 'step');
  // Positions that were not recorded show no end.
  const positions = end === undefined ? 0 : end.position + 1;
  const chosen = end?.kind === 'step' ? end.outputToken : null;
  const { steps } = recorded;
  const asked = steps === null ? null : steps === 0 ? sequenceLength : Math.min(steps, sequenceLength);
  if (chosen === beginOfSequence || (asked !== null && positions >= asked)) return null;
  const last = chosen === null ? 'the token chosen last is not recorded' : `token ${chosen} is not BOS`;
  return { positions, asked, last };
}

/**
 * PV-8082 where a trace continues after the steps that were requested, or after BOS. How other engines end a generation is
 * unknown, so this applies only to traces with this engine's profile and to those of llama2-rs.
 */
export function lateEnd({ entries, recorded, promptOf }: ReplaySource, engine: Engine): Problem | null {
  if (recorded.profile !== engine.profile && promptOf === 'trace') return null;
  const check = 'end of the generation';
  const after = entries.findIndex((one) => one.kind === 'step' && one.outputToken === beginOfSequence);
  const end = entries[after];
  if (end !== undefined && after < entries.length - 1) {
    const message = `BOS was chosen at position ${end.position}, which ends a text, and the trace continues after it.`;
    const places = {
      expected: 'the end',
      actual: count(entries.length - 1 - after, 'more entry', 'more entries'),
    };
    return { code: 'PV-8082', check, message, position: end.position, ...places };
  }
  const positions = positionsIn(entries);
  // 0 means all positions that the model has, after which nothing can be fed in.
  const steps = recorded.steps ?? 0;
  if (steps === 0 || positions <= steps) return null;
  const message = `The trace covers more positions than the ${steps} requested.`;
  return { code: 'PV-8082', check, message, expected: `at most ${steps}`, actual: String(positions) };
}

const positionsIn = (entries: ReplaySource['entries']): number =>
  entries.reduce((sum, entry) => sum + positionsOf(entry), 0);
