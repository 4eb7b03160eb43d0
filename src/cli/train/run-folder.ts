/** The files of a training run, in one folder. */
import { ok, type Result } from '../../base/result.ts';
import { listOf } from '../../base/text.ts';
import type { TrainingCertificate } from '../../training/certificate/certificate.ts';
import { certificateFile } from '../../training/certificate/files.ts';
import type { FileProblem, FileWriter } from '../../host/host.ts';
import { say, type Cli } from '../cli.ts';

/** Their names. */
export const runFiles = {
  certificate: 'certificate.json',
  weights: 'weights.safetensors',
  ledger: 'ledger.jsonl',
  /** The ledger after `pv certificate compact`. */
  compacted: 'ledger.compacted.json',
  /** Where time went; not sealed. */
  timing: 'timing.json',
  /** The signed statement, which is optional. */
  envelope: 'training.intoto.json',
  /** An OpenSSF Model Signing bundle, which is optional. */
  modelSignature: 'model.sig',
  /** A copy of the text that the run trains on, if it trains on one. */
  text: 'data.txt',
  /** Checkpoints that the run can be resumed from; not sealed. */
  resume: 'resume',
  checkpoint: (step: number): string => `checkpoints/step-${step}.safetensors`,
} as const;

/** Enough for the weights and ledger of a large run; the most that one byte array holds. */
export const maxRunBytes = 2 * 1024 ** 3;

/** A file of the folder. */
export const inFolder = (folder: string, name: string): string => `${folder.replace(/\/+$/, '')}/${name}`;

/** Begins the ledger of a new run; null after reporting that the folder is not empty or cannot be written. */
export async function beginRun(cli: Cli, folder: string): Promise<FileWriter | null> {
  const kind = await cli.host.kindOf(folder);
  if (kind !== 'missing') {
    const entries = kind === 'directory' ? await cli.host.list(folder) : null;
    if (entries === null || !entries.ok) return refuse(cli, folder, 'is not a folder');
    if (entries.value.length > 0) {
      const names = listOf(
        entries.value.map(({ name }) => name),
        3,
      );
      return refuse(cli, folder, `already contains ${names}: choose a new or empty folder`);
    }
  }
  const ledger = await cli.host.createFile(inFolder(folder, runFiles.ledger), { fresh: true });
  if (ledger.ok) return ledger.value;
  sayFile(cli, ledger.error);
  return null;
}

/** Writes a file of the folder, unless it exists. */
export const writeRunFile = (
  cli: Cli,
  folder: string,
  name: string,
  content: string | Uint8Array,
): Promise<Result<void, FileProblem>> => cli.host.writeFileAtomic(inFolder(folder, name), content, { fresh: true });

/** Writes the files of a run that has ended, after its ledger. */
export async function endRun(
  cli: Cli,
  folder: string,
  weights: Uint8Array,
  certificate: TrainingCertificate,
): Promise<Result<null, FileProblem>> {
  const files = [
    [runFiles.weights, weights],
    [runFiles.certificate, certificateFile(certificate)],
  ] as const;
  for (const [name, bytes] of files) {
    const written = await writeRunFile(cli, folder, name, bytes);
    if (!written.ok) return written;
  }
  return ok(null);
}

/** Reports an unusable file. */
export function sayFile(cli: Cli, { path, message }: FileProblem): void {
  say(cli, `pv: ${path}: ${message}`);
}

function refuse(cli: Cli, path: string, why: string): null {
  say(cli, `pv: ${path} ${why}`);
  return null;
}
