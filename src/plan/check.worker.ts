/** The entry of a worker thread: runs one job after another. */
import { parentPort } from 'node:worker_threads';
import { invariant } from '../base/invariant.ts';
import type { Job, JobResult } from './check.ts';
import type { WorkerReply } from './pool.ts';
import { runJob } from './run-job.ts';

invariant(parentPort, 'this module is the entry of a worker');
const port = parentPort;

// What kernels print must not end up in the report on stdout.
process.stdout.write = process.stderr.write.bind(process.stderr);
// A promise that a kernel leaves behind and that fails later says nothing about the job that happens to run then.
process.on('unhandledRejection', () => undefined);

port.on('message', (job: Job) => {
  void reply(job).then((message) => {
    port.postMessage(message);
  });
});

async function reply(job: Job): Promise<WorkerReply<JobResult>> {
  try {
    return { ok: true, result: await runJob(job, () => performance.now()) };
  } catch (problem) {
    return { ok: false, message: problem instanceof Error ? problem.message : String(problem) };
  }
}
