import { visible } from '../../base/text.ts';
import type { FileProblem, WriteOptions } from '../../host/host.ts';
import { print, say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { sayProblem } from '../problem-text.ts';

/** `--force`: a trace is evidence, and an overwritten key is lost forever, so neither is overwritten by default. */
export const forceFlag = {
  kind: 'boolean',
  brief: 'Write over a file that exists',
  default: false,
  withNegated: false,
} as const;

/** Where a proof goes. */
export const proofFlag = {
  kind: 'parsed',
  parse: String,
  placeholder: 'file',
  brief: 'File to write; standard output when absent',
  optional: true,
} as const;

/** Where a command writes. */
export interface Target {
  /** As it was given, for a terminal. */
  readonly name: string;
  /** The file itself: writing to a link overwrites its target. */
  readonly path: string;
  /** Whether the path must be free when the file is created. */
  readonly fresh: boolean;
}

/**
 * The target at `path`, which is free or may be overwritten; null after reporting why not. What is read is never
 * written over.
 */
export async function targetOf(
  cli: Cli,
  path: string,
  force: boolean,
  inputs: readonly string[] = [],
): Promise<Target | null> {
  const name = visible(path);
  const kind = await cli.host.kindOf(path);
  if (kind === 'missing') return { name, path, fresh: true };
  if (kind !== 'file' || !force) {
    say(cli, kind === 'file' ? `pv: '${name}' exists; --force writes over it` : `pv: '${name}' is not a file`);
    return null;
  }
  const place = await cli.host.realPath(path);
  if (!place.ok) {
    say(cli, `pv: '${name}' cannot be written: ${place.error.message}`);
    return null;
  }
  for (const input of inputs) {
    const read = await cli.host.realPath(input);
    if (!read.ok || place.value !== read.value) continue;
    say(cli, `pv: '${name}' is what this command reads: write to another file`);
    return null;
  }
  return { name, path: place.value, fresh: false };
}

/** Text that may come from untrusted input: it must not control a terminal; a pipe gets it unchanged. */
export function printText(cli: Cli, text: string): void {
  print(cli, cli.process.stdout.isTerminal ? text.split('\n').map(visible).join('\n') : text);
}

/** A command's output goes to `target`, or to standard output if there is none; binary output needs a file. */
export async function deliver(cli: Cli, target: Target | null, content: string | Uint8Array): Promise<ExitCode> {
  if (target === null) {
    if (typeof content !== 'string') {
      say(cli, 'pv: a llama2-rs proof is not text: give --out');
      return exitCodes.usage;
    }
    printText(cli, content);
    return exitCodes.ok;
  }
  const ended = await writeOutput(cli, target, content);
  if (ended === exitCodes.ok) say(cli, `wrote ${target.name}: ${content.length} bytes`);
  return ended;
}

/** Writes all or nothing; reports why if it could not. */
export async function writeOutput(
  cli: Cli,
  { name, path, fresh }: Target,
  content: string | Uint8Array,
  options: Pick<WriteOptions, 'secret'> = {},
): Promise<ExitCode> {
  const written = await cli.host.writeFileAtomic(path, content, { ...options, fresh });
  return written.ok ? exitCodes.ok : unwritten(cli, name, written.error);
}

/**
 * Says why nothing is written there. A path that cannot be written is a usage error; a full disk is not.
 */
export function unwritten(cli: Cli, name: string, { kind, message }: FileProblem): ExitCode {
  const text = `'${name}' cannot be written: ${message}`;
  if (kind !== 'no-space') {
    say(cli, `pv: ${text}`);
    return exitCodes.usage;
  }
  sayProblem(cli, { code: 'PV-8047', check: 'file', message: `${text}; nothing was changed.` });
  return exitCodes.findings;
}
