import { bytesToHex } from '@noble/hashes/utils.js';
import { parseVerifierKey } from '../../notes/key.ts';
import type { Anchor } from '../../trace/verify/anchor.ts';
import { parseHash, readAnchor as anchorOf } from '../../trace/verify/given-anchor.ts';
import type { Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { integerBetween } from '../number-parsers.ts';
import { readTextOf } from './input.ts';
import { sayProblem } from '../problem-text.ts';

/** What a verifier brings along: without any of it, only the file itself vouches for its root. */
export type AnchorFlags = {
  readonly root?: Uint8Array;
  readonly size?: number;
  readonly checkpoint?: string;
  readonly key?: readonly string[];
  readonly threshold?: number;
  readonly origin?: string;
};

/** Of `verify` and `check`. */
export const anchorFlags = {
  root: {
    kind: 'parsed',
    parse: parseRoot,
    placeholder: 'hash',
    brief: 'The root that you know from elsewhere, in hexadecimal',
    optional: true,
  },
  size: {
    kind: 'parsed',
    parse: integerBetween(1),
    placeholder: 'leaves',
    brief: 'With --root: how many leaves the tree has, the manifest among them',
    optional: true,
  },
  checkpoint: {
    kind: 'parsed',
    parse: String,
    placeholder: 'file',
    brief: 'A checkpoint that you know from elsewhere; signed, where --key is given',
    optional: true,
  },
  key: {
    kind: 'parsed',
    variadic: true,
    parse: String,
    placeholder: 'file',
    brief: 'Whom you trust: a .pub file, or the key itself; may be given several times',
    optional: true,
  },
  threshold: {
    kind: 'parsed',
    parse: integerBetween(1),
    placeholder: 'k',
    brief: 'How many of the keys must have signed; all of them when absent',
    optional: true,
  },
  origin: {
    kind: 'parsed',
    parse: String,
    placeholder: 'name',
    brief: 'The origin that the checkpoint must name',
    optional: true,
  },
} as const;

/** 64 hexadecimal digits, with or without `sha256:`. */
export function parseRoot(text: string): Uint8Array {
  const hash = parseHash(text);
  if (hash === null) throw new RangeError(`'${text}' is not a hash of 64 hexadecimal digits`);
  return hash;
}

/** The anchor that the flags describe, or the exit code after saying what is wrong with them or with their files. */
export async function readAnchor(cli: Cli, flags: AnchorFlags): Promise<Anchor | ExitCode> {
  const { root, size, key: names = [], threshold, origin } = flags;
  const checkpoint = flags.checkpoint === undefined ? null : await readTextOf(cli, flags.checkpoint, 'checkpoint');
  if (typeof checkpoint === 'number') return checkpoint;
  const keys: string[] = [];
  for (const name of names) {
    const text = isKey(name) ? name : await readTextOf(cli, name, 'verifier key');
    // A key is a flag like any other: nothing has been checked yet.
    if (typeof text === 'number') return exitCodes.usage;
    keys.push(text);
  }
  const given = { checkpoint, keys, size: size ?? null, threshold: threshold ?? null, origin: origin ?? null };
  const anchor = anchorOf({ ...given, root: root === undefined ? null : bytesToHex(root) });
  if (anchor.ok) return anchor.value;
  const malformed = keys.findIndex((key) => !parseVerifierKey(key).ok);
  sayProblem(cli, anchor.error, names[malformed] ?? null);
  return exitCodes.usage;
}

/** The key itself, in the place of its file. */
export const isKey = (name: string): boolean => /^[^+\s]+\+[0-9a-f]{8}\+/i.test(name);
