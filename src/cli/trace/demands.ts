/** What the command line demands of a v2 trace beside a replay: to be whole, and of this prompt and this sampler. */
import type { Sampler, TraceFile } from '../../trace/format/trace.ts';
import { fail, leave, noFindings, pass, type Findings } from '../../trace/verify/check.ts';
import { checkComplete } from '../../trace/verify/completeness.ts';
import type { SamplingFlags } from './sampling-flags.ts';
import { samplerOf, samplingDefaults } from './sampling-flags.ts';

export type Demands = Partial<SamplingFlags> & { readonly prompt?: string; readonly incomplete: boolean };

/** The sampler that the flags describe, for a trace that does not say its own. */
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

export function checkDemands(trace: TraceFile, demands: Demands): Findings {
  const { manifest } = trace;
  const findings = noFindings();
  checkComplete(trace, demands.incomplete, '--incomplete', findings);
  if (demands.prompt !== undefined) compare('prompt text', manifest.prompt.text, demands.prompt, findings);
  for (const [name, demanded, recorded] of settings(manifest.sampler, demands)) {
    if (demanded === undefined) continue;
    if (recorded === undefined) leave(findings, name, 'The recorded sampler has none.');
    else compare(name, recorded, String(demanded), findings);
  }
  return findings;
}

type Setting = readonly [name: string, demanded: string | number | undefined, recorded: string | undefined];

/** Greedy sampling is a temperature of 0, and draws nothing. */
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

function compare(name: string, recorded: string | null, demanded: string, findings: Findings): void {
  if (recorded === null) return leave(findings, name, 'The trace does not disclose it.');
  if (recorded === demanded) return pass(findings, name, `It is the demanded one, ${JSON.stringify(demanded)}.`);
  const message = `The ${name} of the trace is ${JSON.stringify(recorded)}, and ${JSON.stringify(demanded)} is demanded.`;
  fail(findings, { code: 'PV-8080', check: name, message, expected: demanded, actual: recorded });
}
