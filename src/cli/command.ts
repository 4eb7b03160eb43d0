import {
  buildCommand,
  type Aliases,
  type Command,
  type FlagParametersForType,
  type TypedPositionalParameters,
} from '@stricli/core';
import type { Cli } from './cli.ts';
import type { ExitCode } from '../api/exit-code.ts';
import { reportFailure } from './failure.ts';

/** The definition of a command: what `--help` prints, what it takes, what it does. */
export interface CommandSpec<FLAGS extends Readonly<Record<string, unknown>>, ARGS extends readonly unknown[]> {
  /** A paragraph for `pv NAME --help`: what it computes, and the meaning of its exit codes if it is special. */
  readonly description: string;
  readonly examples: Examples;
  readonly flags: FlagParametersForType<FLAGS, Cli>;
  /** One-letter flags, where they are customary. */
  readonly aliases?: Aliases<keyof FLAGS & string>;
  readonly positional: TypedPositionalParameters<ARGS, Cli>;
  /** Writes only through `cli` and returns the exit code; anything it throws is reported as a defect of pv. */
  readonly run: (cli: Cli, flags: FLAGS, ...args: ARGS) => Promise<ExitCode>;
}

/** A command without its one-line brief, which is in the registry so that `pv --help` loads no command. */
export type CommandFactory = (brief: string) => Command<Cli>;

/** A row of a registry: what `--help` lists, and how to load the rest. */
export interface CommandRow {
  readonly brief: string;
  readonly load: () => Promise<CommandFactory | CommandGroup>;
}

/** Commands under one word (`pv trace record`), each loaded on demand. */
export interface CommandGroup {
  /** What `pv WORD --help` prints after the brief. */
  readonly description: string;
  readonly examples: Examples;
  readonly commands: Readonly<Record<string, CommandRow>>;
}

/** Commands as typed, each with what it does. */
type Examples = readonly (readonly [command: string, does: string])[];

/** Turns a description into a command of the argument parser. */
export function defineCommand<FLAGS extends Readonly<Record<string, unknown>>, ARGS extends readonly unknown[]>(
  spec: CommandSpec<FLAGS, ARGS>,
): CommandFactory {
  return (brief) =>
    buildCommand<FLAGS, ARGS, Cli>({
      docs: { brief, fullDescription: fullDescription(spec) },
      // Without a prototype, so that `--constructor` is an unknown flag like any other.
      parameters: {
        flags: Object.assign(Object.create(null), spec.flags),
        positional: spec.positional,
        aliases: Object.assign(Object.create(null), spec.aliases),
      },
      func: async function run(this: Cli, flags: FLAGS, ...args: ARGS): Promise<void> {
        this.process.exitCode = await runGuarded(this, () => spec.run(this, flags, ...args));
      },
    });
}

async function runGuarded(cli: Cli, run: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await run();
  } catch (error) {
    return reportFailure(cli, error);
  }
}

/** The description of a command or group under its brief. */
export function fullDescription(spec: { readonly description: string; readonly examples: Examples }): string {
  const examples = spec.examples.map(([command, does]) => `  ${command}\n      ${does}`);
  return [spec.description, '', 'EXAMPLES', ...examples].join('\n');
}
