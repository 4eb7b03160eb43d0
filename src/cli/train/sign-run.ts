/** `pv certificate sign DIR`; `pv train --key` and `pv certificate import --key` call it at the end of a run. */
import { readCertificate } from '../../training/certificate/read-certificate.ts';
import { statementOf, statementType } from '../../training/certificate/statement.ts';
import type { TrainingCertificate } from '../../training/certificate/certificate.ts';
import { checkWeights } from '../../training/verify/check-weights.ts';
import { signEnvelope } from '../../notes/dsse.ts';
import { labelOf } from '../../notes/note.ts';
import type { Signer } from '../../notes/signer.ts';
import { listOf, visible } from '../../base/text.ts';
import { say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { sayProblem } from '../problem-text.ts';
import { standsThere } from '../../host/file-problem.ts';
import { isLink, signModel, type ModelKey } from './model-signature.ts';
import { inFolder, maxRunBytes, runFiles, sayFile, writeRunFile } from './run-folder.ts';

/** A certificate and weights that belong together. */
interface Certified {
  readonly certificate: TrainingCertificate;
  readonly file: Uint8Array;
  readonly weights: Uint8Array;
}

/** A file with signatures, which is not written yet. */
interface Signature {
  readonly name: string;
  readonly text: string;
  readonly by: string;
}

/**
 * Signs the certificate in a folder, or reports why it cannot: writes nothing before everything has been checked and signed, and
 * never overwrites a signature. With a model key, also writes model.sig.
 */
export async function signRun(
  cli: Cli,
  folder: string,
  signers: readonly Signer[],
  model: ModelKey | null = null,
): Promise<ExitCode> {
  const certified = await readCertified(cli, folder, model !== null);
  if (typeof certified === 'number') return certified;
  const { certificate, file, weights } = certified;
  const signatures: Signature[] = [];
  if (signers.length > 0) {
    const envelope = signEnvelope(statementType, statementOf(certificate, file, runFiles), signers);
    if (!envelope.ok) {
      sayProblem(cli, envelope.error);
      return exitCodes.usage;
    }
    const by = listOf(signers.map(({ key }) => visible(labelOf(key))));
    signatures.push({ name: runFiles.envelope, text: envelope.value, by });
  }
  if (model !== null) {
    const text = signModel(model, file, weights);
    signatures.push({ name: runFiles.modelSignature, text, by: `the key with SHA-256 ${model.hint}` });
  }
  return writeSignatures(cli, folder, signatures);
}

/** The exit code after reporting files that cannot be read, do not belong together or, `forModel`, are links. */
async function readCertified(cli: Cli, folder: string, forModel: boolean): Promise<Certified | ExitCode> {
  const file = await cli.host.readBytes(inFolder(folder, runFiles.certificate));
  const weights = await cli.host.readBytes(inFolder(folder, runFiles.weights), { maxBytes: maxRunBytes });
  for (const read of [file, weights]) if (!read.ok) sayFile(cli, read.error);
  if (!file.ok || !weights.ok) return exitCodes.usage;
  const certificate = readCertificate(file.value);
  const checked = certificate.ok ? checkWeights(certificate.value, weights.value) : certificate;
  const link = forModel ? await linkIn(cli, folder) : null;
  if (certificate.ok && checked.ok && link === null)
    return { certificate: certificate.value, file: file.value, weights: weights.value };
  const refused = link === null ? checked : isLink(link);
  if (!refused.ok) sayProblem(cli, refused.error, folder);
  return exitCodes.findings;
}

/** The name of a file to be signed that is a link; null if none is. */
async function linkIn(cli: Cli, folder: string): Promise<string | null> {
  const entries = await cli.host.list(folder);
  const signed: readonly string[] = [runFiles.certificate, runFiles.weights];
  const link = entries.ok ? entries.value.find(({ name, kind }) => kind === 'link' && signed.includes(name)) : null;
  return link?.name ?? null;
}

async function writeSignatures(cli: Cli, folder: string, signatures: readonly Signature[]): Promise<ExitCode> {
  for (const { name } of signatures)
    if ((await cli.host.kindOf(inFolder(folder, name))) !== 'missing') {
      sayFile(cli, standsThere(inFolder(folder, name)));
      return exitCodes.usage;
    }
  for (const { name, text, by } of signatures) {
    const written = await writeRunFile(cli, folder, name, `${text}\n`);
    if (!written.ok) {
      sayFile(cli, written.error);
      return exitCodes.usage;
    }
    say(cli, `${visible(inFolder(folder, name))} is signed by ${by}`);
  }
  return exitCodes.ok;
}
