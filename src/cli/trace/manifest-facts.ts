import { count } from '../../base/text.ts';
import type { Artefact, Manifest, Sampler } from '../../trace/format/trace.ts';

/** What a manifest says, by short names. */
export function manifestFacts(manifest: Manifest): readonly (readonly [string, string])[] {
  const { model, tokenizer, prompt, steps, sampler, profile, sketch, tool } = manifest;
  const tokens = prompt.tokens === null ? 'tokens unknown' : count(prompt.tokens.length, 'token');
  return [
    ['model', artefactText(model)],
    ['tokenizer', artefactText(tokenizer)],
    ['prompt', `${prompt.text === null ? 'not disclosed' : JSON.stringify(prompt.text)} (${tokens})`],
    ['steps', steps === null ? 'the requested number is unknown' : `${steps} at most`],
    ['sampler', samplerText(sampler)],
    ['profile', profile],
    ['sketch', sketch === 0 ? 'none' : `the ${count(sketch, 'largest logit')} of each step`],
    ['tool', `${tool.name} ${tool.version}`],
  ];
}

const artefactText = ({ name, digest }: Artefact): string => `${name} ${digest ?? '(digest unknown)'}`;

function samplerText(sampler: Sampler): string {
  switch (sampler.kind) {
    case 'greedy':
      return 'greedy: the first largest logit';
    case 'top-p':
      return `top-p ${sampler.topP} at temperature ${sampler.temperature}, seed ${sampler.seed} (${sampler.generator})`;
    case 'other':
      return `another engine's: ${sampler.description}`;
  }
}
