/** Compacts the ledger of a run to the important lines, with their proofs. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { count, visible } from '../../base/text.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { readCertificate } from '../../training/certificate/read-certificate.ts';
import { compactLedger } from '../../training/ledger/compact.ts';
import { readLedger } from '../../training/ledger/read-ledger.ts';
import { print, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { sayProblem } from '../problem-text.ts';
import { inFolder, maxRunBytes, runFiles, sayFile } from './run-folder.ts';

/** Exits with 1 if the ledger does not match the certificate, and with 2 if a file is missing or the result already exists. */
export async function runCompact(cli: Cli, folder: string): Promise<ExitCode> {
  const [ledgerPath, target] = [inFolder(folder, runFiles.ledger), inFolder(folder, runFiles.compacted)];
  const bytes = await cli.host.readBytes(ledgerPath, { maxBytes: maxRunBytes });
  const file = await cli.host.readBytes(inFolder(folder, runFiles.certificate));
  for (const read of [bytes, file]) if (!read.ok) sayFile(cli, read.error);
  if (!bytes.ok || !file.ok) return exitCodes.usage;
  const certificate = readCertificate(file.value);
  const ledger = readLedger(decodeUtf8(bytes.value) ?? '');
  for (const read of [certificate, ledger]) if (!read.ok) sayProblem(cli, read.error, folder);
  if (!certificate.ok || !ledger.ok) return exitCodes.findings;
  const { root, leaves } = certificate.value.ledger;
  if (root !== bytesToHex(ledger.value.root) || leaves !== ledger.value.lines.length) {
    sayProblem(
      cli,
      { code: 'PV-8410', check: 'ledger', message: 'The ledger does not match the certificate.' },
      folder,
    );
    return exitCodes.findings;
  }
  const compacted = compactLedger(
    ledger.value,
    certificate.value.checkpoints.map(({ step }) => step),
  );
  const text = JSON.stringify(compacted);
  const written = await cli.host.writeFileAtomic(target, text, { fresh: true });
  if (!written.ok) {
    sayFile(cli, written.error);
    return exitCodes.usage;
  }
  print(
    cli,
    `${visible(target)}: ${count(compacted.kept.length, 'line')} of ${leaves} kept, in ${text.length} bytes instead of ${bytes.value.length}\n`,
  );
  return exitCodes.ok;
}
