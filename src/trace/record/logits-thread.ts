/** A thread that hashes the logits of a step, and writes the step, while the engine computes those of the next one. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Manifest } from '../format/trace.ts';
import { keepLogits, type AppendOrder, type LogitsThread, type Outcome, type StepTokens } from './kept-logits.ts';
import { control, exchangeOf, phases, shareLogits } from './logits-exchange.ts';

/** Fewer logits are hashed, or hashed and sorted into a sketch, in the time that it takes to wake another thread (bench/trace). */
const fewestLogits = { hashed: 8192, sketched: 1024 } as const;

/** A step that the thread has not taken on after so long is done here, and so are all that follow. */
const patienceMs = 1000;

/**
 * A thread for `createRecorder(manifest, { thread })`; null where it would gain nothing: a machine with one core, a small vocabulary, one
 * that nobody knows.
 */
export function logitsThreadFor({ vocabSize, sketch }: Manifest): LogitsThread | null {
  if (vocabSize === null || availableParallelism() < 2) return null;
  const fewest = sketch === 0 ? fewestLogits.hashed : fewestLogits.sketched;
  return vocabSize >= fewest ? startLogitsThread(vocabSize, sketch) : null;
}

/**
 * The thread, for steps of `length` logits with a sketch of `sketch`. Until it runs, and where it cannot be started or does not answer,
 * the calling thread does the work: the results are the same. It keeps no process from ending.
 */
export function startLogitsThread(
  length: number,
  sketch: number,
  entry: URL = new URL('./keep-logits.worker.js', import.meta.url),
): LogitsThread {
  const shared = shareLogits(length, Math.min(sketch, length));
  const exchange = exchangeOf(shared);
  const { ready, phase } = control;
  let taken = 0;
  let gone = false;
  /** Waits for the step that was begun last. */
  let last: (() => Outcome) | null = null;
  // Options of this process, such as --input-type, are not for a module of ours.
  const worker = new Worker(entry, { workerData: shared, execArgv: [] });
  worker.unref();
  worker.once('error', () => (gone = true));

  /** Waits for an answer. What the thread has taken on it may be writing to a file, so that nobody else can: as patient as with any write. */
  const hasAnswered = (): boolean => {
    for (;;) {
      const now = Atomics.load(exchange.control, phase);
      if (now === phases.answered) return true;
      const waited = Atomics.wait(exchange.control, phase, now, patienceMs);
      if (waited !== 'timed-out' || now === phases.takenOn) continue;
      if (Atomics.compareExchange(exchange.control, phase, phases.asked, phases.over) === phases.asked) return false;
    }
  };
  const ask = (step: StepTokens, order: AppendOrder | null): (() => Outcome) => {
    taken += 1;
    exchange.ask(step, order);
    Atomics.store(exchange.control, phase, phases.asked);
    Atomics.notify(exchange.control, phase);
    let outcome: Outcome | null = null;
    last = () => {
      if (outcome !== null) return outcome;
      if (hasAnswered()) return (outcome = exchange.answered(order?.path ?? ''));
      gone = true;
      // The other thread may still read them, and nobody writes to them any more.
      return (outcome = { kept: keepLogits(exchange.logits, shared.sketch), appended: null });
    };
    return last;
  };
  return {
    take(logits) {
      if (gone || Atomics.load(exchange.control, ready) === 0) {
        const outcome = { kept: keepLogits(logits, shared.sketch), appended: null };
        return () => () => outcome;
      }
      exchange.logits.set(logits);
      return ask;
    },
    taken: () => taken,
    end() {
      gone = true;
      // What came of the last step may not have been asked for yet, and may be in a file.
      last?.();
      Atomics.store(exchange.control, phase, phases.over);
      Atomics.notify(exchange.control, phase);
    },
  };
}
