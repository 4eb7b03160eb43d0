/** The probes of all ranks: `probe.json` is that of rank 0, `probe.rank1.json` that of rank 1. */
import { asClause } from '../../host/file-problem.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Host } from '../../host/host.ts';
import { parseProbe, type Probe } from './probe.ts';

const largestProbe = 256 * 1024 ** 2;

/** A probe beyond this rank is not looked for. */
const mostRanks = 65_536;

/** In the order of their ranks; null if there is no file at `path`. Ranks whose file is missing are left out. */
export async function readProbes(host: Host, path: string): Promise<Result<readonly Probe[] | null, Problem>> {
  const first = await readProbe(host, path);
  if (!first.ok || first.value === null) return first.ok ? ok(null) : first;
  const probes = [first.value];
  for (let rank = 1; rank < Math.min(first.value.world_size, mostRanks); rank++) {
    const other = await readProbe(host, path.replace(/(\.\w+)?$/u, `.rank${rank}$1`));
    if (!other.ok) return other;
    if (other.value === null) continue;
    if (other.value.rank !== rank)
      return wrong('PV-8570', 'rank', `The probe of rank ${rank} says that it is of rank ${other.value.rank}.`);
    probes.push(other.value);
  }
  return ok(probes);
}

async function readProbe(host: Host, path: string): Promise<Result<Probe | null, Problem>> {
  if ((await host.kindOf(path)) === 'missing') return ok(null);
  const text = await host.readText(path, { maxBytes: largestProbe });
  return text.ok
    ? parseProbe(text.value, path)
    : wrong('PV-8502', 'file', `${path} cannot be read: ${asClause(text.error)}.`);
}
