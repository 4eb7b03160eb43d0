import type { FileProblem, WriteOptions } from '../../host/host.ts';
import { print, say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { sayProblem } from './problem-text.ts';

/** `--force`: a trace is evidence, and a key is lost for ever, so neither is written over unasked. */
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

/** Whether nothing stands at `path`, or may be written over; says so where not. What is read is never written over. */
export async function mayWrite(
  cli: Cli,
  path: string,
  force: boolean,
  inputs: readonly string[] = [],
): Promise<boolean> {
  const kind = await cli.host.kindOf(path);
  if (kind === 'missing') return true;
  if (kind === 'file' && force) return !(await isOneOf(cli, path, inputs));
  say(cli, kind === 'file' ? `pv: '${path}' exists; --force writes over it` : `pv: '${path}' is not a file`);
  return false;
}

async function isOneOf(cli: Cli, path: string, inputs: readonly string[]): Promise<boolean> {
  const place = await cli.host.realPath(path);
  for (const input of inputs) {
    const read = await cli.host.realPath(input);
    if (!place.ok || !read.ok || place.value !== read.value) continue;
    say(cli, `pv: '${path}' is what this command reads: write to another file`);
    return true;
  }
  return false;
}

/** What a command makes goes to `out`, or to standard output where there is none; what is no text needs a file. */
export async function deliver(cli: Cli, out: string | undefined, content: string | Uint8Array): Promise<ExitCode> {
  if (out === undefined) {
    if (typeof content !== 'string') {
      say(cli, 'pv: a proof of llama2-rs is no text: give --out');
      return exitCodes.usage;
    }
    print(cli, content);
    return exitCodes.ok;
  }
  const ended = await writeOutput(cli, out, content);
  if (ended === exitCodes.ok) say(cli, `wrote ${out}: ${content.length} bytes`);
  return ended;
}

/** Writes all or nothing; says why where it could not. */
export async function writeOutput(
  cli: Cli,
  path: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): Promise<ExitCode> {
  const written = await cli.host.writeFileAtomic(path, content, options);
  return written.ok ? exitCodes.ok : unwritten(cli, path, written.error);
}

/** Says why nothing is at `path`. A path that cannot be written is a mistake of usage; a disk that is full is none. */
export function unwritten(cli: Cli, path: string, { kind, message }: FileProblem): ExitCode {
  const text = `'${path}' cannot be written: ${message}`;
  if (kind !== 'no-space') {
    say(cli, `pv: ${text}`);
    return exitCodes.usage;
  }
  sayProblem(cli, { code: 'PV-8047', check: 'file', message: `${text}; nothing was changed.` });
  return exitCodes.findings;
}
