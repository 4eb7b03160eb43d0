/** What an audit reads before anything runs: contracts in order, kernels, waivers, and every finding once. */
import { describe, expect, it } from 'vitest';
import { readProject, type Project } from '../../src/audit/read-project.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { contractOf } from '../plan/projects.ts';
import { doublingContract, doublingKernel } from './audited.ts';

const contract = contractOf('double-v1', doublingContract([['D(x)_i = 2·x_i']]));
const above = contractOf(
  'above-v1',
  `metadata: { version: "1.0.0", description: Above, depends_on: [double-v1] }
equations:
  same: { formula: "S(x)_i = x_i", domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 100" }
proof_obligations:
  - { id: S-1, type: bound, property: p, formal: "|S(x)_i| ≤ 100" }
`,
);
const row = (of: string, equation: string, path = 'k.ts'): string =>
  `  - { contract: ${of}, equation: ${equation}, module_path: ${path}, function: kernel, backends: [ref32] }\n`;
const waiver = (of: string, claim: string): string =>
  `  - { contract: ${of}, claim: ${claim}, owner: ada, reason: why, expires: 2027-03-31 }\n`;

async function projectOf(
  rows: readonly string[] | null,
  {
    contracts = [above, contract],
    waivers = [],
    kernel = doublingKernel.text,
    elsewhere = [],
  }: {
    readonly contracts?: readonly Contract[];
    readonly waivers?: readonly string[];
    readonly kernel?: string;
    readonly elsewhere?: readonly string[];
  } = {},
): Promise<Project> {
  const text = `bindings:${rows?.length === 0 ? ' []' : ''}\n${rows?.join('') ?? ''}`;
  const waived = waivers.length === 0 ? '' : `waivers:\n${waivers.join('')}`;
  return readProject({
    contracts,
    binding: rows && { path: 'binding.yaml', text: `${text}${waived}` },
    host: createMemoryHost({ 'k.ts': kernel }),
    moduleRoots: ['/project'],
    elsewhere: new Set(elsewhere),
  });
}

const codesOf = ({ diagnostics }: Project): readonly string[] => diagnostics.map(({ code }) => code);

describe('a project', () => {
  it('is its contracts, sub-contracts first, and the kernels that its rows bind', async () => {
    const project = await projectOf([row('double-v1', 'double')]);
    expect(project.elaborated.map((one) => one.contract.id)).toEqual(['double-v1', 'above-v1']);
    expect(project.subjects.map(({ equation, name, module }) => [equation, name, module])).toEqual([
      ['double', 'kernel', 'k.ts'],
    ]);
    expect([codesOf(project), project.waivers, project.faults.size]).toEqual([[], [], 0]);
  });

  it('without a binding is the mathematics alone', async () => {
    const project = await projectOf(null);
    expect(project.elaborated).toHaveLength(2);
    expect(project).toMatchObject({ subjects: [], waivers: [], diagnostics: [] });
    expect(project.faults.size).toBe(0);
  });

  it('says which row names no contract or equation of the project', async () => {
    expect(codesOf(await projectOf([row('dobule-v1', 'double')]))).toEqual(['PV-5001']);
    const misspelled = await projectOf([row('double-v1', 'duoble')]);
    expect(codesOf(misspelled)).toEqual(['PV-5002']);
    expect(misspelled.faults.get('double-v1/double')?.problem.code).toBe('PV-5002');
  });

  it('passes over the rows and waivers of contracts that are read another time', async () => {
    const elsewhere = ['other-v1'];
    const rows = [row('double-v1', 'double'), row('other-v1', 'other', 'none.ts')];
    const waivers = [waiver('double-v1', 'C0'), waiver('other-v1', 'O-1')];
    const project = await projectOf(rows, { waivers, elsewhere });
    expect(codesOf(project)).toEqual([]);
    expect(project.waivers.map(({ claim }) => claim.value)).toEqual(['C0']);
    expect(project.subjects).toHaveLength(1);
    expect(codesOf(await projectOf(rows, { waivers }))).toEqual(['PV-5001', 'PV-5046']);
  });

  it('gathers what is wrong with contracts, with modules, with waivers and with the text of kernels', async () => {
    const of = async (rows: readonly string[], more: Parameters<typeof projectOf>[1] = {}) =>
      codesOf(await projectOf(rows, more));
    const own = [row('double-v1', 'double')];
    const kernelOf = (body: string): string =>
      `import type { KernelThread } from 'provable-contracts/runtime';
export function kernel(this: KernelThread, x: readonly number[]): number { return ${body}; }\n`;
    expect(await of([row('double-v1', 'double', 'gone.ts')])).toEqual(['PV-5006']);
    expect(await of([row('double-v1', 'double').replace('function', 'funktion')])).toEqual(['PV-5012']);
    expect(await of(own, { waivers: [waiver('double-v1', 'C9')] })).toEqual(['PV-5046']);
    expect(await of(own, { kernel: kernelOf('Math.tanh(x[this.thread.x])') })).toEqual(['PV-9120']);
    const rounds = { contracts: [contractOf('double-v1', doublingContract([]).replace('2·x_i', 'round(x_i)'))] };
    expect(await of(own, { ...rounds, kernel: kernelOf('Math.round(x[this.thread.x])') })).toContain('PV-5047');
    const untyped = { contracts: [contractOf('double-v1', doublingContract([['D(x)_i = 2·y_i']]))] };
    expect(await of(own, untyped)).toContain('PV-4001');
  });
});
