/** `pv train show DIR`: what a run's ledger says, whether or not the run finished. */
import { count, visible } from '../../base/text.ts';
import type { LedgerFile } from '../../training/ledger/read-ledger.ts';
import { verifyCertificate, type CertificateVerdict } from '../../training/verify/verify.ts';
import { print, say, type Cli } from '../cli.ts';
import { writePage } from '../html/write-page.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { readAnyLedger } from './read-run.ts';
import { inFolder, maxRunBytes, runFiles } from './run-folder.ts';
import { showPage } from './show-page.ts';
import { showText } from './show-text.ts';
import { readTiming } from './timing.ts';

/** Exits with 1 if the ledger is damaged or the certificate does not verify, and with 2 if a file is missing or unwritable. */
export async function runShow(cli: Cli, folder: string | undefined, page: string | undefined): Promise<ExitCode> {
  if (folder === undefined) {
    say(cli, 'pv: no run to show: pass its folder, as in pv train show run/');
    return exitCodes.usage;
  }
  const ledger = await readAnyLedger(cli, folder);
  if (typeof ledger === 'number') return ledger;
  if ('kept' in ledger) {
    say(
      cli,
      `pv: ${visible(folder)}: the ledger was compacted, and only ${count(ledger.kept.length, 'line')} of ${ledger.leaves} are left: pv certificate verify ${visible(folder)} --level full replays the run`,
    );
    return exitCodes.usage;
  }
  if (page !== undefined) return showOnPage(cli, folder, ledger, page);
  const sealed = (await cli.host.kindOf(inFolder(folder, runFiles.certificate))) === 'file';
  print(cli, showText(folder, ledger, sealed));
  return exitCodes.ok;
}

async function showOnPage(cli: Cli, folder: string, ledger: LedgerFile, page: string): Promise<ExitCode> {
  const verdict = await verdictOn(cli, folder, ledger);
  const text = showPage({ folder, ledger, verdict, timing: await readTiming(cli, folder) });
  if (!(await writePage(cli, page, text))) return exitCodes.usage;
  say(cli, `${visible(page)} shows ${visible(folder)}`);
  return verdict === null || verdict.problem === null ? exitCodes.ok : exitCodes.findings;
}

/** The verdict at level `ledger`; null if the run has no certificate or no weights. */
async function verdictOn(cli: Cli, folder: string, ledger: LedgerFile): Promise<CertificateVerdict | null> {
  const read = async (name: string): Promise<Uint8Array | null> => {
    const bytes = await cli.host.readBytes(inFolder(folder, name), { maxBytes: maxRunBytes });
    return bytes.ok ? bytes.value : null;
  };
  const [certificate, weights] = [await read(runFiles.certificate), await read(runFiles.weights)];
  if (certificate === null || weights === null || ledger.torn > 0) return null;
  const files = {
    certificate,
    weights,
    envelope: null,
    ledger: await read(runFiles.ledger),
    compacted: null,
    text: async () => null,
    checkpoint: () => Promise.resolve(null),
  };
  return verifyCertificate(files, { level: 'ledger', keys: [], names: runFiles, segments: 1, pick: () => 0 });
}
