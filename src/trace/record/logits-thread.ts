/** A thread that hashes the logits of a step while the engine computes those of the next one. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Manifest } from '../format/trace.ts';
import { keepLogits, type LogitsThread } from './kept-logits.ts';
import { control, exchangeOf, shareLogits } from './logits-exchange.ts';

/** Fewer logits are hashed, or hashed and sorted into a sketch, in the time that it takes to wake another thread (bench/trace). */
const fewestLogits = { hashed: 8192, sketched: 1024 } as const;

/** After so long without an answer a step is hashed here, and so are all that follow. */
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
  const { ready, asked, answered } = control;
  let turn = 0;
  let gone = false;
  // Options of this process, such as --input-type, are not for a module of ours.
  const worker = new Worker(entry, { workerData: shared, execArgv: [] });
  worker.unref();
  worker.once('error', () => (gone = true));

  const hasAnswered = (): boolean => {
    for (;;) {
      const last = Atomics.load(exchange.control, answered);
      if (last === turn) return true;
      if (Atomics.wait(exchange.control, answered, last, patienceMs) === 'timed-out') return false;
    }
  };
  return {
    take(logits) {
      if (gone || Atomics.load(exchange.control, ready) === 0) {
        const kept = keepLogits(logits, shared.sketch);
        return () => kept;
      }
      exchange.logits.set(logits);
      turn += 1;
      Atomics.store(exchange.control, asked, turn);
      Atomics.notify(exchange.control, asked);
      return () => {
        if (hasAnswered()) return exchange.read();
        gone = true;
        // The other thread may still read them, and nobody writes to them any more.
        return keepLogits(exchange.logits, shared.sketch);
      };
    },
    taken: () => turn,
    end() {
      gone = true;
      Atomics.store(exchange.control, asked, -1);
      Atomics.notify(exchange.control, asked);
    },
  };
}
