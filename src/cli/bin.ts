#!/usr/bin/env node
/** The process around `runIn`: streams, signals, the exit code. Nothing here decides anything about contracts. */
// The global `process`: importing 'node:process' takes 5 ms, since it reads every property of it.
import * as nodeModule from 'node:module';
import { exitCodes } from '../api/exit-code.ts';
import { createOutput } from './output.ts';
import { runIn } from './run.ts';

// Node 22 caches compiled code between runs; Node 20 has no such function.
(nodeModule as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();

// Reading contracts, types and logs runs a lot of code only a few times: V8's optimiser would take a third of the processor time
// and gain nothing. With this flag it waits longer; what runs for long is optimised some milliseconds later.
process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=1000000');

const abort = new AbortController();
// `once`: a second Ctrl-C finds no handler and ends the process at once.
process.once('SIGINT', () => abort.abort());
process.once('SIGTERM', () => abort.abort());

// A write may fail at any time, even after the command has run.
let outputFailed = false;
const stderr = createOutput(
  () => process.stderr,
  process.env,
  () => {
    // The failure cannot be reported anywhere; the exit code still says what was found.
  },
);
const stdout = createOutput(
  () => process.stdout,
  process.env,
  (message) => {
    stderr.write(`pv: standard output cannot be written: ${message}; what was printed is not complete\n`);
    outputFailed = true;
    process.exitCode = exitCodes.usage;
  },
);

const exitCode = await runIn(process.cwd(), process.argv.slice(2), { stdout, stderr, env: process.env }, abort.signal);
process.exitCode = outputFailed ? exitCodes.usage : exitCode;
