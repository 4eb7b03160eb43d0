/**
 * Kernels that are wrong on a boundary of the formula and nowhere else.
 *
 * Holds src/math/switches.ts, src/plan/chosen-inputs.ts.
 */
import { describe, expect, it } from 'vitest';
import type { Case } from '../../src/math/compile/compiled.ts';
import { switchesOf } from '../../src/math/switches.ts';
import { boundaryCases } from '../../src/methods/boundaries.ts';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import type { EquationModel } from '../../src/contract/goal.ts';
import { invariant } from '../../src/base/invariant.ts';
import { audited } from '../audit/audited.ts';
import { contractOf } from '../plan/projects.ts';

interface Subject {
  readonly formula: string;
  readonly domain: string;
  /** What a gpu.js kernel returns for one element; the parameters of the domain are its parameters. */
  readonly right: string;
  readonly wrong: string;
  readonly parameters: string;
}

const subjects: Readonly<Record<string, Subject>> = {
  'a threshold that is taken for its neighbour': {
    formula: 'f(x)_i = { x_i if x_i ≤ 2.6; 0 otherwise }',
    domain: 'x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 100',
    parameters: 'x: number[]',
    right: 'x[this.thread.x]! <= 2.6 ? x[this.thread.x]! : 0',
    wrong: 'x[this.thread.x]! < 2.60001 ? x[this.thread.x]! : 0',
  },
  'two inputs that are equal': {
    formula: 'f(x, c)_i = { 1 if x_i < c; 0 otherwise }',
    domain: 'x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 1e6, c ∈ F32, |c| ≤ 1e6',
    parameters: 'x: number[], c: number',
    right: 'x[this.thread.x]! < c ? 1 : 0',
    wrong: 'x[this.thread.x]! - c < 1e-5 && x[this.thread.x]! <= c ? 1 : 0',
  },
  'a tie of rounding': {
    formula: 'f(x)_i = ⌊x_i·8 + 0.5⌋',
    domain: 'x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 1000',
    parameters: 'x: number[]',
    right: 'Math.floor(x[this.thread.x]! * 8 + 0.5)',
    wrong: 'Math.ceil(x[this.thread.x]! * 8 - 0.5)',
  },
};

const contractText = ({ formula, domain }: Subject): string => `metadata:
  version: "1.0.0"
  description: Jumps somewhere
  references: ["Nobody (2024) A step function"]
equations:
  jump:
    formula: "${formula}"
    domain: "${domain}"
proof_obligations:
  - id: J-001
    type: equivalence
    property: The kernel computes the equation
    formal: "${formula.split(' = ')[0]?.replace('_i', '')}_i = ${formula.split(' = ')[0]?.replace('_i', '').replace('f(', 'f_ref(')}_i"
    applies_to: jump
`;

const kernelText = (parameters: string, result: string): string =>
  `import type { IKernelFunctionThis } from 'gpu.js';
export function kernel(this: IKernelFunctionThis, ${parameters}): number { return ${result}; }
`;

async function modelOf(subject: Subject): Promise<EquationModel> {
  const [elaborated] = elaborateAll([contractOf('jump-v1', contractText(subject))]);
  const model = elaborated?.equations[0];
  invariant(model, `the contract has an equation: ${JSON.stringify(elaborated?.diagnostics)}`);
  return model;
}

const numbersOf = ({ values }: Case): readonly number[] =>
  values.flatMap((value) => (typeof value === 'object' ? Array.from(value) : Number(value)));

describe.each(Object.entries(subjects))('%s', (_, subject) => {
  const verdictsOf = async (result: string) => {
    const kernels = [{ contract: 'jump-v1', equation: 'jump', text: kernelText(subject.parameters, result) }];
    const { claims } = await audited('jump-v1', contractText(subject), kernels, 1000);
    return claims[0];
  };

  it('is caught, and a kernel that is right passes', async () => {
    expect(await verdictsOf(subject.right)).toMatchObject({ verdict: 'tested' });
    expect((await verdictsOf(subject.right))?.scope).toMatch(/ and \d+ on the boundaries of the formula/);
    expect(await verdictsOf(subject.wrong)).toMatchObject({ verdict: 'falsified' });
  });

  it('has the same inputs each time, on both sides', async () => {
    const model = await modelOf(subject);
    const cases = await boundaryCases(model, 1);
    expect(await boundaryCases(model, 1)).toEqual(cases);
    expect(cases.length).toBeGreaterThan(8);
    expect(cases.length).toBeLessThanOrEqual(256);
  });
});

it('finds the floats next to a constant of the formula, and either zero', async () => {
  const [threshold] = Object.values(subjects);
  invariant(threshold, 'there is a subject');
  const numbers = new Set((await boundaryCases(await modelOf(threshold), 1)).flatMap(numbersOf));
  const below = Math.fround(2.6);
  for (const wanted of [below, below + 2 ** -22, below - 2 ** -22]) expect(numbers).toContain(wanted);
  const signed = { ...threshold, formula: 'f(x)_i = |x_i|' };
  const zeros = (await boundaryCases(await modelOf(signed), 1)).flatMap(numbersOf).filter((x) => x === 0);
  expect(zeros.some((x) => Object.is(x, -0)) && zeros.some((x) => Object.is(x, 0))).toBe(true);
});

it('finds none in a formula that does not jump', async () => {
  const smooth: Subject = {
    formula: 'f(x)_i = exp(x_i) / 2',
    domain: 'x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 10',
    parameters: '',
    right: '',
    wrong: '',
  };
  const model = await modelOf(smooth);
  expect(switchesOf(model.body)).toEqual([]);
  expect(await boundaryCases(model, 1)).toEqual([]);
});

it('has one switch for each comparison, rounding, minimum and largest element', async () => {
  const formula = 'f(x)_i = max(x) + min(x_i, 1) + ⌊x_i⌋ + { 1 if x_i > 3; 0 otherwise }';
  const model = await modelOf({ formula, domain: 'x ∈ F32^n, 1 ≤ n ≤ 8', parameters: '', right: '', wrong: '' });
  expect(switchesOf(model.body).length).toBe(4);
});
