import type { CommandContext } from '@stricli/core';
import type { Session } from '../api/session.ts';

/** The flags of a command without flags. */
export type NoFlags = Readonly<Record<string, never>>;

/** One of the two streams a command writes to. */
export interface Output {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** Whether escape codes may be written: see `wantsColor`. */
  readonly color: boolean;
  /** Columns of the terminal; 80 when there is none. */
  readonly columns: number;
}

/** Everything that a command may touch: it reaches the outside world only through this value. */
export interface Cli extends CommandContext, Session {
  readonly process: {
    readonly stdout: Output & { readonly getColorDepth: () => number };
    readonly stderr: Output & { readonly getColorDepth: () => number };
    readonly env: Readonly<Record<string, string | undefined>>;
    /** Set once, by `main`, from what the command returned. */
    exitCode?: number | string | null;
  };
}

/** A command line on two streams. */
export function createCli(
  process: Omit<Cli['process'], 'exitCode'>,
  world: Pick<Session, 'host' | 'packageRoot' | 'signal'>,
): Cli {
  const cli: Cli = {
    ...world,
    process,
    env: process.env,
    say: (message) => say(cli, message),
    show: async (diagnostics) => {
      if (diagnostics.length > 0) (await import('./say-diagnostics.ts')).sayDiagnostics(cli, diagnostics);
    },
  };
  return cli;
}

/** Data, for the next program: the findings, a report, a schema. Only the format `github` may contain GitHub Actions commands. */
export function print(cli: Cli, text: string, format?: string): void {
  const shown = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  cli.process.stdout.write(format === 'github' ? shown : withoutCommands(shown));
}

/** Messages for people: summaries of data, warnings about the run itself. */
export function say(cli: Cli, text: string): void {
  if (text !== '') cli.process.stderr.write(withoutCommands(text.endsWith('\n') ? text : `${text}\n`));
}

/** A GitHub Actions runner obeys every line that begins with `::command`, wherever it comes from. */
const withoutCommands = (text: string): string =>
  text.includes('::') ? text.replace(/^([^\S\n]*)::(?!:)/gm, '$1\\::') : text;
