/**
 * The entry of the process in which plain functions run. It opens them, calls them and reports what they read; what the results
 * mean is decided on a thread of pv, where no untrusted code is loaded.
 */
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { KernelOutcome, Opened, OpenKernel } from '../backends/backend.ts';
import { messageOf } from '../backends/check-call.ts';
import { functionBackend } from '../backends/function-kernel.ts';
import { invariant } from '../base/invariant.ts';
import type { Inputs } from '../host/inputs/input.ts';
import { observe } from '../host/inputs/observe.ts';
import { optimiseLate } from '../host/optimise-late.ts';
import { parentOf } from '../host/parent.ts';
import type { BytesOutcome, FunctionAnswer, FunctionRequest } from './function-protocol.ts';

optimiseLate();

const parent = parentOf();
invariant(parent, 'this module is the entry of a child process');

/** Functions may leave promises and timers behind: when these fail, the job fails. */
let stray: string | null = null;
process.on('unhandledRejection', (problem) => {
  stray ??= `it left a promise that was rejected: ${messageOf(problem)}`;
});
process.on('uncaughtException', (problem) => {
  stray ??= `it left a callback that threw: ${messageOf(problem)}`;
});
// Ctrl-C reaches every process of the terminal; pv ends this one when it has noticed.
process.on('SIGINT', () => undefined);
new Worker(new URL('./watch.worker.js', import.meta.url)).unref();
const observed = observe({ own: dirname(fileURLToPath(import.meta.url)) });

const kernels = new Map<number, OpenKernel>();

// One request after another: a function runs once at a time.
let before = Promise.resolve();
parent.onMessage((message) => {
  before = before.then(async () => {
    const answers: FunctionAnswer[] = [];
    for (const request of deserialize(message as Uint8Array) as readonly FunctionRequest[])
      answers.push({ id: request.id, answer: await answerTo(request) });
    parent.send(serialize(answers));
  });
});

async function answerTo(request: FunctionRequest): Promise<unknown> {
  switch (request.kind) {
    case 'open':
      return open(request.id, await functionBackend.open(request.program));
    case 'run':
      return (await kernels.get(request.opened)?.run(request.calls))?.map(inBytes);
    case 'finish':
      return finish();
  }
}

function open(id: number, opened: Opened): unknown {
  if (!opened.ok) return opened;
  kernels.set(id, opened.kernel);
  return { ok: true };
}

/** The outcome with an output that is bytes sent as bytes: files and hashes are an eighth of what their numbers take. */
function inBytes(outcome: KernelOutcome): KernelOutcome | BytesOutcome {
  if (!outcome.ok || !(outcome.output instanceof Float64Array)) return outcome;
  return outcome.output.every(isByte) ? { ...outcome, output: Uint8Array.from(outcome.output) } : outcome;
}

const isByte = (x: number): boolean => Object.is(x & 255, x);

/** Everything that was read in this process, since modules loaded by earlier jobs keep what they have read. */
async function finish(): Promise<{ readonly inputs: Inputs; readonly stray: string | null }> {
  kernels.clear();
  // Rejections are reported between the turns of the event loop.
  await setImmediate();
  await setImmediate();
  const found = { inputs: observed(), stray };
  stray = null;
  return found;
}
