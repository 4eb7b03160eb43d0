/**
 * Jobs on worker threads: a job that hangs, throws or exhausts its memory ends its worker, never the run.
 */
import { Worker } from 'node:worker_threads';

export type PoolOutcome<R> =
  | { readonly kind: 'done'; readonly result: R }
  /** The job did not return within its time. */
  | { readonly kind: 'timed-out'; readonly timeoutMs: number }
  /** The worker ended before the job did: an exception that is a defect of pv, memory, or `process.exit` in a kernel. */
  | { readonly kind: 'crashed'; readonly message: string };

export interface Pool<J, R> {
  /** Runs the job on the next free worker; null when `cancelled` is true by then. */
  readonly run: (job: J, timeoutMs: number, cancelled: () => boolean) => Promise<PoolOutcome<R> | null>;
  /** Ends all workers; jobs still running are `crashed`. */
  readonly close: () => Promise<void>;
}

/** What a worker posts back. */
export type WorkerReply<R> =
  { readonly ok: true; readonly result: R } | { readonly ok: false; readonly message: string };

interface Waiting<J, R> {
  readonly job: J;
  readonly timeoutMs: number;
  readonly cancelled: () => boolean;
  readonly settle: (outcome: PoolOutcome<R> | null) => void;
}

const memoryLimitMb = 1024;

/** A pool of at most `size` workers that run the module at `entry`; workers start when the first jobs come. */
export function createPool<J, R>(entry: URL, size: number): Pool<J, R> {
  const idle: Worker[] = [];
  const busy = new Set<Worker>();
  const queue: Waiting<J, R>[] = [];
  let closed = false;

  const next = (): void => {
    while (!closed && queue.length > 0 && (idle.length > 0 || busy.size < size)) {
      const waiting = queue.shift();
      if (!waiting) return;
      if (waiting.cancelled()) {
        waiting.settle(null);
        continue;
      }
      const worker =
        idle.pop() ?? new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb }, stdout: false });
      busy.add(worker);
      void runOn<J, R>(worker, waiting).then(({ outcome, reusable }) => {
        busy.delete(worker);
        if (reusable && !closed) idle.push(worker);
        else void worker.terminate();
        waiting.settle(outcome);
        next();
      });
    }
  };

  return {
    run: (job, timeoutMs, cancelled) =>
      new Promise((settle) => {
        if (closed) return settle({ kind: 'crashed', message: 'the run was cancelled' });
        queue.push({ job, timeoutMs, cancelled, settle });
        next();
      }),
    close: async () => {
      closed = true;
      for (const waiting of queue.splice(0)) waiting.settle({ kind: 'crashed', message: 'the run was cancelled' });
      await Promise.all([...idle, ...busy].map((worker) => worker.terminate()));
    },
  };
}

interface Settled<R> {
  readonly outcome: PoolOutcome<R>;
  readonly reusable: boolean;
}

function runOn<J, R>(worker: Worker, { job, timeoutMs }: Waiting<J, R>): Promise<Settled<R>> {
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
