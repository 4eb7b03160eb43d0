/** The entry of a worker thread of the server: first the models, then one request after another. */
import { parentPort } from 'node:worker_threads';
import { invariant } from '../../base/invariant.ts';
import type { RunnerReply } from '../../host/pool.ts';
import { answer } from './answer.ts';
import type { Job } from './jobs.ts';
import type { Reply } from './reply.ts';
import { createShelf, type Shelf } from './shelf.ts';

invariant(parentPort, 'this module is the entry of a worker');
const port = parentPort;
let shelf: Shelf | null = null;

port.on('message', (job: Job) => {
  if (job.kind === 'shelves') shelf = createShelf(job.shelves);
  else void reply(job).then((message) => port.postMessage(message));
});

async function reply(job: Extract<Job, { readonly kind: 'ask' }>): Promise<RunnerReply<Reply>> {
  invariant(shelf, 'the models come before the first request');
  try {
    return { ok: true, result: await answer(job.ask, shelf) };
  } catch (error) {
    // A defect of pv, which the one who runs the server reads; clients get a code.
    return { ok: false, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
