import type { SamplingFlags } from './sampling-flags.ts';

/** The flags of `pv trace record`. */
export type RecordFlags = SamplingFlags & {
  readonly model: string;
  readonly tokenizer: string;
  readonly prompt: string;
  readonly steps: number;
  readonly sketch: number;
  readonly format: 'v2' | 'legacy' | 'legacy-text';
  readonly out: string;
  readonly key?: readonly string[];
  readonly force: boolean;
};
