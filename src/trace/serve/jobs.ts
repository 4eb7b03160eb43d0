/** Requests on worker threads: as many at once as there are workers, some more waiting, and none beyond. */
import { count } from '../../base/text.ts';
import { createPool } from '../../host/pool.ts';
import { startThread } from '../../host/runner.ts';
import type { Ask } from './answer.ts';
import { createPlaces } from './places.ts';
import { problemReply, type Reply } from './reply.ts';
import type { Shelves } from './shelf.ts';

/** The message to a worker. */
export type Job = { readonly kind: 'shelves'; readonly shelves: Shelves } | { readonly kind: 'ask'; readonly ask: Ask };

/** How much is served at once, and how long each request may take. */
export interface JobLimits {
  readonly workers: number;
  /** Requests that may wait for a worker. */
  readonly queue: number;
  /** Milliseconds that one request may take on its worker, which is stopped then and replaced. */
  readonly timeoutMs: number;
  /** Places that one address may take. */
  readonly share: number;
  /** Of each worker's heap. */
  readonly memoryMb: number;
}

/** A place in the queue, which one request takes. */
interface Place {
  /** Null if the client disconnected while the request waited. */
  readonly run: (ask: Ask, gone: AbortSignal) => Promise<Reply | null>;
  readonly leave: () => void;
}

/** The queue and its workers. */
export interface Jobs {
  /** Whether a request would get no place now. */
  readonly full: () => boolean;
  /** A place to run one request; null if all are taken, or all that this address may take. */
  readonly enter: (address: string | null) => Place | null;
  /** Requests that have a place. */
  readonly taken: () => number;
  /** Those of them that run on a worker now. */
  readonly running: () => number;
  /** Workers that were stopped, or ended by themselves, while they served a request. */
  readonly lostWorkers: () => number;
  readonly close: () => Promise<void>;
}

/** `report` receives messages that only the server's operator should read. */
export function createJobs(entry: URL, shelves: Shelves, limits: JobLimits, report: (message: string) => void): Jobs {
  const { workers, queue, share, timeoutMs, memoryMb } = limits;
  const places = createPlaces(workers + queue, share);
  const pool = createPool<Job, Reply>({
    size: workers,
    start: (_, events) => {
      const runner = startThread(entry, { memoryMb }, events);
      runner.post({ kind: 'shelves', shelves } satisfies Job);
      return runner;
    },
  });
  let [running, lost] = [0, 0];
  const run: Place['run'] = async (ask, gone) => {
    let begun = false;
    const begin = (): { readonly job: Job; readonly timeoutMs: number } | null => {
      if (gone.aborted) return null;
      begun = true;
      running += 1;
      return { job: { kind: 'ask', ask }, timeoutMs };
    };
    const outcome = await pool.run(begin, null);
    if (begun) running -= 1;
    if (outcome === null) return null;
    if (outcome.kind === 'done') return outcome.result;
    lost += 1;
    if (outcome.kind === 'timed-out') {
      const message = `The request took more than the ${count(timeoutMs / 1000, 'second')} that this server gives it, and was stopped.`;
      return problemReply(504, { code: 'PV-8076', check: 'time', message, expected: `at most ${timeoutMs} ms` });
    }
    report(`a worker failed: ${outcome.message}`);
    const message = 'The request failed on this server, which says why to the one who runs it. Nothing was verified.';
    return problemReply(500, { code: 'PV-8077', check: 'server', message });
  };
  return {
    full: () => places.taken() >= workers + queue,
    enter(address) {
      const leave = places.enter(address);
      return leave === null ? null : { run, leave };
    },
    taken: places.taken,
    running: () => running,
    lostWorkers: () => lost,
    close: pool.close,
  };
}
