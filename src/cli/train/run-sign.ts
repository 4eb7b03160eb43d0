/** `pv certificate sign DIR`: a statement in an envelope, a bundle for OpenSSF Model Signing, or both. */
import { visible } from '../../base/text.ts';
import { readCertificate } from '../../training/certificate/read-certificate.ts';
import { checkWeights } from '../../training/verify/check-weights.ts';
import { say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { sayProblem } from '../problem-text.ts';
import { readTextOf } from '../trace/input.ts';
import { readSigners } from '../trace/signing.ts';
import { readModelKey, signModel, type ModelKey } from './model-signature.ts';
import { inFolder, maxRunBytes, runFiles, sayFile, writeRunFile } from './run-folder.ts';
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
  const signed = signers.length === 0 ? exitCodes.ok : await signRun(cli, folder, signers);
  return signed === exitCodes.ok && pem !== null ? writeModelSignature(cli, folder, pem) : signed;
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

/** Signs only a certificate and weights that belong together. Never overwrites an existing bundle. */
async function writeModelSignature(cli: Cli, folder: string, key: ModelKey): Promise<ExitCode> {
  const file = await cli.host.readBytes(inFolder(folder, runFiles.certificate));
  const weights = await cli.host.readBytes(inFolder(folder, runFiles.weights), { maxBytes: maxRunBytes });
  for (const read of [file, weights]) if (!read.ok) sayFile(cli, read.error);
  if (!file.ok || !weights.ok) return exitCodes.usage;
  const certificate = readCertificate(file.value);
  const checked = certificate.ok ? checkWeights(certificate.value, weights.value) : certificate;
  if (!checked.ok) {
    sayProblem(cli, checked.error, folder);
    return exitCodes.findings;
  }
  const bundle = signModel(key, file.value, weights.value);
  const written = await writeRunFile(cli, folder, runFiles.modelSignature, `${bundle}\n`);
  if (!written.ok) {
    sayFile(cli, written.error);
    return exitCodes.usage;
  }
  say(cli, `${visible(inFolder(folder, runFiles.modelSignature))} is signed by the key with SHA-256 ${key.hint}`);
  return exitCodes.ok;
}
