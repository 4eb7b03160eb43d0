/** `pv roofline`: the costs of equations as formulas of their sizes, and as numbers under a device's roof. */
import { elaborateAll } from '../../audit/elaborate-all.ts';
import { at, ceilingOf, costsOf, flopsOf, type Peak } from '../../math/cost/roofline.ts';
import { add } from '../../math/cost/size-polynomial.ts';
import type { EquationModel } from '../../contract/goal.ts';
import { evaluateTerm } from '../../math/evaluate/interpret.ts';
import { print, say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { readPaths } from '../../api/read-paths.ts';
import { sayDiagnostics } from '../say-diagnostics.ts';
import { knownDevices, type DeviceName } from './devices.ts';
import type { NamedPeak, Roofed } from './roofed.ts';
import { rooflineJson, rooflineText } from './roofline-text.ts';

/** The parsed flags of `pv roofline`; `weight` is the cost of a transcendental function in additions. */
export type RooflineFlags = {
  readonly set?: ReadonlyMap<string, number>;
  readonly device?: DeviceName;
  readonly devicePeak?: Peak;
  readonly weight: number;
  readonly format: 'text' | 'json';
};

/** Prints costs of every equation. Returns `usage` if nothing can be read. */
export async function runRoofline(cli: Cli, flags: RooflineFlags, paths: readonly string[]): Promise<ExitCode> {
  const { contracts, unread, findings } = await readPaths(cli, paths);
  if (unread.length > 0 || contracts.length === 0) {
    sayDiagnostics(cli, unread.length > 0 ? unread : findings);
    return exitCodes.usage;
  }
  const elaborated = elaborateAll(contracts);
  const named = new Set(elaborated.flatMap(({ equations }) => equations.flatMap(({ sizes }) => sizes)));
  const unknown = [...(flags.set?.keys() ?? [])].filter((name) => !named.has(name));
  if (unknown.length > 0) {
    say(
      cli,
      `pv: --set ${unknown.join(', ')}: no equation has this size; there are ${[...named].join(', ') || 'none'}`,
    );
    return exitCodes.usage;
  }
  const peak = peakOf(flags);
  const roofed = elaborated.flatMap(({ contract, equations }) =>
    equations.map((model) => roofedOf(contract.id, model, flags, peak)),
  );
  const uncounted = elaborated.flatMap(({ contract, equations }) =>
    contract.equations
      .filter(({ name }) => !equations.some((model) => model.name === name))
      .map(({ name }) => `${contract.id}/${name}`),
  );
  print(cli, flags.format === 'json' ? rooflineJson(roofed, uncounted, peak) : rooflineText(roofed, peak));
  for (const name of uncounted)
    say(cli, `pv: ${name} is not executable, so nothing is counted of it: pv validate says why`);
  return roofed.length === 0 || uncounted.length > 0 ? exitCodes.findings : exitCodes.ok;
}

/** The caller's numbers take precedence over those of a known device; without either, only formulas are shown. */
function peakOf({ devicePeak, device }: RooflineFlags): NamedPeak | null {
  if (devicePeak) return { ...devicePeak, name: 'the given device', source: '--device-peak' };
  return device ? knownDevices[device] : null;
}

function roofedOf(contract: string, model: EquationModel, { set, weight }: RooflineFlags, peak: Peak | null): Roofed {
  const costs = costsOf(model);
  const { sizes, assumed } = sizesOf(model, set ?? new Map());
  const counted = costs.problem === null;
  const flops = counted ? at(flopsOf(costs, weight), costs, sizes) : 0;
  const bytes = counted ? at(add(costs.bytesRead, costs.bytesWritten), costs, sizes) : 0;
  const ceiling = peak && bytes > 0 ? ceilingOf(flops, bytes, peak) : null;
  return { contract, equation: model.name, costs, weight, sizes, assumed, flops, bytes, ceiling };
}

/** Sizes as set, then as defined by others, then the largest of the domain. */
function sizesOf(
  { domain }: EquationModel,
  set: ReadonlyMap<string, number>,
): { readonly sizes: ReadonlyMap<string, number>; readonly assumed: readonly string[] } {
  const sizes = new Map<string, number>();
  const assumed: string[] = [];
  for (const { name, maximum, definition } of domain.sizes) {
    const own = set.get(name);
    if (own === undefined && definition === null) assumed.push(name);
    sizes.set(name, own ?? (definition ? Number(evaluateTerm(definition, sizes)) : maximum));
  }
  return { sizes, assumed };
}
