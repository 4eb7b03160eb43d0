import type { Probe } from '../probe/probe.ts';
import { critical, notChecked, pass, warn, type Finding } from './check.ts';
import { ofEachRank } from './probe-check.ts';

const name = 'loss scale';

/** The scaler of the run has the scale that was saved: a fresh one of 65536 overflows, and its first updates are skipped. */
export const lossScale = ofEachRank(({ live, saved, checkpoint }) => {
  const before = saved?.loss_scale ?? checkpoint.lossScale;
  const now = live.loss_scale ?? null;
  if (before === null && now === null) return null;
  if (now === null && saved?.loss_scale === undefined)
    return notChecked(name, 'the probe has no loss scale: pass the scaler to write_probe');
  const details = { expected: String(before ?? 'none'), actual: String(now ?? 'none') };
  if (before === null)
    return saved === null
      ? notChecked(name, 'the checkpoint has no loss scale (scaler.pt)')
      : critical(name, {
          ...details,
          why: 'the run had no scaler, and has one now',
          fix: 'Resume with the precision of the run.',
        });
  if (before === now) return otherGrowth(saved, live) ?? pass(name, details);
  return critical(name, {
    ...details,
    why:
      now === null
        ? 'the run scaled its loss, and no longer does'
        : 'the scaler was not restored: with too large a scale gradients overflow and updates are skipped, with too small a one they vanish',
    fix: 'Load scaler.pt into the scaler that is used, with optimizer and scheduler.',
  });
});

/** The scale as saved, and another count of steps since it was changed; null if the counts agree or one is unknown. */
function otherGrowth(saved: Probe | null, live: Probe): Finding | null {
  const [earlier, later] = [saved?.growth ?? null, live.growth ?? null];
  if (earlier === null || later === null || earlier === later) return null;
  return warn(name, {
    expected: `a scale that has not changed for ${earlier} steps`,
    actual: `for ${later} steps`,
    why: 'the scaler has the scale that was saved, and not its count of steps: the scale grows at another step',
    fix: 'Load scaler.pt into the scaler instead of setting its scale.',
  });
}
