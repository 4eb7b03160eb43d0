import { describe, expect, it } from 'vitest';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import { suggestTolerances, type RunProject } from '../../src/audit/suggest.ts';
import type { Tolerance } from '../../src/contract/contract.ts';
import { readContracts } from '../../src/contract/validate.ts';
import type { Report } from '../../src/report/report.ts';

const text = `metadata: { version: "1.0.0", description: d, references: [r] }
equations:
  total: { formula: "Total(x) = Σ_i x_i", domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 1" }
proof_obligations:
  - { id: T-EQV-001, type: equivalence, property: p, formal: "Total(x) ≈ Total_ref(x)", semantics: ieee, tolerance: { cond: 8, abs: 1e-36 }, applies_to: total }
  - { id: T-SND-001, type: soundness, property: p, formal: "Total(x) ≈ Total(-(-x))", semantics: real, tolerance: { rel: 1e-20 }, applies_to: total }
  - { id: T-INV-001, type: invariant, property: p, formal: "Total(0·x) = 0", semantics: ieee, applies_to: total }
`;
const elaborated = elaborateAll(readContracts([{ path: 'contracts/total-v1.yaml', text }], { elsewhere: [] }).value);
const project = {
  elaborated,
  subjects: [],
  faults: new Map(),
  waivers: [],
  accuracy: 'library' as const,
  diagnostics: [],
};

interface Ran {
  readonly methods: readonly string[];
  readonly tolerance: Tolerance | null;
}

/** A run in which the first claim's largest error is `ratio` of the tolerance that the run is given. */
function running(ratio: number, error = 1e-7): { readonly run: RunProject; readonly ran: Ran[] } {
  const ran: Ran[] = [];
  const worst = { error, allowed: 1, ratio, input: { sizes: { n: 3 }, values: {} } };
  const run: RunProject = (given, methods) => {
    ran.push({ methods: [...methods], tolerance: given.elaborated[0]?.contract.obligations[0]?.tolerance ?? null });
    const claims = [{ id: 'T-EQV-001', methods: [{ worst }], kills: { killed: 30, total: 40 } }];
    return Promise.resolve({ contracts: [{ id: 'total-v1', claims }] } as unknown as Report);
  };
  return { run, ran };
}

describe('suggested tolerances', () => {
  it('shrink every part by the largest error, rounded up to two digits', async () => {
    const { run, ran } = running(0.126 / 2 ** 20);
    const suggestions = await suggestTolerances(project, run);
    expect(suggestions).toHaveLength(1);
    expect(suggestions[0]).toMatchObject({
      claim: 'T-EQV-001',
      declared: 'cond 8, abs 1e-36',
      suggested: 'cond 1.1, abs 1.3e-37',
      kills: { killed: 30, total: 40 },
    });
    expect(suggestions[0]?.worst?.ratio).toBeCloseTo(0.126, 10);
    expect(ran.map(({ methods }) => methods)).toEqual([['property'], ['adequacy']]);
    expect(ran[0]?.tolerance).toMatchObject({ cond: 8 * 2 ** 20, abs: 1e-36 * 2 ** 20 });
    expect(ran[1]?.tolerance).toMatchObject({ cond: 1.1, abs: 1.3e-37 });
  });

  it('grow for a kernel that breaks its claim', async () => {
    const [suggestion] = await suggestTolerances(project, running(2.5 / 2 ** 20).run);
    expect(suggestion?.suggested).toBe('cond 20, abs 2.5e-36');
  });

  it('keep an absolute part for one flushed result', async () => {
    const [suggestion] = await suggestTolerances(project, running(1e-4 / 2 ** 20).run);
    expect(suggestion?.suggested).toBe('cond 0.0008, abs 1.2e-38');
  });

  it('do not exist for a kernel that gives NaN', async () => {
    const { run, ran } = running(Number.MAX_VALUE, Number.NaN);
    const [suggestion] = await suggestTolerances(project, run);
    expect(suggestion).toMatchObject({ suggested: null, kills: null });
    expect(ran[1]?.tolerance).toMatchObject({ cond: 8 });
  });
});
