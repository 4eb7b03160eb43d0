/**
 * Jobs on worker threads: a job that hangs, throws or exhausts its memory ends its worker, never the run.
 *
 * One limit: a single allocation of tens of megabytes beyond the worker's memory ends the process, since V8 gives threads
 * no way out of that. What had finished by then is stored.
 */
import { Worker } from 'node:worker_threads';

export type PoolOutcome<R> =
  | { readonly kind: 'done'; readonly result: R }
  /** The job did not return within its time. */
  | { readonly kind: 'timed-out'; readonly timeoutMs: number }
  /** The worker ended before the job did: an exception that is a defect of pv, memory, or `process.exit` in a kernel. */
  | { readonly kind: 'crashed'; readonly message: string };

/** A job at the moment a worker is free for it. */
export interface Start<J> {
  readonly job: J;
  readonly timeoutMs: number;
}

export interface Pool<J, R> {
  /** Asks `begin` for the job once a worker is free and runs it; null when `begin` gives none by then. */
  readonly run: (begin: () => Start<J> | null) => Promise<PoolOutcome<R> | null>;
  /** Ends all workers; jobs still running are `crashed`. */
  readonly close: () => Promise<void>;
}

/** What a worker posts back. */
export type WorkerReply<R> =
  { readonly ok: true; readonly result: R } | { readonly ok: false; readonly message: string };

interface Waiting<J, R> {
  readonly begin: () => Start<J> | null;
  readonly settle: (outcome: PoolOutcome<R> | null) => void;
}

const memoryLimitMb = 1024;

/** A pool of at most `size` workers that run the module at `entry`; workers start when the first jobs come. */
export function createPool<J, R>(entry: URL, size: number): Pool<J, R> {
  const idle = new Set<Worker>();
  const busy = new Set<Worker>();
  const queue: Waiting<J, R>[] = [];
  let closed = false;

  const startWorker = (): Worker => {
    const worker = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb } });
    // A kernel may leave a timer behind that fails when its job is long done: that ends its worker, not the run.
    worker.on('error', () => idle.delete(worker));
    worker.on('exit', () => idle.delete(worker));
    return worker;
  };

  const next = (): void => {
    while (!closed && (idle.size > 0 || busy.size < size)) {
      const waiting = queue.shift();
      if (!waiting) return;
      const start = waiting.begin();
      if (start === null) {
        waiting.settle(null);
        continue;
      }
      const [worker = startWorker()] = idle;
      idle.delete(worker);
      busy.add(worker);
      void runOn<J, R>(worker, start).then(({ outcome, reusable }) => {
        busy.delete(worker);
        if (reusable && !closed) idle.add(worker);
        else void worker.terminate();
        waiting.settle(outcome);
        next();
      });
    }
  };

  return {
    run: (begin) =>
      new Promise((settle) => {
        if (closed) return settle(cancelled);
        queue.push({ begin, settle });
        next();
      }),
    close: async () => {
      closed = true;
      for (const waiting of queue.splice(0)) waiting.settle(cancelled);
      await Promise.all([...idle, ...busy].map((worker) => worker.terminate()));
    },
  };
}

const cancelled = { kind: 'crashed', message: 'the run was cancelled' } as const;

interface Settled<R> {
  readonly outcome: PoolOutcome<R>;
  readonly reusable: boolean;
}

function runOn<J, R>(worker: Worker, { job, timeoutMs }: Start<J>): Promise<Settled<R>> {
  return new Promise((resolve) => {
    const settle = (outcome: PoolOutcome<R>, reusable: boolean): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      resolve({ outcome, reusable });
    };
    const onMessage = (reply: WorkerReply<R>): void =>
      reply.ok
        ? settle({ kind: 'done', result: reply.result }, true)
        : settle({ kind: 'crashed', message: reply.message }, true);
    const onError = (error: unknown): void =>
      settle({ kind: 'crashed', message: error instanceof Error ? error.message : String(error) }, false);
    const onExit = (code: number): void =>
      settle({ kind: 'crashed', message: `the worker ended with code ${code}` }, false);
    const timer = setTimeout(() => settle({ kind: 'timed-out', timeoutMs }, false), timeoutMs);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(job);
  });
}
