/** What the command line demands of a v2 trace apart from a replay: a given prompt and sampler. */
import type { Manifest, Sampler } from '../../trace/format/trace.ts';
import type { Tokenizer } from '../../trace/model/model.ts';
import { fail, leave, noFindings, pass, type Findings } from '../../trace/verify/check.ts';
import type { SamplingFlags } from './sampling-flags.ts';
import { samplerOf, samplingDefaults } from './sampling-flags.ts';

/** The flags that require something; what is absent is not required. */
export type Demands = Partial<SamplingFlags> & { readonly prompt?: string };

/** The sampler that the flags describe, for a trace that does not record its own. */
export function samplerAsked(flags: Partial<SamplingFlags>): Sampler {
  const { seed, temperature, topP, generator } = samplingDefaults;
  return samplerOf(
    {
      temperature: flags.temperature ?? temperature,
      topP: flags.topP ?? topP,
      generator: flags.generator ?? generator,
    },
    flags.seed ?? seed,
  );
}

/** The flags of {@link samplerAsked} that decide a token and were not given: greedy sampling needs no seed. */
export function samplingLeftOpen({ temperature, seed }: Partial<SamplingFlags>): readonly string[] {
  return [
    ...(temperature === undefined ? ['--temperature'] : []),
    ...(seed === undefined && temperature !== 0 ? ['--seed'] : []),
  ];
}

/** A prompt is compared by the tokens that it encodes to; PV-8081 if the trace does not disclose what is required. */
export function checkDemands(manifest: Manifest, demands: Demands, tokenizer: Tokenizer | null): Findings {
  const findings = noFindings();
  if (demands.prompt !== undefined) comparePrompt(manifest.prompt, demands.prompt, tokenizer, findings);
  for (const [name, demanded, recorded] of settings(manifest.sampler, demands)) {
    if (demanded === undefined) continue;
    if (recorded !== undefined) compare(name, recorded, String(demanded), findings);
    else if (manifest.sampler.kind === 'greedy') leave(findings, name, 'Greedy sampling has none.');
    else undisclosed(name, String(demanded), findings);
  }
  return findings;
}

type Setting = readonly [name: string, demanded: string | number | undefined, recorded: string | undefined];

/** Greedy sampling is a temperature of 0 and draws nothing. */
function settings(sampler: Sampler, demands: Demands): readonly Setting[] {
  const top = sampler.kind === 'top-p' ? sampler : null;
  const temperature = sampler.kind === 'greedy' ? '0' : top === null ? undefined : String(top.temperature);
  return [
    ['temperature', demands.temperature, temperature],
    ['top-p', demands.topP, top === null ? undefined : String(top.topP)],
    ['seed', demands.seed, top?.seed],
    ['generator', demands.generator, top?.generator],
  ];
}

function comparePrompt(
  { tokens, text }: Manifest['prompt'],
  demanded: string,
  tokenizer: Tokenizer | null,
  findings: Findings,
): void {
  const name = 'prompt text';
  if (text !== null && text !== demanded) return compare(name, text, demanded, findings);
  if (tokens === null || tokenizer === null) return undisclosed(name, demanded, findings);
  const encoded = tokenizer.encode(demanded);
  if (encoded.length === tokens.length && encoded.every((token, i) => token === tokens[i]))
    return pass(findings, name, `It is the required one, ${JSON.stringify(demanded)}.`);
  const message = `${JSON.stringify(demanded)} is required, but encodes to tokens other than the forced ones.`;
  const places = { expected: encoded.join(' '), actual: tokens.join(' ') };
  fail(findings, { code: 'PV-8080', check: name, message, ...places });
}

function undisclosed(name: string, demanded: string, findings: Findings): void {
  const message = `${JSON.stringify(demanded)} is required as the ${name}, but the trace does not disclose its own.`;
  fail(findings, { code: 'PV-8081', check: name, message, expected: demanded });
}

function compare(name: string, recorded: string, demanded: string, findings: Findings): void {
  if (recorded === demanded) return pass(findings, name, `It is the required one, ${JSON.stringify(demanded)}.`);
  const message = `The ${name} of the trace is ${JSON.stringify(recorded)}, and ${JSON.stringify(demanded)} is required.`;
  fail(findings, { code: 'PV-8080', check: name, message, expected: demanded, actual: recorded });
}
