/**
 * The entry of a thread that watches its process: ends it if it exceeds its memory limit, or if no one waits for it any more.
 * The main thread may be in an endless loop, so it cannot do that itself.
 */
import { memoryVariable } from '../host/inputs/variables.ts';
import { memorySignal } from '../host/runner.ts';

const limit = Number(process.env[memoryVariable]) * 2 ** 20;
const parent = process.ppid;
const intervalMs = 20;

setInterval(() => {
  if (process.memoryUsage.rss() > limit) process.kill(process.pid, memorySignal);
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, intervalMs);
