/** Processes and devices: each has random generators of its own, and its own part of the data. */
import { count } from '../../base/text.ts';
import { notChecked, pass, warn } from './check.ts';
import { savedRanks } from './batch-size.ts';
import { ofFirstRank } from './probe-check.ts';

const name = 'device count';

export const deviceCount = ofFirstRank(({ live, saved, checkpoint }) => {
  const processes = saved?.world_size ?? savedRanks(checkpoint.files);
  if (processes === null) return notChecked(name, 'the checkpoint does not say how many processes wrote it');
  const before = { processes, devices: saved?.devices ?? null };
  const now = { processes: live.world_size, devices: live.devices ?? null };
  const isKnown = before.devices !== null && now.devices !== null;
  const textOf = (one: typeof now): string =>
    `${count(one.processes, 'process', 'processes')}${isKnown ? `, ${count(one.devices ?? 0, 'device')} each` : ''}`;
  const details = { expected: textOf(before), actual: textOf(now) };
  if (before.processes === now.processes && (!isKnown || before.devices === now.devices)) return pass(name, details);
  return warn(name, {
    ...details,
    why: 'some generators have no saved state, or states have no generator; the data are divided differently, and the batch may have another size',
    fix: 'Resume on as many devices. Otherwise check the batch size, and expect other samples in another order.',
  });
});
