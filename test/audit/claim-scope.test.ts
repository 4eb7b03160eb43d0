/** A verdict is shown with what its evidence covers: how much ran, on what, over which sizes, and what it leaves out. */
import { describe, expect, it } from 'vitest';
import { nothingRan, scopeOf } from '../../src/audit/claim-scope.ts';
import { invariant } from '../../src/base/invariant.ts';
import type { Goal } from '../../src/contract/goal.ts';
import type { Receipt, StatisticRecord } from '../../src/evidence/receipt.ts';
import { sampleInput, sampleProof, sampleReceipt } from '../evidence/sample-receipt.ts';
import { planOf } from '../plan/projects.ts';
import { doublingContract, doublingKernel } from './audited.ts';

const [planned] = (await planOf({ 'double-v1': doublingContract([['D(x)_i = 2·x_i']]) }, [doublingKernel])).contracts;
const goal = planned?.goals[0]?.goal;
invariant(goal, 'the contract has a claim');
const overReals: Goal = { ...goal, overReals: { equations: [] } };
const sizes = '1 ≤ n ≤ 16';

describe('the scope of a claim', () => {
  it.each<[string, Goal, Partial<Receipt>, string]>([
    ['generated cases', goal, {}, '10,000 cases, seed 7, float32 on gpujs-webasm'],
    [
      'every size',
      goal,
      { combinations: { run: 16, all: 16 } },
      '10,000 cases at all 16 sizes, seed 7, float32 on gpujs-webasm',
    ],
    [
      'some of the sizes',
      goal,
      { combinations: { run: 1250, all: 4096 } },
      '10,000 cases at 1,250 of 4,096 sizes, seed 7, float32 on gpujs-webasm',
    ],
    [
      'sizes without a count',
      goal,
      { combinations: { run: 154, all: null } },
      '10,000 cases at 154 sizes, seed 7, float32 on gpujs-webasm',
    ],
    ['the only size', goal, { combinations: { run: 1, all: 1 } }, '10,000 cases, seed 7, float32 on gpujs-webasm'],
    ['declared inputs', goal, { method: 'falsify', cases: 2 }, '2 inputs, float32 on gpujs-webasm'],
    [
      'float64',
      goal,
      { backend: { id: 'ref64', device: 'x', arithmetic: 'f64' } },
      '10,000 cases, seed 7, float64 on ref64',
    ],
    [
      'a graphics device',
      goal,
      { backend: { id: 'webgl2', device: 'ANGLE (Google, SwiftShader 4)', arithmetic: 'f32' } },
      '10,000 cases, seed 7, float32 on webgl2 (SwiftShader)',
    ],
    ['no kernel', { ...goal, applications: [] }, {}, '10,000 cases, seed 7, mathematics in float64'],
    [
      'inputs beyond float32',
      goal,
      { beyond: { cases: 1500, open: 0 } },
      '10,000 cases, seed 7 and 1,500 beyond the numbers of kernels, float32 on gpujs-webasm',
    ],
    [
      'an input beyond float32 that nothing decides',
      goal,
      { beyond: { cases: 9, open: 1 } },
      '10,000 cases, seed 7 and 9 beyond the numbers of kernels (1 more is open), float32 on gpujs-webasm',
    ],
    [
      'inputs beyond float32 that nothing decides',
      goal,
      { beyond: { cases: 9, open: 2 } },
      '10,000 cases, seed 7 and 9 beyond the numbers of kernels (2 more are open), float32 on gpujs-webasm',
    ],
    ['a data set', goal, { method: 'controls', cases: 1 }, '1 data set with a known verdict, in float64'],
    ['data sets', goal, { method: 'controls', cases: 2 }, '2 data sets with a known verdict, in float64'],
    [
      'a tolerance of this backend',
      { ...goal, onBackends: { 'gpujs-webasm': { ...goal, toleranceText: 'rel 0.001' } } },
      {},
      '10,000 cases, seed 7, float32 on gpujs-webasm (tolerance rel 0.001)',
    ],
    [
      'an equation that breaks its own claim',
      goal,
      { method: 'soundness', verdict: 'unsound', cases: 3 },
      'the equation itself in float32: 3 cases, seed 7',
    ],
  ])('says of %s what was run', (_, of, receipt, text) => {
    expect(scopeOf([sampleReceipt(receipt)], of)).toBe(`${text}, ${sizes}`);
  });

  it.each<[string, Goal, Partial<Receipt>, string]>([
    ['generated inputs', overReals, { method: 'reals' }, '10,000 cases, seed 7'],
    ['the inputs of a test', { ...overReals, source: 'falsification' }, { method: 'reals', cases: 4 }, '4 inputs'],
    ['declared inputs', overReals, { method: 'falsify', cases: 4 }, '4 inputs'],
  ])('over the reals is not about a kernel: %s', (_, of, receipt, text) => {
    expect(scopeOf([sampleReceipt(receipt)], of)).toMatch(
      new RegExp(`^over the reals: ${text}, \\d+ digits or more, ${sizes}, about the equation and not about a kernel$`),
    );
  });

  it.each<[string, Receipt, string]>([
    ['whole', sampleProof({ axioms: [] }), 'float32 code proved for every n from 1 to 16'],
    [
      'under axioms',
      sampleProof({ axioms: ['a', 'b'] }),
      'float32 code proved for every n from 1 to 16 under 2 axioms',
    ],
    [
      'in part',
      sampleProof({ axioms: [], inPart: 'n = 2 is left out' }),
      'float32 code proved in part (n = 2 is left out) for every n from 1 to 16',
    ],
    ['with a statement open', sampleProof({ proved: 15 }), 'bounded proof undetermined'],
    ['without a record', sampleReceipt({ method: 'bounded', verdict: 'undetermined' }), 'no proof'],
  ])('of a proof is what was proved: %s', (_, receipt, text) => {
    expect(scopeOf([receipt], goal)).toBe(`${text}, ${sizes}`);
  });

  it('of draws is how sure they make, and the interval that reaches furthest', () => {
    const worst = {
      estimate: 0.498_04,
      low: 0.49,
      high: 0.51,
      target: 0.5,
      element: 0,
      alpha: 0.001,
      input: sampleInput,
    };
    const statistic: StatisticRecord = {
      comparison: 'mean(x_i) ≈ 0.5',
      statistic: 'mean',
      relation: '≈',
      intervals: 60,
      within: 60,
      outside: 0,
      worst: { ...worst, allowed: 0.05 },
    };
    const bound: StatisticRecord = { ...statistic, relation: '≤', intervals: 4, worst: { ...worst, allowed: null } };
    const receipt = sampleReceipt({ method: 'statistical', cases: 4096, statistics: [statistic, bound] });
    const statistical = { comparisons: [], random: ['x'], draws: 64, settings: 64, alpha: 0.001 };
    expect(scopeOf([receipt], { ...goal, statistical })).toBe(
      `4,096 draws, seed 7, float32 on gpujs-webasm, 64 intervals at confidence 99.9 % together, mean 0.498 in [0.49, 0.51] for ≈ 0.5 ± 0.05, mean 0.498 in [0.49, 0.51] for ≤ 0.5, ${sizes}`,
    );
  });

  it('counts nothing that decides no claim', () => {
    const others = (['types', 'adequacy', 'soundness'] as const).map((method) => sampleReceipt({ method }));
    expect(scopeOf(others, goal)).toBe(nothingRan);
    expect(scopeOf([...others, sampleReceipt()], goal)).toBe(`10,000 cases, seed 7, float32 on gpujs-webasm, ${sizes}`);
  });

  it('leaves out sizes that follow from others, and names what the run used that may be otherwise tomorrow', () => {
    const [size] = goal.domain.sizes;
    invariant(size, 'the vector has a length');
    const derived = { ...size, name: 'm', definition: goal.predicate };
    const of: Goal = { ...goal, domain: { ...goal.domain, sizes: [size, derived] } };
    const open = sampleReceipt({ inputs: { closed: [], open: ['the clock', 'a file'] } });
    expect(scopeOf([open, open], of)).toMatch(/, 1 ≤ n ≤ 16, of this run alone: it used a file and the clock$/u);
  });
});
