#!/usr/bin/env node
/** The process around `main`: streams, signals, the exit code. Nothing here decides anything about contracts. */
import * as nodeModule from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createNodeHost } from '../host/node-host.ts';
import type { Cli } from './cli.ts';
import { exitCodes } from './exit-code.ts';
import { createOutput } from './output.ts';
import { main } from './main.ts';

// Node 22 keeps compiled code between runs; Node 20 has no such function.
(nodeModule as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();

// Reading contracts runs a lot of code a few times each: V8's optimiser took over 40 % of the processor time and earned
// none of it back. With this it waits ten times longer (bench/validate.ts and bench/check.ts measure it).
if (process.argv[2] === 'validate' || process.argv[2] === 'check')
  process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=1000000');

const abort = new AbortController();
// `once`: a second Ctrl-C finds no handler and ends the process at once.
process.once('SIGINT', () => abort.abort());
process.once('SIGTERM', () => abort.abort());

// The failure of a write arrives when it likes, even after the last command line has run.
let outputFailed = false;
const stderr = createOutput(process.stderr, process.env, () => {
  // There is nowhere left to say so; the exit code still tells what was found.
});
const stdout = createOutput(process.stdout, process.env, (message) => {
  stderr.write(`pv: standard output cannot be written: ${message}; what was printed is not complete\n`);
  outputFailed = true;
  process.exitCode = exitCodes.usage;
});

const cli: Cli = {
  process: {
    stdout,
    stderr,
    env: process.env,
  },
  host: createNodeHost(),
  packageRoot: fileURLToPath(new URL('../..', import.meta.url)),
  signal: abort.signal,
};
const exitCode = await main(process.argv.slice(2), cli);
process.exitCode = outputFailed ? exitCodes.usage : exitCode;
