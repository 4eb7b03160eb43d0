/** `pv checkpoint seal`. */
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { count, listOf, visible } from '../../base/text.ts';
import { sealCheckpoint } from '../../checkpoint/seal/seal.ts';
import { print, type Cli } from '../cli.ts';
import { sayProblem } from '../problem-text.ts';
import { readSigners } from '../trace/signing.ts';
import { isThere } from './open-at.ts';
import { sizeText } from './size-text.ts';

export type SealFlags = { readonly force: boolean; readonly key?: readonly string[] };

export async function runSeal(cli: Cli, { force, key = [] }: SealFlags, path: string): Promise<ExitCode> {
  if (!(await isThere(cli, path))) return exitCodes.usage;
  const signers = await readSigners(cli, key);
  if (typeof signers === 'number') return signers;
  const sealed = await sealCheckpoint(cli.host, path, { force, signers });
  if (!sealed.ok) {
    sayProblem(cli, sealed.error, path);
    return exitCodes.findings;
  }
  const { manifest, files, signedBy } = sealed.value;
  const by = signedBy.length === 0 ? 'not signed' : `signed by ${listOf(signedBy.map(visible))}`;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  print(
    cli,
    `SEALED: ${visible(path)}: ${count(files.length, 'file')}, ${sizeText(bytes)}; manifest ${visible(manifest)}, ${by}\n`,
  );
  return exitCodes.ok;
}
