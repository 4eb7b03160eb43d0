/** `pv certificate import FOLDER`: a ledger and a certificate from the step records of another trainer. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { FileKind } from '../../contract/yaml/hygiene.ts';
import { importRun } from '../../training/records/import-run.ts';
import { readInvariants } from '../../training/records/invariants-file.ts';
import { print, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { sayProblem } from '../problem-text.ts';
import { readSigners } from '../trace/signing.ts';
import { readSettings } from './read-run-file.ts';
import { beginRun, endRun, inFolder, maxRunBytes, runFiles, sayFile } from './run-folder.ts';
import { signRun } from './sign-run.ts';
import { importText } from './summary.ts';

/** Flags of `pv certificate import`. */
export type ImportFlags = Readonly<{
  invariants: string;
  out: string;
  key?: readonly string[];
}>;

const invariantsFile: FileKind = {
  name: 'an invariants file',
  start: 'Start with `format: pv-training-invariants/1`.',
};

/** The file that trainers write, next to the final weights. */
const recordsFile = 'steps.jsonl';

/** Exits with 1 if there can be no certificate, and with 2 if a file cannot be read or written. */
export async function runImport(
  cli: Cli,
  { invariants, out, key = [] }: ImportFlags,
  folder: string,
): Promise<ExitCode> {
  const judgement = await readSettings(cli, invariants, invariantsFile, async (document) => readInvariants(document));
  const signers = await readSigners(cli, key);
  if (judgement === null || typeof signers === 'number') return exitCodes.usage;
  const path = inFolder(folder, recordsFile);
  const records = await cli.host.readBytes(path, { maxBytes: maxRunBytes });
  const weights = await cli.host.readBytes(inFolder(folder, runFiles.weights), { maxBytes: maxRunBytes });
  for (const read of [records, weights]) if (!read.ok) sayFile(cli, read.error);
  if (!records.ok || !weights.ok) return exitCodes.usage;
  const imported = importRun({ records: records.value, weights: weights.value, ...judgement });
  if (!imported.ok) {
    sayProblem(cli, imported.error, folder);
    return exitCodes.findings;
  }
  const { certificate, ledger } = imported.value;
  const file = await beginRun(cli, out);
  if (file === null) return exitCodes.usage;
  const written = [
    ...ledger.map((line) => file.append(utf8ToBytes(line))),
    await file.close(),
    await endRun(cli, out, weights.value, certificate),
  ].find((result) => !result.ok);
  if (written !== undefined && !written.ok) {
    sayFile(cli, written.error);
    return exitCodes.usage;
  }
  print(cli, importText(certificate, out));
  return signers.length === 0 ? exitCodes.ok : signRun(cli, out, signers);
}
