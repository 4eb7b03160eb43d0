/** Where a trace ends, and where the generation that it is of would have ended. */
import { count } from '../../base/text.ts';
import type { Engine } from '../engine/engine.ts';
import { positionsOf } from '../format/entry.ts';
import { beginOfSequence } from '../model/tokenizer.ts';
import type { TraceProblem } from '../problem.ts';
import type { ReplaySource } from './source.ts';

/** BOS ends a generation of llama2.c; any other end before the steps that were asked for is the recorder's word. */
export function earlyEnd(source: ReplaySource, sequenceLength: number): readonly string[] {
  const short = missing(source, sequenceLength);
  if (short === null) return [];
  return [`why the trace ends after ${count(short.positions, 'position')}, where ${short.asked} were asked for`];
}

/**
 * PV-8085 where a trace of this engine's profile passes for whole and ends early: no run of the model ends there, and
 * who took steps away at its end could give the rest another root.
 */
export function earlyEndProblem(source: ReplaySource, engine: Engine): TraceProblem | null {
  if (!source.complete || source.recorded.profile !== engine.profile) return null;
  const short = missing(source, engine.config.sequenceLength);
  if (short === null) return null;
  const { positions, asked, last } = short;
  const message = `The trace ends after ${positions} of the ${count(asked, 'position')} that were asked for, and ${last}: steps were taken away at its end, or something else ended the text. Verified as incomplete, what is there counts.`;
  const places = { expected: count(asked, 'position'), actual: String(positions) };
  return { code: 'PV-8085', check: 'end of the generation', message, position: positions, ...places };
}

/** Null where a trace covers what was asked for, or BOS ends it. */
function missing(
  { entries, recorded }: ReplaySource,
  sequenceLength: number,
): { readonly positions: number; readonly asked: number; readonly last: string } | null {
  const positions = positionsIn(entries);
  const end = entries.at(-1);
  const chosen = end?.kind === 'step' ? end.outputToken : null;
  const { steps } = recorded;
  const asked = steps === null ? 0 : steps === 0 ? sequenceLength : Math.min(steps, sequenceLength);
  if (chosen === beginOfSequence || positions >= asked) return null;
  const last = chosen === null ? 'the token chosen last is not recorded' : `token ${chosen} is not BOS`;
  return { positions, asked, last };
}

/**
 * PV-8082 where a trace goes on behind the steps that were asked for, or behind BOS. Of another engine nobody knows
 * what ends its generations: only traces of this engine's profile, and those of llama2-rs, are held to it.
 */
export function lateEnd({ entries, recorded, given }: ReplaySource, engine: Engine): TraceProblem | null {
  if (recorded.profile !== engine.profile && !given) return null;
  const check = 'end of the generation';
  const after = entries.findIndex((one) => one.kind === 'step' && one.outputToken === beginOfSequence);
  const end = entries[after];
  if (end !== undefined && after < entries.length - 1) {
    const message = `BOS was chosen at position ${end.position}, which ends a text, and the trace goes on behind it.`;
    const places = {
      expected: 'the end',
      actual: count(entries.length - 1 - after, 'more entry', 'more entries'),
    };
    return { code: 'PV-8082', check, message, position: end.position, ...places };
  }
  const positions = positionsIn(entries);
  // 0 asks for all that the model has, and behind that nothing can be fed in.
  const steps = recorded.steps ?? 0;
  if (steps === 0 || positions <= steps) return null;
  const message = `The trace covers more positions than the ${steps} that were asked for.`;
  return { code: 'PV-8082', check, message, expected: `at most ${steps}`, actual: String(positions) };
}

const positionsIn = (entries: ReplaySource['entries']): number =>
  entries.reduce((sum, entry) => sum + positionsOf(entry), 0);
