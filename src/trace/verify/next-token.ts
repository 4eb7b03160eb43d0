/** The token that follows a position, made again: forced by the prompt, drawn by the recorded sampler, or unknown. */
import { ok, type Result } from '../../base/result.ts';
import { createCoin } from '../engine/coin.ts';
import { createSampler } from '../engine/sampler.ts';
import type { Problem } from '../../base/problem.ts';
import { largestDifference, type Level } from './level.ts';
import type { ReplaySource } from './source.ts';
import { couldBeDrawn, couldBeLargest } from './token-margin.ts';

/** `near`: another token than ours, and one that logits within the band could have chosen. */
export type TokenState = 'forced' | 'same' | 'near' | 'differs' | 'unknown';

/** The token that follows a position, as it was made again. */
interface NextToken {
  readonly state: TokenState;
  /** Ours; null if it cannot be made again. */
  readonly token: number | null;
}

/** Called once for each position in order; `claimed` is null if nothing is to be compared. */
export type FollowToken = (
  position: number,
  logits: Float32Array,
  claimed: number | null,
) => Result<NextToken, Problem>;

/**
 * Without the forced tokens it is unknown where sampling began, and another engine's sampler runs only in that engine: then
 * every token is `unknown`, and the verdict counts them as such. PV-8014 for impossible settings.
 */
export function followTokens({ recorded }: ReplaySource, level: Level): Result<FollowToken, Problem> {
  const { sampler, prompt } = recorded;
  const { tokens } = prompt;
  if (tokens === null || sampler.kind === 'other') {
    return ok((position, _, claimed) => ok(unsampled(tokens?.[position + 1], claimed)));
  }
  const choose = createSampler(sampler);
  if (!choose.ok) return choose;
  const coin = sampler.kind === 'top-p' ? createCoin(sampler.generator, BigInt(sampler.seed)) : null;
  const band = largestDifference[level];
  return ok((position, logits, claimed) => {
    const forced = tokens[position + 1];
    if (forced !== undefined) return ok(unsampled(forced, claimed));
    const chosen = choose.value(logits);
    if (!chosen.ok) return chosen;
    const drawn = coin?.() ?? 0;
    const token = chosen.value;
    if (claimed === null || claimed === token) return ok({ state: 'same', token });
    if (level === 'exact') return ok({ state: 'differs', token });
    const isNear =
      sampler.kind === 'greedy'
        ? couldBeLargest(logits, claimed, band)
        : couldBeDrawn(logits, claimed, sampler, drawn, band);
    return ok({ state: isNear ? 'near' : 'differs', token });
  });
}

function unsampled(forced: number | undefined, claimed: number | null): NextToken {
  if (forced === undefined) return { state: 'unknown', token: null };
  return { state: claimed === null || claimed === forced ? 'forced' : 'differs', token: forced };
}
