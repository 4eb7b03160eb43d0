/**
 * The entry of the process in which plain functions run, and in which what they read is recorded, so that their evidence can go
 * stale.
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { observe } from '../host/inputs/observe.ts';
import { optimiseLate } from '../host/optimise-late.ts';
import { serveFunctions } from './serve-functions.ts';

optimiseLate();
new Worker(new URL('./watch.worker.js', import.meta.url)).unref();
serveFunctions({ observe: () => observe({ own: dirname(fileURLToPath(import.meta.url)) }), strict: false });
