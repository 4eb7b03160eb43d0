import { createMemoryHost } from '../../src/host/memory-host.ts';
import type { Host } from '../../src/host/host.ts';
import { createCli, type Cli } from '../../src/cli/cli.ts';
import { main } from '../../src/cli/main.ts';

export interface RunOptions {
  /** The world; a memory host with `files` when absent. */
  readonly host?: Host;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly color?: boolean;
  readonly terminal?: boolean;
  readonly signal?: AbortSignal;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command-line context of a test, and what was written to it. */
export function memoryCli(options: RunOptions = {}): {
  readonly cli: Cli;
  readonly written: { stdout: string; stderr: string };
} {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => void (written[name] += text),
    isTerminal: options.terminal ?? false,
    color: options.color ?? false,
    columns: 80,
    getColorDepth: () => (options.color ? 4 : 1),
  });
  const cli = createCli(
    { stdout: output('stdout'), stderr: output('stderr'), env: options.env ?? {} },
    {
      host: options.host ?? createMemoryHost(options.files),
      // With a slash at the end, as the URL of a folder has.
      packageRoot: '/pv/',
      signal: options.signal ?? new AbortController().signal,
    },
  );
  return { cli, written };
}

/** Runs a whole command line in this process against a world in memory. */
export async function runPv(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { cli, written } = memoryCli(options);
  const code = await main(argv, cli);
  return { code, ...written };
}
