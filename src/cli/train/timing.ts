/** timing.json: where the time of a run went. It is separate from the ledger, since no time can be replayed; nothing seals it. */
import { decodeJson, finite, oneOf, record, type Decoder } from '../../evidence/decoder.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { TrainingTimes } from '../../training/run/train.ts';
import type { Cli } from '../cli.ts';
import { inFolder, runFiles } from './run-folder.ts';

/** Its content. */
export interface TimingFile {
  readonly format: 'pv-training-timing/1';
  readonly sealed: 'no';
  /** Wall-clock time. */
  readonly seconds: TrainingTimes;
}

const decoder: Decoder<TimingFile> = record<TimingFile>({
  format: oneOf('pv-training-timing/1'),
  sealed: oneOf('no'),
  seconds: record<TrainingTimes>({
    loss_and_gradients: finite,
    checks_update_and_ledger: finite,
    checkpoints: finite,
    everything_else: finite,
  }),
});

/** The text of the file. */
export const timingText = (seconds: TrainingTimes): string =>
  `${JSON.stringify({ format: 'pv-training-timing/1', sealed: 'no', seconds } satisfies TimingFile, null, 2)}\n`;

/** The times of a run; null without a well-formed file. */
export async function readTiming(cli: Cli, folder: string): Promise<TimingFile | null> {
  const file = await cli.host.readBytes(inFolder(folder, runFiles.timing));
  const decoded = file.ok ? decodeJson(decodeUtf8(file.value) ?? '', decoder) : file;
  if (!decoded.ok) return null;
  return Object.values(decoded.value.seconds).every((one) => one >= 0) ? decoded.value : null;
}
