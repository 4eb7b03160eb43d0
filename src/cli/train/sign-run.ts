/** `pv certificate sign DIR --key FILE`; `pv train --key` calls it at the end of a run. */
import { readCertificate } from '../../training/certificate/read-certificate.ts';
import { statementOf, statementType } from '../../training/certificate/statement.ts';
import { signEnvelope } from '../../notes/dsse.ts';
import { labelOf } from '../../notes/note.ts';
import type { Signer } from '../../notes/signer.ts';
import { listOf, visible } from '../../base/text.ts';
import { say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { sayProblem } from '../problem-text.ts';
import { inFolder, runFiles, sayFile } from './run-folder.ts';

/** Signs the certificate in a folder, or reports why it cannot. Never overwrites an existing envelope. */
export async function signRun(cli: Cli, folder: string, signers: readonly Signer[]): Promise<ExitCode> {
  const path = inFolder(folder, runFiles.certificate);
  const file = await cli.host.readBytes(path);
  if (!file.ok) {
    sayFile(cli, file.error);
    return exitCodes.usage;
  }
  const certificate = readCertificate(file.value);
  if (!certificate.ok) {
    sayProblem(cli, certificate.error, path);
    return exitCodes.findings;
  }
  const statement = statementOf(certificate.value, file.value, runFiles);
  const envelope = signEnvelope(statementType, statement, signers);
  if (!envelope.ok) {
    sayProblem(cli, envelope.error);
    return exitCodes.usage;
  }
  const target = inFolder(folder, runFiles.envelope);
  const written = await cli.host.writeFileAtomic(target, `${envelope.value}\n`, { fresh: true });
  if (!written.ok) {
    sayFile(cli, written.error);
    return exitCodes.usage;
  }
  say(cli, `${visible(target)} is signed by ${listOf(signers.map(({ key }) => visible(labelOf(key))))}`);
  return exitCodes.ok;
}
