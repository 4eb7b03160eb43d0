/** What each participant has spent, over all rounds. */
import { err, ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import type { RoundManifest } from '../manifest.ts';
import { epsilonOf, type Releases } from './epsilon.ts';

/**
 * Which two runs must look alike. `add-or-remove-one`: with a participant's contribution, and without it. `replace-one`: with its
 * contribution, and with any other; that doubles the sensitivity, and no sampling is credited.
 */
type Neighbours = 'add-or-remove-one' | 'replace-one';

/** A release in a round; its noise multiplier is σ over the clip norm. */
export interface RoundReleases extends Releases {
  readonly roundId: string;
}

/** What one submission to a round releases. A round says who takes part, so that no sampling is credited. */
export const releaseIn = ({ roundId, dpNoiseScale, clipNorm }: RoundNoise): RoundReleases => ({
  roundId,
  count: 1,
  noiseMultiplier: dpNoiseScale === 0 ? 0 : dpNoiseScale / clipNorm,
  samplingRate: 1,
});

/** The fields of a manifest that ε follows from. */
type RoundNoise = Pick<RoundManifest, 'roundId' | 'dpNoiseScale' | 'clipNorm'>;

/** The account of one participant. Plain data: it is kept as JSON. */
export interface PrivacyAccount {
  readonly client: string;
  readonly neighbours: Neighbours;
  readonly delta: number;
  /** The largest ε at that δ. */
  readonly budget: number;
  readonly releases: readonly RoundReleases[];
}

/** Why a release is refused; the account is unchanged. */
export interface BudgetFault {
  readonly name: 'no_noise' | 'release_invalid' | 'round_repeated' | 'budget_exceeded';
  readonly message: string;
  /** ε after the release. */
  readonly epsilon: number;
}

/**
 * ε that the account has spent. The exact composition also holds if later noise depends on earlier results, as long as the budget is
 * fixed in advance (Smith & Thakurta 2022, Fully adaptive composition for Gaussian differential privacy, arXiv:2210.17520).
 */
export const spentEpsilon = ({ releases, neighbours, delta }: PrivacyAccount): number =>
  epsilonOf(neighbours === 'add-or-remove-one' ? releases : releases.map(replacing), delta);

const replacing = ({ count, noiseMultiplier }: Releases): Releases => ({
  count,
  noiseMultiplier: noiseMultiplier / 2,
  samplingRate: 1,
});

/** The account with another release; refused without noise, with counts or rates out of range, for a round that it has, and above the budget. */
export function spend(account: PrivacyAccount, release: RoundReleases): Result<PrivacyAccount, BudgetFault> {
  const { client, budget, delta, releases } = account;
  const next = { ...account, releases: [...releases, release] };
  const epsilon = spentEpsilon(next);
  const refuse = (name: BudgetFault['name'], message: string): Result<never, BudgetFault> =>
    err({ name, message, epsilon });
  if (!(release.noiseMultiplier > 0)) return refuse('no_noise', 'A release without noise has no finite ε.');
  const { count, samplingRate } = release;
  if (!(Number.isSafeInteger(count) && count > 0 && samplingRate > 0 && samplingRate <= 1))
    return refuse(
      'release_invalid',
      `A round has 1 or more releases at a rate up to 1, not ${count} at ${samplingRate}.`,
    );
  if (releases.some(({ roundId }) => roundId === release.roundId))
    return refuse('round_repeated', `The account has a release in the round ${quoted(release.roundId)}.`);
  return epsilon <= budget
    ? ok(next)
    : refuse('budget_exceeded', `${quoted(client)} would spend ε = ${epsilon} of ${budget} at δ = ${delta}.`);
}
