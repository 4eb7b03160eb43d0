/**
 * The law of the gate: what passes it fails it when a wrong kernel takes the place of the right one, through the same binding, backends
 * and tolerances. A wrong kernel that no check tells from the right one is itself a reason to fail.
 */
import { describe, expect, it } from 'vitest';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import { invariant } from '../../src/base/invariant.ts';
import type { ElaboratedContract } from '../../src/contract/goal.ts';
import { kernelMutants } from '../../src/methods/wrong-kernels/kernel-mutants.ts';
import { makePlan, type Plan } from '../../src/plan/make-plan.ts';
import type { Report } from '../../src/report/report.ts';
import type { BoundSubject } from '../../src/subject/bound-subject.ts';
import { contractOf, planOptions, subjectOf } from '../plan/projects.ts';
import { shippedProject } from '../support/shipped-goals.ts';
import { auditedPlan, doublingContract } from './audited.ts';

/** Enough for every wrong kernel below; what passes must pass with as many as the gate takes. */
const cases = 500;

/** Kernels of one element that give something else than `expression`. */
const saboteurs = (expression: string): readonly string[] => [
  '0',
  '1',
  '0 / (x[this.thread.x] - x[this.thread.x])',
  'x[this.thread.x]',
  'x[0]',
  `1.01 * (${expression})`,
  `2 * (${expression})`,
  `-(${expression})`,
  `(${expression}) + 0.001`,
];

const kernel = (expression: string): string =>
  `export function kernel(this: any, x: number[]): number { return ${expression}; }`;

function planOf(elaborated: readonly ElaboratedContract[], subjects: readonly BoundSubject[]): Plan {
  return makePlan(elaborated, subjects, { ...planOptions, cases });
}

/** Whether a kernel passes: the checks that decide first, since most wrong kernels end there. */
async function passes(plan: Plan): Promise<boolean> {
  const deciding = plan.checks.filter(({ method }) => method === 'property' || method === 'falsify');
  const isRefuted = ({ contracts }: Report): boolean => contracts.some(({ claims }) => claims.some(isFalsified));
  if (isRefuted(await auditedPlan({ ...plan, checks: deciding }))) return false;
  return (await auditedPlan(plan)).gate.passed;
}

const isFalsified = ({ verdict }: Report['contracts'][number]['claims'][number]): boolean => verdict === 'falsified';

interface Scratch {
  readonly name: string;
  readonly claim: readonly [formal: string, more?: string];
  readonly backends: string;
  readonly expression?: string;
  /** Whether the kernel passes; nothing may where a wrong one does too. */
  readonly passes: boolean;
}

const right = '2 * x[this.thread.x]';
const strict = 'tolerance: { ulp: 0.5 }';

const scratch: readonly Scratch[] = [
  { name: 'an equivalence', claim: ['D(x) ≈ D_ref(x)', strict], backends: 'gpujs-webasm', passes: true },
  { name: 'a formula written out', claim: ['D(x)_i = x_i + x_i'], backends: 'ref32', passes: true },
  { name: 'a control beside it', claim: ['D(x) ≈ D_ref(x)', strict], backends: 'ref64, ref32', passes: true },
  {
    name: 'a tolerance for each backend',
    claim: ['D(x) ≈ D_ref(x)', 'tolerance: { ulp: 1, backends: { gpujs-webasm: { rel: 1e-5 } } }'],
    backends: 'ref32, gpujs-webasm',
    passes: true,
  },
  { name: 'float64 alone', claim: ['D(x) ≈ D_ref(x)', strict], backends: 'ref64', passes: false },
  {
    name: 'a tolerance that accepts anything',
    claim: ['D(x) ≈ D_ref(x)', 'tolerance: { ulp: 1, backends: { gpujs-webasm: { abs: 1e30 } } }'],
    backends: 'gpujs-webasm',
    passes: false,
  },
  {
    name: 'a tolerance that accepts one per cent',
    claim: ['D(x) ≈ D_ref(x)', 'tolerance: { ulp: 1, backends: { gpujs-webasm: { rel: 0.02 } } }'],
    backends: 'gpujs-webasm',
    passes: false,
  },
  { name: 'a bound', claim: ['|D(x)_i| ≤ 1e6'], backends: 'ref32', passes: false },
  { name: 'a bound on zero', claim: ['|D(x)_i| ≤ 1e6'], backends: 'ref32', expression: '0', passes: false },
  { name: 'finiteness', claim: ['is_finite(D(x)_i)'], backends: 'ref32', passes: false },
];

describe('a wrong kernel in the place of the right one', () => {
  it.each(scratch)('$name', async ({ claim, backends, expression = right, passes: expected }) => {
    const elaborated = elaborateAll([contractOf('double-v1', doublingContract([claim]))]);
    const row = `    backends: [${backends}]\n`;
    const bound = (text: string): Promise<BoundSubject> =>
      subjectOf(elaborated, { contract: 'double-v1', equation: 'double', text: kernel(text), row });
    const own = await bound(expression);
    expect(await passes(planOf(elaborated, [own]))).toBe(expected);
    if (!expected) return;
    const mutants = kernelMutants(own.program).map(({ program }) => ({ ...own, program }));
    for (const wrong of [...(await Promise.all(saboteurs(expression).map(bound))), ...mutants])
      expect(await passes(planOf(elaborated, [wrong])), wrong.program.source).toBe(false);
  });

  it.each(['residual-kernel-v1', 'softmax-kernel-v1'])('in %s', async (id) => {
    const project = await shippedProject();
    const elaborated = project.elaborated.filter(({ contract }) => contract.id === id);
    const subjects = project.subjects.filter(({ contract }) => contract === id);
    const declared = elaborated.flatMap(({ contract }) => contract.qaGate?.equivalentMutants ?? []);
    expect(subjects.length).toBeGreaterThan(0);
    for (const [at, subject] of subjects.entries()) {
      const wrong = kernelMutants(subject.program).filter(({ id: name }) =>
        declared.every(({ mutant }) => !mutant.startsWith(name)),
      );
      expect(wrong.length).toBeGreaterThan(0);
      for (const { id: name, program } of wrong) {
        const plan = planOf(elaborated, subjects.with(at, { ...subject, program }));
        invariant(plan.checks.length > 0, 'a shipped contract has checks');
        expect(await passes(plan), name).toBe(false);
      }
    }
  });
});
