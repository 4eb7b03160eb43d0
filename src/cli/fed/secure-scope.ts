/** What a verdict on a round with secure aggregation says of it, and what it cannot say. */
import { count } from '../../base/text.ts';
import type { RoundState } from '../../federated/round/state.ts';

/** Null for a round without secure aggregation. */
export function secureScope({ manifest, secure }: RoundState): string | null {
  const server = secure?.server;
  if (manifest.secure === 'off' || server?.stage !== 'unmask') return null;
  const { survivors, sharers, round, answers } = server;
  const gone = round.participants.length - survivors.length;
  const unmasked =
    round.scheme === 'double_mask'
      ? `${answers.size} of them revealed shares, ${round.threshold} were needed`
      : 'masks cancel in pairs';
  return (
    `${round.scheme}: the sum of ${count(survivors.length, 'survivor')} of ${round.participants.length} participants; ${gone} left, ` +
    `${sharers.length - survivors.length} of them after sharing; ${unmasked}. Checked: who is in the sum, and that the masks came off. ` +
    'Hidden, so not checked: any single delta; that each was clipped and trained as the round says is its participant’s word'
  );
}
