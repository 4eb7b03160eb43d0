/** `pv train show DIR`: what a run's ledger says, whether or not the run finished. */
import { decodeUtf8 } from '../../base/utf8.ts';
import { readLedger } from '../../training/ledger/read-ledger.ts';
import { print, say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { sayProblem } from '../problem-text.ts';
import { inFolder, runFiles, sayFile } from './run-folder.ts';
import { showText } from './show-text.ts';

const maxBytes = 2 * 1024 ** 3;

/** Exits with 1 if the ledger is damaged, and with 2 if it is missing. */
export async function runShow(cli: Cli, folder: string | undefined): Promise<ExitCode> {
  if (folder === undefined) {
    say(cli, 'pv: no run to show: pass its folder, as in pv train show run/');
    return exitCodes.usage;
  }
  const path = inFolder(folder, runFiles.ledger);
  const bytes = await cli.host.readBytes(path, { maxBytes });
  if (!bytes.ok) {
    sayFile(cli, bytes.error);
    return exitCodes.usage;
  }
  // A line that a crash cut short may end in the middle of a character.
  const whole = bytes.value.subarray(0, bytes.value.lastIndexOf(0x0a) + 1);
  const text = decodeUtf8(whole);
  const ledger = text === null ? null : readLedger(text);
  if (ledger === null || !ledger.ok) {
    sayProblem(cli, ledger?.error ?? { code: 'PV-8409', check: 'ledger', message: 'The ledger is not UTF-8.' }, path);
    return exitCodes.findings;
  }
  const sealed = (await cli.host.kindOf(inFolder(folder, runFiles.certificate))) === 'file';
  print(cli, showText(folder, { ...ledger.value, torn: bytes.value.length - whole.length }, sealed));
  return exitCodes.ok;
}
