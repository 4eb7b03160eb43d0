/** The last head of each origin that a key has cosigned: the next one must continue it. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { visible } from '../../base/text.ts';
import { count, list, matching, oneOf, record, text } from '../../evidence/decoder.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import type { Checkpoint } from '../../notes/checkpoint.ts';
import type { Problem } from '../../base/problem.ts';
import { say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { valueOrSaid } from './input.ts';
import { underLocks } from './lock.ts';
import { writeOutput } from './output-file.ts';
import { sayProblem } from '../problem-text.ts';

/** A tree as it was signed. */
export interface SignedHead {
  readonly origin: string;
  readonly size: number;
  /** In hexadecimal. */
  readonly root: string;
}

/** What one key has signed, and the file that records it. */
export interface SignedHeads {
  readonly path: string;
  readonly heads: readonly SignedHead[];
}

/** The head of a checkpoint. */
export const headOf = ({ origin, size, root }: Checkpoint): SignedHead => ({ origin, size, root: bytesToHex(root) });

const format = 'pv-signed-heads/1';
const digits = matching(/^[0-9a-f]{64}$/, '32 bytes in lower-case hexadecimal');
const decode = record<{ readonly format: typeof format; readonly heads: readonly SignedHead[] }>({
  format: oneOf(format),
  heads: list(record<SignedHead>({ origin: text, size: count, root: digits })),
});

/**
 * What the keys have signed, from the files next to them (`bob.key.heads`), or the exit code after reporting why one cannot
 * be read. A key that is not a file, such as a pipe, has no such file, and nothing is stored for it.
 */
async function readSignedHeads(cli: Cli, keys: readonly string[]): Promise<readonly SignedHeads[] | ExitCode> {
  const found: SignedHeads[] = [];
  for (const key of keys) {
    const path = await headsPath(cli, key);
    if (typeof path === 'number') return path;
    if (path === null) continue;
    const heads = await readHeads(cli, path);
    if (heads === null) return exitCodes.findings;
    found.push({ path, heads });
  }
  return found;
}

/** Null for a key that is not a file. */
async function headsPath(cli: Cli, key: string): Promise<string | null | ExitCode> {
  if ((await cli.host.kindOf(key)) !== 'file') return null;
  const place = await valueOrSaid(cli, cli.host.realPath(key));
  return place === null ? exitCodes.usage : `${place}.heads`;
}

/** Signs while holding the keys' history, and while no other process does: two processes could find the same last head. */
export async function withSignedHeads(
  cli: Cli,
  keys: readonly string[],
  work: (known: readonly SignedHeads[]) => Promise<ExitCode>,
): Promise<ExitCode> {
  const paths = new Set<string>();
  for (const key of keys) {
    const path = await headsPath(cli, key);
    if (typeof path === 'number') return path;
    if (path !== null) paths.add(path);
  }
  const locks = [...paths].map((path) => `${path}.lock`);
  return underLocks(cli, locks, async () => {
    const known = await readSignedHeads(cli, keys);
    return typeof known === 'number' ? known : work(known);
  });
}

async function readHeads(cli: Cli, path: string): Promise<readonly SignedHead[] | null> {
  const damaged = (message: string): null => {
    const problem: Problem = { code: 'PV-8096', check: 'signed heads', message };
    sayProblem(cli, problem, path);
    return null;
  };
  if ((await cli.host.kindOf(path)) === 'missing') return [];
  const place = await cli.host.realPath(path);
  // Writing to a link would overwrite its target.
  if (!place.ok || place.value !== path) return damaged('The file with the heads that this key has signed is a link.');
  const bytes = await cli.host.readText(path);
  if (!bytes.ok) return damaged(`The heads that this key has signed cannot be read: ${bytes.error.message}.`);
  const json = parseStrictJson(bytes.value, 'file');
  const read = json.ok ? decode(json.value, 'file') : json;
  return read.ok ? read.value.heads : damaged(`The heads that this key has signed cannot be read. ${read.error}.`);
}

/** Stores `head` as the last of its origin before the signature is written, so that a crash loses none. */
export async function keepSignedHead(cli: Cli, known: readonly SignedHeads[], head: SignedHead): Promise<ExitCode> {
  for (const { path, heads } of known) {
    const others = heads.filter(({ origin }) => origin !== head.origin);
    const content = `${JSON.stringify({ format, heads: [...others, head] }, null, 2)}\n`;
    const ended = await writeOutput(cli, { name: visible(path), path, fresh: false }, content);
    if (ended === exitCodes.ok) continue;
    say(cli, 'pv: nothing was signed, since the signed head could not be stored');
    return ended;
  }
  return exitCodes.ok;
}
