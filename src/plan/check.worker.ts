/** The entry of a worker thread, or of a process: runs one job after another. */
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parentPort, Worker } from 'node:worker_threads';
import { invariant } from '../base/invariant.ts';
import { messageOf } from '../backends/check-call.ts';
import { optimiseLate } from '../host/optimise-late.ts';
import type { Inputs } from '../host/inputs/input.ts';
import { lateModules } from '../host/inputs/late-imports.ts';
import { observe } from '../host/inputs/observe.ts';
import { parentOf } from '../host/parent.ts';
import type { Job, JobResult } from './check.ts';
import type { RunnerReply } from '../host/pool.ts';
import { importsLate, runsFunctions } from './function-home.ts';
import { runJob } from './run-job.ts';

optimiseLate();

// pv's own clock: that of `performance` is watched where functions run.
const clock = performance.now.bind(performance);

if (parentPort) serveThread(parentPort);
else serveProcess();

/** A thread runs what pv has made; nothing there can fail behind its back. */
function serveThread(port: NonNullable<typeof parentPort>): void {
  port.on('message', (job: Job) => {
    void reply(job).then((message) => {
      port.postMessage(message);
    });
  });
}

/** A process runs functions of strangers, which may leave promises and timers behind: their failures are failures of the job. */
function serveProcess(): void {
  const parent = parentOf();
  invariant(parent, 'this module is the entry of a worker or of a child process');
  const { onMessage, send } = parent;
  let stray: string | null = null;
  process.on('unhandledRejection', (problem) => {
    stray ??= `it left a promise behind that was rejected: ${messageOf(problem)}`;
  });
  process.on('uncaughtException', (problem) => {
    stray ??= `it left a callback behind that threw: ${messageOf(problem)}`;
  });
  // Ctrl-C reaches every process of the terminal; pv ends this one when it has noticed.
  process.on('SIGINT', () => undefined);
  new Worker(new URL('./watch.worker.js', import.meta.url)).unref();
  const observed = observe({ own: dirname(fileURLToPath(import.meta.url)) });
  onMessage((job) => {
    void reply(job as Job).then(async (message) => {
      // Rejections are told between the turns of the event loop.
      await setImmediate();
      await setImmediate();
      send(stray === null ? withInputs(message, job as Job, observed()) : { ok: false, message: stray });
      stray = null;
    });
  });
}

/** All that was read in this process: modules of functions, which earlier jobs have loaded, keep what they have read. */
function withInputs(message: RunnerReply<JobResult>, { check }: Job, inputs: Inputs): RunnerReply<JobResult> {
  if (!message.ok || !runsFunctions(check)) return message;
  const { receipt } = message.result;
  const open = importsLate(check) ? [...inputs.open, lateModules] : inputs.open;
  return {
    ok: true,
    result: { ...message.result, receipt: { ...receipt, inputs: { ...inputs, open: [...new Set(open)] } } },
  };
}

async function reply(job: Job): Promise<RunnerReply<JobResult>> {
  try {
    return { ok: true, result: await runJob(job, clock) };
  } catch (problem) {
    return { ok: false, message: messageOf(problem) };
  }
}
