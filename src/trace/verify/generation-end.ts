/** Where a trace ends, and where the generation that it is of would have ended. */
import { count } from '../../base/text.ts';
import type { Engine } from '../engine/engine.ts';
import { positionsOf } from '../format/entry.ts';
import { beginOfSequence } from '../model/tokenizer.ts';
import type { TraceProblem } from '../problem.ts';
import type { ReplaySource } from './source.ts';

/** BOS ends a generation of llama2.c; any other end before the steps that were asked for is the recorder's word. */
export function earlyEnd({ entries, recorded }: ReplaySource, sequenceLength: number): readonly string[] {
  const positions = positionsIn(entries);
  const last = entries.at(-1);
  const ended = last?.kind === 'step' && last.outputToken === beginOfSequence;
  const { steps } = recorded;
  const asked = steps === null ? 0 : steps === 0 ? sequenceLength : Math.min(steps, sequenceLength);
  if (ended || positions >= asked) return [];
  return [`why the trace ends after ${count(positions, 'position')}, where ${asked} were asked for`];
}

/**
 * PV-8082 where a trace goes on behind the steps that were asked for, or behind BOS. Of another engine nobody knows what ends
 * its generations: only traces of this engine's profile, and those of llama2-rs, are held to it.
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
