/** What `record`, `sign` and `cosign` share: the signers' keys, and the file that is written. */
import { parseSignerKey, type Signer } from '../../notes/signer.ts';
import { say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { readTextOf } from './input.ts';
import { printText, writeOutput, type Target } from './output-file.ts';
import { sayProblem } from '../problem-text.ts';

/** `--key` of those who sign. */
export const signerFlag = {
  kind: 'parsed',
  variadic: true,
  parse: String,
  placeholder: 'file',
  brief: 'A .key file of pv trace keygen; may be given several times',
} as const;

/** The signers of key files, or the exit code after saying what is wrong with one. No message shows a secret. */
export async function readSigners(cli: Cli, paths: readonly string[]): Promise<readonly Signer[] | ExitCode> {
  const signers: Signer[] = [];
  for (const path of paths) {
    const text = await readTextOf(cli, path, 'signer key');
    if (typeof text === 'number') return exitCodes.usage;
    const signer = parseSignerKey(text);
    if (!signer.ok) {
      sayProblem(cli, signer.error, path);
      return exitCodes.usage;
    }
    signers.push(signer.value);
  }
  return signers;
}

/** Prints a signed note and stores it in a file. */
export async function keepNote(cli: Cli, target: Target, note: string): Promise<ExitCode> {
  const ended = await writeOutput(cli, target, note);
  if (ended !== exitCodes.ok) return ended;
  printText(cli, note);
  say(cli, `wrote ${target.name}`);
  return exitCodes.ok;
}
