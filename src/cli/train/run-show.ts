/** `pv train show DIR`: what a run's ledger says, whether or not the run finished. */
import { print, say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { readRunLedger } from './read-run.ts';
import { inFolder, runFiles } from './run-folder.ts';
import { showText } from './show-text.ts';

/** Exits with 1 if the ledger is damaged, and with 2 if it is missing. */
export async function runShow(cli: Cli, folder: string | undefined): Promise<ExitCode> {
  if (folder === undefined) {
    say(cli, 'pv: no run to show: pass its folder, as in pv train show run/');
    return exitCodes.usage;
  }
  const ledger = await readRunLedger(cli, folder);
  if (typeof ledger === 'number') return ledger;
  const sealed = (await cli.host.kindOf(inFolder(folder, runFiles.certificate))) === 'file';
  print(cli, showText(folder, ledger, sealed));
  return exitCodes.ok;
}
