/** The batch of one update: per device, times micro-batches, times processes. Another one makes another step of the same rate. */
import { count } from '../../base/text.ts';
import type { Checkpoint, Setting } from '../checkpoint.ts';
import type { Probe } from '../probe/probe.ts';
import { notChecked, pass, warn, type Evidence } from './check.ts';
import { ofFirstRank } from './probe-check.ts';

const name = 'batch size';

interface Batch {
  readonly each: number;
  readonly accumulated: number;
  readonly processes: number;
}

export const batchSize = ofFirstRank(({ live, saved, checkpoint, evidence }) => {
  const now = probed(live);
  if (now === null) return notChecked(name, 'the probe has no batch_size: pass it to write_probe');
  const before = saved === null ? fromSettings(checkpoint, evidence) : probed(saved);
  if (before === null)
    return notChecked(
      name,
      'neither the settings of the checkpoint nor a probe of the save (pv_probe.json) say its batch size',
    );
  const details = {
    expected: textOf(before),
    actual: textOf(now),
    variance: `${((100 * Math.abs(total(now) - total(before))) / total(before)).toFixed(1)} %`,
  };
  if (total(now) !== total(before))
    return warn(name, {
      ...details,
      why: 'another number of samples per update: the noise of the gradient and the best learning rate change, and the position in the data no longer follows from the step',
      fix: 'Change the accumulation so that the product stays the same, or expect some hundred steps of adjustment.',
    });
  if (now.each !== before.each || now.accumulated !== before.accumulated)
    return warn(name, {
      ...details,
      why: 'the product is the same, but micro-batches are cut differently: batch statistics and the order of samples change',
      fix: 'Nothing, if that was meant.',
    });
  return pass(name, details);
});

const total = ({ each, accumulated, processes }: Batch): number => each * accumulated * processes;

const textOf = (batch: Batch): string =>
  `${batch.each} × ${batch.accumulated} micro-batches × ${count(batch.processes, 'process', 'processes')} = ${total(batch)}`;

const probed = ({ batch_size: each, accumulation, world_size: processes }: Probe): Batch | null =>
  typeof each === 'number' && each > 0 ? { each, accumulated: accumulation?.of ?? 1, processes } : null;

function fromSettings({ settings, files }: Checkpoint, { live }: Evidence): Batch | null {
  const number = (value: Setting | undefined): number | null => (typeof value === 'number' && value > 0 ? value : null);
  const each = number(settings.get('per_device_train_batch_size')) ?? number(settings.get('train_batch_size'));
  const accumulated = number(settings.get('gradient_accumulation_steps'));
  if (each === null || accumulated === null) return null;
  return { each, accumulated, processes: savedRanks(files) ?? live?.[0]?.world_size ?? 1 };
}

/** The Trainer saves `rng_state.pth` of one process, or `rng_state_0.pth` and so on; null without either. */
export function savedRanks(files: readonly string[]): number | null {
  if (files.includes('rng_state.pth')) return 1;
  return files.filter((file) => /^rng_state_\d+\.pth$/u.test(file)).length || null;
}
