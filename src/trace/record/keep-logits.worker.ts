/** The entry of the thread that hashes logits for another one, and appends their steps to its file. */
import { workerData } from 'node:worker_threads';
import { ok } from '../../base/result.ts';
import { appendBytes } from '../../host/append-bytes.ts';
import { plainBlock } from '../format/frame.ts';
import { keepLogits, type AppendOrder, type Appended, type KeptLogits, type StepTokens } from './kept-logits.ts';
import { control, exchangeOf, phases, type SharedLogits } from './logits-exchange.ts';

const shared = workerData as SharedLogits;
const exchange = exchangeOf(shared);

function append(step: StepTokens, kept: KeptLogits, { descriptor, path, behind }: AppendOrder): Appended {
  const { bytes, then } = plainBlock([{ kind: 'step', ...step, ...kept }], behind);
  const appended = appendBytes(descriptor, path, bytes);
  return appended.ok ? ok(then) : appended;
}

/** False when there is nothing more to wait for. */
function isAsked(): boolean {
  for (;;) {
    const phase = Atomics.load(exchange.control, control.phase);
    if (phase === phases.asked) return true;
    if (phase === phases.over || phase === phases.lost) return false;
    Atomics.wait(exchange.control, control.phase, phase);
  }
}

/** Moves from one phase to another; false if the other thread has continued on its own. */
const goOn = (from: number, to: number): boolean =>
  Atomics.compareExchange(exchange.control, control.phase, from, to) === from;
const wake = (): void => void Atomics.notify(exchange.control, control.phase);

// Whatever ends this thread, including a defect, the waiting thread must not wait forever. An answered step remains answered.
process.once('exit', () => {
  Atomics.store(exchange.control, control.ready, 0);
  for (const phase of [phases.idle, phases.asked]) goOn(phase, phases.over);
  goOn(phases.takenOn, phases.lost);
  wake();
});

Atomics.store(exchange.control, control.ready, 1);
while (isAsked()) {
  const { step, order } = exchange.asked();
  const kept = keepLogits(exchange.logits, shared.sketch);
  // A thread that has waited too long has taken the step back and does it itself.
  if (!goOn(phases.asked, phases.takenOn)) break;
  exchange.answer({ kept, appended: kept.ok && order !== null ? append(step, kept.value, order) : null });
  // Who has given it up reads no answer.
  if (!goOn(phases.takenOn, phases.answered)) break;
  wake();
}
