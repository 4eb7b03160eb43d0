/** A command line on real files, with the output of the caller: all that `bin.ts` does but for the process. */
import { fileURLToPath } from 'node:url';
import type { ExitCode } from '../api/exit-code.ts';
import { createNodeHost } from '../host/node-host.ts';
import { createCli } from './cli.ts';
import { main } from './main.ts';

type Streams = Parameters<typeof createCli>[0];

/** Runs it in a folder; `signal` interrupts it as Ctrl-C does. */
export function runIn(
  folder: string,
  argv: readonly string[],
  streams: Streams,
  signal: AbortSignal,
): Promise<ExitCode> {
  const packageRoot = fileURLToPath(new URL('../..', import.meta.url));
  return main(argv, createCli(streams, { host: createNodeHost(folder), packageRoot, signal }));
}
