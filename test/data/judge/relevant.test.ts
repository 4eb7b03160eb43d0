/** Holds src/data/judge/evaluate.ts, src/data/judge/gather.ts. */
import { describe, expect, it } from 'vitest';
import { checkData } from '../../../src/data/judge/check-data.ts';
import { relevantPart } from '../../../src/data/judge/relevant.ts';
import { printTerm } from '../../../src/math/term/print-term.ts';
import { claims } from './claims.ts';
import { config, dataContract, log } from './data-sets.ts';

/** Steps end by `max_steps` alone, or by the data as well where epochs are counted. */
const steps = dataContract(`
data:
  kind: config
  domain: >-
    epochs ∈ F64_ext, sequences ∈ ℤ, max_steps ∈ ℤ, warmup ∈ ℤ, scratch ∈ Bool, parameters ∈ ℤ,
    epochs > 0, sequences ≥ 1, max_steps ≥ 1, warmup ≥ 0, parameters ≥ 1
  inputs:
    epochs: { default: "∞" }
    max_steps: { default: "{ ⌊epochs·sequences⌋ if epochs < ∞; ∞ otherwise }" }
    scratch: { default: "true" }
equations:
  available: { formula: "available = { ⌊epochs·sequences⌋ if epochs < ∞; ∞ otherwise }" }
  actual: { formula: "actual = min(max_steps, available)" }
proof_obligations:
  - { id: ENOUGH, type: bound, property: enough, formal: "epochs < ∞ ⟹ available ≥ max_steps" }
  - { id: WARM, type: bound, property: warm, formal: "warmup < actual" }
  - { id: TOKENS, type: bound, property: tokens, formal: "scratch = true ⟹ actual ≥ parameters" }
`);

async function verdicts(values: Parameters<typeof config>[0]): Promise<readonly string[]> {
  const { obligations } = await checkData(steps, [config(values)], new Map());
  return obligations.map(({ verdict, missing }) => [verdict, ...missing.map(({ name }) => name)].join(' '));
}

describe('inputs that a claim does not rest on', () => {
  it('are not requested: the branch that is not taken, the conclusion of a false premise', async () => {
    expect(await verdicts({ max_steps: 100, warmup: 10, scratch: false })).toEqual(['vacuous', 'satisfied', 'vacuous']);
  });

  it('are requested as soon as the claim rests on them', async () => {
    expect(await verdicts({ epochs: 2, max_steps: 100, warmup: 10 })).toEqual([
      'undetermined sequences',
      'undetermined sequences',
      'undetermined sequences parameters',
    ]);
    expect(await verdicts({ epochs: 2, sequences: 60, max_steps: 100, warmup: 10, parameters: 101 })).toEqual([
      'satisfied',
      'satisfied',
      'violated',
    ]);
  });

  it('leave a default that its own input could not have unset', async () => {
    expect(await verdicts({ warmup: 10, scratch: false })).toEqual(['vacuous', 'undetermined max_steps', 'vacuous']);
  });

  it('may be columns: a claim about rows whose premise is false for the whole log says nothing', async () => {
    const clipped = dataContract(`
data:
  kind: log
  domain: "norm ∈ F64_ext^T, clips ∈ Bool, limit ∈ ℝ, limit > 0"
proof_obligations:
  - { id: NORM, type: bound, property: norms, formal: "clips = true ⟹ norm_t ≤ limit" }
`);
    const found = await checkData(clipped, [log({ loss: [1, 2] }), config({ clips: false })], new Map());
    expect(found.obligations.map(({ verdict, missing }) => [verdict, missing])).toEqual([['vacuous', []]]);
    const on = await checkData(clipped, [log({ norm: [1, 5] }), config({ clips: true, limit: 3 })], new Map());
    expect(on.obligations.map(({ verdict, rows }) => [verdict, rows?.failing])).toEqual([['violated', 1]]);
  });

  it('may wait for each other without end', async () => {
    const circle = dataContract(`
data:
  kind: config
  domain: "a ∈ ℝ, b ∈ ℝ"
  inputs:
    a: { default: "{ 1 if b > 0; 2 otherwise }" }
    b: { default: "{ 1 if a > 0; 2 otherwise }" }
proof_obligations:
  - { id: SUM, type: bound, property: sum, formal: "a + b > 0" }
`);
    const found = await checkData(circle, [config({})], new Map());
    expect(found.obligations.map(({ verdict }) => verdict)).toEqual(['undetermined']);
  });
});

describe('what is left of a claim where conditions are known', () => {
  const domain = 'v ∈ F64_ext^T, a ∈ ℝ, b ∈ ℝ, p ∈ Bool, q ∈ Bool';

  it.each<readonly [formal: string, truths: Readonly<Record<string, boolean>>, part: string, asked: readonly string[]]>(
    [
      ['p ⟹ a ≤ b', { p: false }, 'p ⟹ true', ['p']],
      ['p ⟹ a ≤ b', { p: true }, 'p ⟹ a ≤ b', ['p']],
      ['p ⟹ a ≤ b', {}, 'p ⟹ a ≤ b', ['p']],
      ['{ a if p; b otherwise } ≤ 1', { p: true }, 'a ≤ 1', ['p']],
      ['{ a if p; b otherwise } ≤ 1', { p: false }, 'b ≤ 1', ['p']],
      ['{ a if p; b otherwise } ≤ 1', {}, '{ a if p; b otherwise } ≤ 1', ['p']],
      ['p ⟹ v_t ≤ 1', { p: false }, 'p ⟹ true', ['p', 'p']],
      ['p ⟹ v_t ≤ 1', { p: true }, '∀_{t<T}: p ⟹ v_t ≤ 1', ['p']],
      ['p ⟹ v_t ≤ 1', {}, '∀_{t<T}: p ⟹ v_t ≤ 1', ['p']],
      ['v_t > a ⟹ v_t ≤ 1', { 'v_t > a': false }, '∀_{t<T}: v_t > a ⟹ v_t ≤ 1', []],
      ['p ∧ q ⟹ a ≤ b', { 'p ∧ q': false }, 'p ∧ q ⟹ true', ['p ∧ q']],
      ['p ⟹ (q ⟹ a ≤ b)', { p: true, q: false }, 'p ⟹ (q ⟹ true)', ['p', 'q']],
      [
        'max(v) > a ⟹ max(v) ≤ b',
        { 'let max = max_{i<T} v_i in max > a': false },
        'let max = max_{i<T} v_i in max > a ⟹ true',
        ['let max = max_{i<T} v_i in max > a'],
      ],
      ['∃ t: p ⟹ v_t ≤ 1', { p: false }, '∃_{t<T}: p ⟹ true', ['p']],
      ['Σ_t { v_t if p; 0 otherwise } ≤ 1', { p: false }, 'Σ_{t<T} 0 ≤ 1', ['p']],
      ['{ { a if q; 1 otherwise } if p; b otherwise } ≤ 1', { p: true, q: false }, '1 ≤ 1', ['p', 'q']],
      ['∀ t: (v_t ≤ 1 ⟹ p)', { p: true }, '∀_{t<T}: v_t ≤ 1 ⟹ p', []],
    ],
  )('%s, where %o, is %s', (formal, truths, part, asked) => {
    const [goal] = claims('log', domain, [formal]).dataGoals;
    if (!goal) throw new Error('it is a claim');
    const conditions: string[] = [];
    const relevant = relevantPart(goal.predicate, (condition) => {
      conditions.push(printTerm(condition));
      return truths[printTerm(condition)] ?? null;
    });
    expect(printTerm(relevant)).toBe(part);
    expect(conditions).toEqual(asked);
  });

  it('is the same for the same answers, and another for others', () => {
    const [goal] = claims('log', domain, ['p ⟹ (q ⟹ a ≤ b)']).dataGoals;
    if (!goal) throw new Error('it is a claim');
    const under = (truths: Readonly<Record<string, boolean | null>>) =>
      relevantPart(goal.predicate, (condition) => truths[printTerm(condition)] ?? null);
    const first = under({ p: true, q: false });
    expect(under({ p: true, q: false })).toBe(first);
    expect(printTerm(under({ p: true, q: true }))).toBe('p ⟹ (q ⟹ a ≤ b)');
    expect(printTerm(under({ p: false }))).toBe('p ⟹ true');
    expect(under({ p: true, q: false })).toBe(first);
    expect(printTerm(under({}))).toBe('p ⟹ (q ⟹ a ≤ b)');
  });
});
