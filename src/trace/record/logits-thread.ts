/** A thread that hashes the logits of a step, and writes the step, while the engine computes those of the next one. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { err } from '../../base/result.ts';
import type { FileProblem } from '../../host/host.ts';
import type { Manifest } from '../format/trace.ts';
import { keepLogits, type AppendOrder, type LogitsThread, type Outcome, type StepTokens } from './kept-logits.ts';
import { control, exchangeOf, phases, shareLogits, type SharedLogits } from './logits-exchange.ts';

/**
 * Fewer logits are hashed, or hashed and sorted into a sketch, in the time that it takes to wake another thread
 * (bench/trace).
 */
const fewestLogits = { hashed: 8192, sketched: 1024 } as const;

/** A step that the thread has not accepted within this time is done here, and so are all that follow. */
const patienceMs = 1000;

/**
 * A step that the thread has accepted may already be in the file, so no one else can write it: after this time the recording
 * ends.
 */
const longestWriteMs = 30_000;

/**
 * A thread for `createRecorder(manifest, { thread })`; null if it would gain nothing: a machine with one core, a small
 * vocabulary, or an unknown one.
 */
export function logitsThreadFor({ vocabSize, sketch }: Manifest): LogitsThread | null {
  if (vocabSize === null || availableParallelism() < 2) return null;
  const fewest = sketch === 0 ? fewestLogits.hashed : fewestLogits.sketched;
  return vocabSize >= fewest ? startLogitsThread(vocabSize, sketch) : null;
}

/** The result of a requested step. */
type Ending = 'answered' | 'not taken on' | 'lost';

/**
 * The thread, for steps of `length` logits with a sketch of `sketch`; `entry` is the URL of its module. It does not keep the
 * process alive.
 *
 * Until it runs, and if it cannot be started or does not answer, the calling thread does the work, with the same results. If it
 * ends, or is silent for `writeMs`, while it may be writing a step, that step is reported as unwritten.
 */
export function startLogitsThread(
  length: number,
  sketch: number,
  entry: string = new URL('./keep-logits.worker.js', import.meta.url).href,
  writeMs: number = longestWriteMs,
): LogitsThread {
  const shared = shareLogits(length, Math.min(sketch, length));
  const exchange = exchangeOf(shared);
  const { ready, phase } = control;
  let taken = 0;
  /** Whether the shared logits are those of a step whose outcome is not known. */
  let busy = false;
  /** Waits for the step that was begun last. */
  let last: (() => Outcome) | null = null;
  let gone = !startWorker(entry, shared, () => (gone = true));

  const ending = (): Ending => {
    for (let silentMs = 0; ;) {
      const now = Atomics.load(exchange.control, phase);
      if (now === phases.answered) return 'answered';
      if (now === phases.over) return 'not taken on';
      if (now === phases.lost) return 'lost';
      if (!gone && Atomics.wait(exchange.control, phase, now, patienceMs) !== 'timed-out') continue;
      silentMs += patienceMs;
      // If the thread has meanwhile continued, the next iteration sees how far.
      if (now === phases.asked) Atomics.compareExchange(exchange.control, phase, phases.asked, phases.over);
      else if (gone || silentMs >= writeMs) {
        Atomics.compareExchange(exchange.control, phase, phases.takenOn, phases.lost);
      }
    }
  };
  const outcomeOf = (wasAsked: boolean, order: AppendOrder | null): Outcome => {
    const ended = wasAsked ? ending() : 'not taken on';
    if (ended === 'answered') return exchange.answered(order?.path ?? '');
    gone = true;
    // The other thread may still read them, but no one writes to them any more.
    const kept = keepLogits(exchange.logits, shared.sketch);
    return { kept, appended: ended === 'lost' && order !== null && kept.ok ? err(lostIn(order)) : null };
  };
  const begin = (step: StepTokens, order: AppendOrder | null): (() => Outcome) => {
    let outcome: Outcome | null = null;
    const wasAsked = !gone;
    if (wasAsked) {
      taken += 1;
      exchange.ask(step, order);
      Atomics.store(exchange.control, phase, phases.asked);
      Atomics.notify(exchange.control, phase);
    }
    last = () => {
      outcome ??= outcomeOf(wasAsked, order);
      busy = false;
      return outcome;
    };
    return last;
  };
  return {
    length,
    sketch: shared.sketch,
    take(logits) {
      if (gone || busy || Atomics.load(exchange.control, ready) === 0) {
        const outcome = { kept: keepLogits(logits, shared.sketch), appended: null };
        return () => () => outcome;
      }
      busy = true;
      exchange.logits.set(logits);
      return begin;
    },
    taken: () => taken,
    end() {
      // The last step's result may not have been fetched yet, and the step may be in the file.
      last?.();
      gone = true;
      Atomics.store(exchange.control, phase, phases.over);
      Atomics.notify(exchange.control, phase);
    },
  };
}

/** False where this process may start none, as under Node's permissions. */
function startWorker(entry: string, shared: SharedLogits, onEnd: () => void): boolean {
  try {
    // Options of this process, such as --input-type, are not for a module of ours.
    const worker = new Worker(new URL(entry), { workerData: shared, execArgv: [] });
    worker.unref();
    worker.once('error', onEnd);
    worker.once('exit', onEnd);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED') return false;
    throw error;
  }
}

const lostIn = ({ path }: AppendOrder): FileProblem => ({
  kind: 'other',
  path,
  message: 'is not written on: the thread that was writing this step to it has ended or does not answer',
});
