/** Reads the ledger of a run in a folder, whole or compacted. */
import { decodeUtf8 } from '../../base/utf8.ts';
import { readCompacted, type CompactedLedger } from '../../training/ledger/compact.ts';
import { readLedger, type LedgerFile } from '../../training/ledger/read-ledger.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import type { Cli } from '../cli.ts';
import { sayProblem } from '../problem-text.ts';
import { inFolder, maxRunBytes, runFiles, sayFile } from './run-folder.ts';

/** The ledger, or the exit code after reporting why there is none. A line that a crash cut short is not read. */
async function readRunLedger(cli: Cli, folder: string): Promise<LedgerFile | ExitCode> {
  const path = inFolder(folder, runFiles.ledger);
  const bytes = await cli.host.readBytes(path, { maxBytes: maxRunBytes });
  if (!bytes.ok) {
    sayFile(cli, bytes.error);
    return exitCodes.usage;
  }
  // A line that was cut short may end in the middle of a character.
  const whole = bytes.value.subarray(0, bytes.value.lastIndexOf(0x0a) + 1);
  const text = decodeUtf8(whole);
  const ledger = text === null ? null : readLedger(text);
  if (ledger === null || !ledger.ok) {
    sayProblem(cli, ledger?.error ?? { code: 'PV-8409', check: 'ledger', message: 'The ledger is not UTF-8.' }, path);
    return exitCodes.findings;
  }
  return { ...ledger.value, torn: bytes.value.length - whole.length };
}

/** The ledger, or the compacted one if only that is left. */
export async function readAnyLedger(cli: Cli, folder: string): Promise<LedgerFile | CompactedLedger | ExitCode> {
  const path = inFolder(folder, runFiles.compacted);
  const isThere = async (name: string): Promise<boolean> => (await cli.host.kindOf(inFolder(folder, name))) === 'file';
  if ((await isThere(runFiles.ledger)) || !(await isThere(runFiles.compacted))) return readRunLedger(cli, folder);
  const bytes = await cli.host.readBytes(path, { maxBytes: maxRunBytes });
  if (!bytes.ok) {
    sayFile(cli, bytes.error);
    return exitCodes.usage;
  }
  const compacted = readCompacted(decodeUtf8(bytes.value) ?? '');
  if (compacted.ok) return compacted.value;
  sayProblem(cli, compacted.error, path);
  return exitCodes.findings;
}
