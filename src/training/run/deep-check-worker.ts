/** Deep checks in a worker thread of Node. Nothing here imports a module of Node, so that browsers can load it. */
import type { JsonObject } from '../../base/canonical-json.ts';
import type { Measurement } from '../invariants/invariant.ts';
import type { DeepChecks, DeepRequest } from '../trainer/deep-checks.ts';
import { trainingError } from '../training-error.ts';

/** Where the worker gets its invariants from. */
export type DeepCheckSource =
  /** The invariants of a run file, with the text that it names. */
  | { readonly kind: 'run'; readonly document: JsonObject; readonly text: Uint8Array | null }
  /** A module of your own, whose export `invariants` is a list of them. */
  | { readonly kind: 'module'; readonly url: string };

/** An answer of the worker. */
export type DeepAnswer = { readonly found: readonly (readonly Measurement[])[] } | { readonly failed: string };

type ThreadEvent = 'message' | 'error' | 'exit';

/** The worker that is started; a part of Node's. */
interface Thread {
  readonly postMessage: (value: DeepRequest) => void;
  readonly on: (event: ThreadEvent, listener: (value: unknown) => void) => void;
  readonly off: (event: ThreadEvent, listener: (value: unknown) => void) => void;
  readonly terminate: () => Promise<unknown>;
  readonly unref: () => void;
  readonly ref: () => void;
}

/**
 * Deep checks by the invariants of `source`, in a worker that is started with the first check, and again if it has ended. `entry` is
 * the URL of the worker's module. Throws PV-8351 where there are no worker threads, such as in browsers.
 */
export function startDeepChecks(
  source: DeepCheckSource,
  entry: string = new URL('./deep-checks.worker.js', import.meta.url).href,
): DeepChecks {
  const start = threads();
  let thread: Thread | null = null;
  return {
    measure(request) {
      thread ??= start(new URL(entry), source);
      const running = thread;
      return new Promise((resolve, reject) => {
        const listeners: Readonly<Record<ThreadEvent, (value: unknown) => void>> = {
          message(answer) {
            end();
            const read = answerOf(answer, request.invariants.length);
            if ('found' in read) resolve(read.found);
            else reject(failure(read.failed));
          },
          error: (error) => lost(error instanceof Error ? error.message : String(error)),
          exit: () => lost('the worker has ended'),
        };
        const events: readonly ThreadEvent[] = ['message', 'error', 'exit'];
        const end = (): void => {
          for (const event of events) running.off(event, listeners[event]);
          running.unref();
        };
        const lost = (why: string): void => {
          end();
          // The next check starts another one.
          thread = null;
          void running.terminate();
          reject(failure(why));
        };
        for (const event of events) running.on(event, listeners[event]);
        running.ref();
        running.postMessage(request);
      });
    },
    close() {
      void thread?.terminate();
      thread = null;
    },
  };
}

function answerOf(value: unknown, invariants: number): DeepAnswer {
  if (typeof value === 'object' && value !== null) {
    if ('failed' in value) return { failed: String(value.failed) };
    if ('found' in value && Array.isArray(value.found) && value.found.length === invariants)
      return { found: value.found as readonly (readonly Measurement[])[] };
  }
  return { failed: 'the answer of the worker is malformed' };
}

const failure = (why: string) =>
  trainingError({
    code: 'PV-8350',
    check: 'deep checks',
    message: `The deep checks of this step could not be made: ${why}. The step is neither committed nor recorded; no weight has changed.`,
  });

/** Starts threads. Node offers its modules without an import, which a bundler for browsers could not resolve. */
function threads(): (entry: URL, source: DeepCheckSource) => Thread {
  const { process } = globalThis as { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } };
  const module = process?.getBuiltinModule?.('node:worker_threads') as
    { readonly Worker: new (entry: URL, options: object) => Thread } | undefined;
  if (module === undefined)
    throw trainingError({
      code: 'PV-8351',
      check: 'deep checks',
      message: 'There are no worker threads here, so deep checks cannot run beside the training: leave out the option.',
    });
  return (entry, source) => {
    const thread = new module.Worker(entry, { workerData: source, execArgv: [] });
    thread.unref();
    return thread;
  };
}
