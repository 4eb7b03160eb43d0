import type { Sampler } from '../format/trace.ts';

/** How tokens were chosen again, in a few words: at a temperature of 1e30 the model has no influence. */
export function samplingText(sampler: Sampler): string | null {
  if (sampler.kind === 'other') return null;
  return sampler.kind === 'greedy' ? 'greedy' : `temperature ${sampler.temperature}, top-p ${sampler.topP}`;
}
