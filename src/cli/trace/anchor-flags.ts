import type { Cli } from '../cli.ts';
import { say } from '../cli.ts';
import { integerBetween } from '../number-parsers.ts';
import { parseVerifierKey, type VerifierKey } from '../../trace/notes/key.ts';
import { checkPolicy, type SignaturePolicy } from '../../trace/notes/open.ts';
import type { Anchor } from '../../trace/verify/anchor.ts';
import { parseHash } from '../../trace/verify/given-anchor.ts';
import { readInputText } from './input.ts';
import { sayProblem } from './problem-text.ts';

/** What a verifier brings along: without any of it a root is the word of the file that declares it. */
export type AnchorFlags = {
  readonly root?: Uint8Array;
  readonly size?: number;
  readonly checkpoint?: string;
  readonly key?: readonly string[];
  readonly threshold?: number;
  readonly origin?: string;
};

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
    brief: 'Beside --root: how many leaves the tree has, the manifest among them',
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

/** The anchor that the flags describe, or null after saying what is wrong with them. */
export async function readAnchor(cli: Cli, flags: AnchorFlags): Promise<Anchor | null> {
  const { root, size, key = [], threshold, origin } = flags;
  if (size !== undefined && root === undefined) return refuse(cli, '--size says nothing without --root');
  if (threshold !== undefined && key.length === 0)
    return refuse(cli, '--threshold counts signatures of --key: give some');
  const checkpoint = flags.checkpoint === undefined ? undefined : await readInputText(cli, flags.checkpoint);
  if (checkpoint === null) return null;
  if (key.length === 0) return { root, size, checkpoint, origin };
  const policy = await readPolicy(cli, key, threshold);
  return policy === null ? null : { root, size, checkpoint, origin, policy };
}

async function readPolicy(
  cli: Cli,
  names: readonly string[],
  threshold: number | undefined,
): Promise<SignaturePolicy | null> {
  const keys: VerifierKey[] = [];
  for (const name of names) {
    const text = name.includes('+') ? name : await readInputText(cli, name);
    if (text === null) return null;
    const key = parseVerifierKey(text);
    if (!key.ok) {
      sayProblem(cli, key.error, name);
      return null;
    }
    keys.push(key.value);
  }
  const policy = { keys, threshold: threshold ?? new Set(keys.map((key) => key.publicKey.join())).size };
  const sound = checkPolicy(policy);
  if (sound.ok) return policy;
  sayProblem(cli, sound.error);
  return null;
}

function refuse(cli: Cli, message: string): null {
  say(cli, `pv: ${message}`);
  return null;
}
