/** `pv checkpoint seal`. */
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { count, listOf, visible } from '../../base/text.ts';
import { sealCheckpoint } from '../../checkpoint/seal/seal.ts';
import { print, type Cli } from '../cli.ts';
import { problemText, sayProblem } from '../problem-text.ts';
import { lackText } from './lack-text.ts';
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
  const { manifest, files, structure, signedBy } = sealed.value;
  const by = signedBy.length === 0 ? 'not signed' : `signed by ${listOf(signedBy.map(visible))}`;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const { problems } = structure;
  const head = problems.length > 0 ? 'SEALED, ALTHOUGH SOMETHING IS WRONG' : 'SEALED';
  const lacks = lackText(structure.lacks);
  const first = `${head}: ${visible(path)}: ${lacks}${count(files.length, 'file')}, ${sizeText(bytes)}; manifest ${visible(manifest)}, ${by}`;
  print(cli, `${[first, ...problems.map((problem) => problemText(problem, null, null))].join('\n')}\n`);
  return problems.length > 0 ? exitCodes.findings : exitCodes.ok;
}
