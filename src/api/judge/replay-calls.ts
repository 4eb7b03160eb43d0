/**
 * The same calls again, in fresh processes under other conditions: in another order, with another clock, with other random numbers,
 * in the user's own folder and environment. A function of its arguments gives the same bits each time.
 */
import { serialize } from 'node:v8';
import type { KernelOutcome } from '../../backends/backend.ts';
import { messageOf } from '../../backends/check-call.ts';
import { failureMessage } from '../../methods/runs/execute.ts';
import { runAlone, type AloneEnd } from '../../host/run-alone.ts';
import type { Runner, RunnerEvents } from '../../host/runner.ts';
import { functionProcess, outcomesIn, type RepeatLimits } from '../../plan/function-process.ts';
import { aloneFiles, type AloneRequest, type Repeated, type RunReport } from '../../plan/function-protocol.ts';
import type { World } from '../../plan/vary-world.ts';
import type { KernelCall, KernelProgram } from '../../subject/kernel.ts';

/** How one process runs the calls. */
export interface Condition {
  readonly name: string;
  readonly start: (events: RunnerEvents) => Runner;
  /** Null leaves the process as it is. */
  readonly world: World | null;
  /** Which calls, in which order; some may be repeated. */
  readonly order: readonly number[];
  /** Made over and over before the others, and until when. */
  readonly repeated?: RepeatLimits & { readonly at: readonly number[] };
  /** No more calls begin after so many milliseconds; absent: all are made. */
  readonly enoughMs?: number;
}

/** Calls that are sent to the process at a time, so that it has turns of its event loop between them. */
const atATime = 16;

/** What came of it: an outcome for each entry of the order, as far as it came, or why the process ended before. */
export type Replay =
  | {
      readonly ok: true;
      readonly outcomes: readonly KernelOutcome[];
      readonly repeated: Repeated;
      readonly report: RunReport;
    }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly timedOut: boolean;
      /** Why the function could not even be loaded. */
      readonly unloaded?: string;
    };

/** Runs the calls in one process, which ends with them. A list of them that takes longer than `timeoutMs` has hung. */
export async function replayCalls(
  program: KernelProgram,
  calls: readonly KernelCall[],
  { start, world, order, repeated: again, enoughMs = Infinity }: Condition,
  timeoutMs: number,
): Promise<Replay> {
  let give: (replay: Replay) => void = () => undefined;
  const ended = new Promise<Replay>((resolve) => (give = resolve));
  const runner = start({
    onMessage: (message) => {
      try {
        functions.receive(message);
      } catch (problem) {
        give({ ok: false, reason: messageOf(problem), timedOut: false });
      }
    },
    onEnd: (reason) => give({ ok: false, reason, timedOut: false }),
    onPrinted: () => undefined,
  });
  const functions = functionProcess((requests) => runner.post(requests));
  const reason = `it did not end within ${timeoutMs / 1000} s`;
  const watch = (): NodeJS.Timeout => setTimeout(() => give({ ok: false, reason, timedOut: true }), timeoutMs);
  let timer = watch();
  const began = performance.now();
  const run = async (): Promise<Replay> => {
    if (world) await functions.vary(world);
    const opened = await functions.backend.open(program);
    if (!opened.ok) {
      const unloaded = failureMessage(opened.failure);
      return { ok: false, reason: 'it could not be loaded again', timedOut: false, unloaded };
    }
    const ofCalls = (indices: readonly number[]): readonly KernelCall[] => indices.flatMap((at) => calls[at] ?? []);
    const repeated = again ? await functions.repeat(ofCalls(again.at), again) : { made: 0, odd: 0 };
    const asked = ofCalls(order);
    const outcomes: KernelOutcome[] = [];
    for (let from = 0; from < asked.length && performance.now() - began < enoughMs; from += atATime) {
      clearTimeout(timer);
      timer = watch();
      outcomes.push(...(await opened.kernel.run(asked.slice(from, from + atATime))));
    }
    const report = await functions.finish();
    return report.stray === null
      ? { ok: true, outcomes, repeated, report }
      : { ok: false, reason: report.stray, timedOut: false };
  };
  const failed = (problem: unknown): Replay => ({ ok: false, reason: messageOf(problem), timedOut: false });
  const replay = await Promise.race([run().catch(failed), ended]);
  clearTimeout(timer);
  await runner.end();
  return replay;
}

/** How a program runs the calls that knows nothing of pv. */
export interface Alone {
  /** Of `alone.worker.ts`. */
  readonly text: string;
  readonly cwd: string;
  readonly memoryMb: number;
  readonly timeoutMs: number;
}

/** An outcome for each call, or why there are none. */
type AloneReplay =
  { readonly ok: true; readonly outcomes: readonly KernelOutcome[] } | Exclude<AloneEnd, { readonly ok: true }>;

/** Runs the calls in a program of files that Node runs by itself. */
export async function replayAlone(
  program: KernelProgram,
  calls: readonly KernelCall[],
  { text, ...where }: Alone,
): Promise<AloneReplay> {
  const request: AloneRequest = { program, calls };
  const { main, calls: given, outcomes: result, kernel } = aloneFiles;
  const files = { [main]: text, [given]: serialize(request), [kernel]: program.source };
  const end = await runAlone({ files, main, result, ...where });
  if (!end.ok) return end;
  try {
    return { ok: true, outcomes: outcomesIn(end.bytes, program, calls) };
  } catch (problem) {
    return { ok: false, ran: true, reason: messageOf(problem), timedOut: false };
  }
}
