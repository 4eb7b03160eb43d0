/** Traces without a model: what proofs and roots are tested with. */
import { sha256 } from '../../../src/merkle/sha256.ts';
import type { Entry, Manifest, Step, Trace } from '../../../src/trace/format/trace.ts';

export const manifest: Manifest = {
  format: 'pv-trace/2',
  tool: { name: 'pv', version: '0.0.0' },
  model: { name: 'none', digest: null },
  tokenizer: { name: 'none', digest: null },
  config: null,
  vocabSize: 512,
  prompt: { tokens: [1], text: null },
  steps: null,
  sampler: { kind: 'greedy' },
  profile: 'unspecified',
  sketch: 0,
};

/** A step whose hash is nobody's logits. */
export const madeStep = (position: number): Step => ({
  kind: 'step',
  position,
  inputToken: position + 1,
  outputToken: position + 2,
  logitsHash: sha256(Uint8Array.of(position)),
  sketch: null,
});

export const madeTrace = (steps: number): Trace => ({
  manifest,
  entries: Array.from({ length: steps }, (_, position): Entry => madeStep(position)),
});
