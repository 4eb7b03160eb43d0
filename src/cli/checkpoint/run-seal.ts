/** `pv checkpoint seal`. */
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { count, visible } from '../../base/text.ts';
import { sealCheckpoint } from '../../checkpoint/seal/seal.ts';
import { print, type Cli } from '../cli.ts';
import { sayProblem } from '../problem-text.ts';
import { isThere } from './open-at.ts';
import { sizeText } from './size-text.ts';

export type SealFlags = { readonly force: boolean };

export async function runSeal(cli: Cli, { force }: SealFlags, path: string): Promise<ExitCode> {
  if (!(await isThere(cli, path))) return exitCodes.usage;
  const sealed = await sealCheckpoint(cli.host, path, force);
  if (!sealed.ok) {
    sayProblem(cli, sealed.error, path);
    return exitCodes.findings;
  }
  const { manifest, files } = sealed.value;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  print(
    cli,
    `SEALED: ${visible(path)}: ${count(files.length, 'file')}, ${sizeText(bytes)}; manifest ${visible(manifest)}\n`,
  );
  return exitCodes.ok;
}
