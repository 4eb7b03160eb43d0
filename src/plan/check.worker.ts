/** The entry of a worker thread: runs one job after another. */
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../backends/check-call.ts';
import { invariant } from '../base/invariant.ts';
import { lateModules } from '../host/inputs/late-imports.ts';
import { optimiseLate } from '../host/optimise-late.ts';
import type { RunnerReply } from '../host/pool.ts';
import type { Answer, Question } from '../host/runner.ts';
import type { Job, JobResult } from './check.ts';
import { importsLate, replacesBuiltIns, runsFunctions } from './function-home.ts';
import { functionProcess } from './function-process.ts';
import type { RunReport } from './function-protocol.ts';
import { runJob } from './run-job.ts';

optimiseLate();

const port = parentPort;
invariant(port, 'this module is the entry of a worker thread');
const functions = functionProcess((question) => port.postMessage({ question } satisfies Question, [question.buffer]));

// Outside a job nothing was asked. What is said then may come from a process that is over, and must not affect the next job.
let isBusy = false;
port.on('message', (message: Job | Answer) => {
  if ('answer' in message) {
    if (isBusy) functions.receive(message.answer);
    return;
  }
  isBusy = true;
  void replyTo(message).then((reply) => {
    isBusy = false;
    port.postMessage(reply);
  });
});

async function replyTo(job: Job): Promise<RunnerReply<JobResult>> {
  try {
    const result = await runJob(job, performance.now.bind(performance), functions.backend);
    return runsFunctions(job.check) ? finished(job, result, await functions.finish()) : { ok: true, result };
  } catch (problem) {
    return { ok: false, message: messageOf(problem) };
  }
}

function finished({ check }: Job, result: JobResult, { inputs, stray, conduct }: RunReport): RunnerReply<JobResult> {
  if (stray !== null) return { ok: false, message: stray };
  const open = importsLate(check) ? [...inputs.open, lateModules] : inputs.open;
  const receipt = { ...result.receipt, inputs: { ...inputs, open: [...new Set(open)] } };
  const finding = result.finding ?? replacesBuiltIns(check, conduct.replaced);
  return { ok: true, result: { ...result, receipt, finding, conduct } };
}
