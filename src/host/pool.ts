/**
 * Jobs on runners (worker threads, processes): a job that hangs, throws or exhausts its memory ends its runner, never the run.
 */
import type { Runner, RunnerEvents } from './runner.ts';

/** How a job ended. */
export type PoolOutcome<R> =
  | { readonly kind: 'done'; readonly result: R }
  /** The job did not return within its time. */
  | { readonly kind: 'timed-out'; readonly timeoutMs: number }
  /** The runner ended before the job did: a defect of pv, memory, or what the code of a stranger does to its process. */
  | { readonly kind: 'crashed'; readonly message: string };

/** A job at the moment a runner is free for it. */
export interface Start<J> {
  readonly job: J;
  readonly timeoutMs: number;
}

/**
 * Which runner a job may share: `null` any thread; otherwise a process that serves only jobs with this home, because what
 * they run may leave something behind.
 */
export type Home = string | null;

/** Runs jobs, at most `size` at once. It never rejects because of a job. */
export interface Pool<J, R> {
  /** Asks `begin` for the job once a runner is free and runs it; null if `begin` gives none by then. */
  readonly run: (begin: () => Start<J> | null, home: Home) => Promise<PoolOutcome<R> | null>;
  /** Ends all runners; jobs still running are `crashed`. */
  readonly close: () => Promise<void>;
}

/** What a runner posts back. */
export type RunnerReply<R> =
  { readonly ok: true; readonly result: R } | { readonly ok: false; readonly message: string };

/** How many runners there are, and how one is started. */
export interface PoolOptions {
  /** How many jobs run at once. */
  readonly size: number;
  /** Starts a thread for the home null, a process for any other. */
  readonly start: (home: Home, events: RunnerEvents) => Runner;
}

interface Waiting<J, R> {
  readonly begin: () => Start<J> | null;
  readonly home: Home;
  readonly settle: (outcome: PoolOutcome<R> | null) => void;
}

/** Runs jobs on at most `size` runners at a time; runners start when the first jobs come. */
export function createPool<J extends object, R>({ size, start }: PoolOptions): Pool<J, R> {
  const idle = new Set<Seat<J, R>>();
  const busy = new Set<Seat<J, R>>();
  /** Seats whose runner has ended, which may be as soon as its job is done. */
  const gone = new WeakSet<Seat<J, R>>();
  const queue: Waiting<J, R>[] = [];
  let closed = false;

  const seatFor = (home: Home): Seat<J, R> => {
    const [ready] = [...idle].filter((seat) => seat.home === home);
    if (ready) return ready;
    // Idle threads cost little; an idle process is replaced by the new one.
    if (home !== null)
      for (const seat of [...idle].filter((one) => one.home !== null)) {
        if (seat.move(home)) return seat;
        retire(seat);
      }
    return createSeat<J, R>(home, start, (seat) => {
      gone.add(seat);
      idle.delete(seat);
    });
  };

  const retire = (seat: Seat<J, R>): void => {
    idle.delete(seat);
    void seat.end();
  };

  /** The first in the queue, unless it needs a new process and another can have one that runs already. */
  const takeNext = (): Waiting<J, R> | undefined => {
    const isReady = ({ home }: Waiting<J, R>): boolean => [...idle].some((seat) => seat.home === home);
    const [first] = queue;
    if (first === undefined || first.home === null || isReady(first)) return queue.shift();
    const ready = queue.findIndex((waiting) => waiting.home !== null && isReady(waiting));
    return queue.splice(Math.max(0, ready), 1)[0];
  };

  const next = (): void => {
    while (!closed && busy.size < size) {
      const waiting = takeNext();
      if (!waiting) return;
      const begun = waiting.begin();
      if (begun === null) {
        waiting.settle(null);
        continue;
      }
      const seat = seatFor(waiting.home);
      idle.delete(seat);
      busy.add(seat);
      void seat.run(begun).then(({ outcome, reusable }) => {
        busy.delete(seat);
        if (reusable && !closed && !gone.has(seat)) idle.add(seat);
        else retire(seat);
        waiting.settle(outcome);
        next();
      });
    }
  };

  return {
    run: (begin, home) =>
      new Promise((settle) => {
        if (closed) return settle(cancelled);
        queue.push({ begin, home, settle });
        next();
      }),
    close: async () => {
      closed = true;
      for (const waiting of queue.splice(0)) waiting.settle(cancelled);
      await Promise.all([...idle, ...busy].map((seat) => seat.end()));
    },
  };
}

const cancelled = { kind: 'crashed', message: 'the run was cancelled' } as const;

interface Settled<R> {
  readonly outcome: PoolOutcome<R>;
  readonly reusable: boolean;
}

/** A runner and the job that it runs now. */
interface Seat<J, R> {
  readonly home: Home;
  /** Gives an idle runner another home, with a fresh process; false if it cannot have one. */
  readonly move: (home: Home) => boolean;
  readonly run: (begun: Start<J>) => Promise<Settled<R>>;
  readonly end: () => Promise<void>;
}

function createSeat<J extends object, R>(
  first: Home,
  start: PoolOptions['start'],
  onGone: (seat: Seat<J, R>) => void,
): Seat<J, R> {
  let settle: ((settled: Settled<R>) => void) | null = null;
  const finish = (outcome: PoolOutcome<R>, reusable: boolean): void => {
    const waiting = settle;
    settle = null;
    waiting?.({ outcome, reusable });
  };
  let home = first;
  const runner = start(home, {
    onMessage: (message) => {
      const reply = message as RunnerReply<R>;
      if (reply.ok) finish({ kind: 'done', result: reply.result }, true);
      else finish({ kind: 'crashed', message: reply.message }, true);
    },
    // Code may leave a timer behind that fails when its job is long done: that ends its runner, not the run.
    onEnd: (reason) => {
      onGone(seat);
      finish({ kind: 'crashed', message: reason }, false);
    },
  });
  const seat: Seat<J, R> = {
    get home() {
      return home;
    },
    move: (to) => {
      runner.renew?.();
      if (runner.renew) home = to;
      return runner.renew !== undefined;
    },
    run: ({ job, timeoutMs }) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => finish({ kind: 'timed-out', timeoutMs }, false), timeoutMs);
        settle = (settled) => {
          clearTimeout(timer);
          resolve(settled);
        };
        runner.post(job);
      }),
    end: runner.end,
  };
  return seat;
}
