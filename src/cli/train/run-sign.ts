/** `pv certificate sign DIR`: a statement in an envelope, a bundle for OpenSSF Model Signing, or both. */
import { visible } from '../../base/text.ts';
import { say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { sayProblem } from '../problem-text.ts';
import { readTextOf } from '../trace/input.ts';
import { readSigners } from '../trace/signing.ts';
import { readModelKey, type ModelKey } from './model-signature.ts';
import { signRun } from './sign-run.ts';

/** Flags of `pv certificate sign`. */
export type SignFlags = Readonly<{ key?: readonly string[]; modelKey?: string }>;

/** Exits with 1 if the files do not match, and with 2 if a key or a file cannot be used. */
export async function runSign(cli: Cli, { key = [], modelKey }: SignFlags, folder: string): Promise<ExitCode> {
  if (key.length === 0 && modelKey === undefined) {
    say(cli, `pv: no key: pass --key or --model-key, as in pv certificate sign ${visible(folder)} --key alice.key`);
    return exitCodes.usage;
  }
  const signers = await readSigners(cli, key);
  if (typeof signers === 'number') return signers;
  const pem = modelKey === undefined ? null : await modelKeyOf(cli, modelKey, 'private');
  if (typeof pem === 'number') return pem;
  return signRun(cli, folder, signers, pem);
}

/** The key in a PEM file, or the exit code after reporting why it cannot be used. No message shows a secret. */
export async function modelKeyOf(cli: Cli, path: string, kind: 'private' | 'public'): Promise<ModelKey | ExitCode> {
  const text = await readTextOf(cli, path, kind === 'private' ? 'signer key' : 'verifier key');
  if (typeof text === 'number') return exitCodes.usage;
  const key = readModelKey(text, kind);
  if (key.ok) return key.value;
  sayProblem(cli, key.error, path);
  return exitCodes.usage;
}
