import { describe, expect, it } from 'vitest';
import { claimStory } from '../../src/report/claim-story.ts';
import { adviceOnSurvivors, contractProblems, survivorText } from '../../src/report/contract-problems.ts';
import { levelText } from '../../src/report/facts.ts';
import type { ClaimReport, ContractReport } from '../../src/report/report.ts';
import { everyVerdict } from './sample-reports.ts';

const contract = everyVerdict.contracts.find(({ sound }) => sound === false);
if (!contract) throw new Error('the sample has an unsound contract');

describe('an unsound contract', () => {
  it('names the claims that its own equation breaks, and says that they are too strict', () => {
    const [first, second, ...others] = contract.claims;
    if (!first || !second) throw new Error('the sample has claims');
    const method = first.methods[0] ?? contract.claims.flatMap(({ methods }) => methods)[0];
    if (!method) throw new Error('the sample has methods');
    const broken = (claim: ClaimReport): ClaimReport => ({
      ...claim,
      methods: [{ ...method, method: 'soundness', verdict: 'unsound' }],
    });
    const unsound: ContractReport = { ...contract, claims: [broken(first), broken(second), ...others] };
    const problem = contractProblems(unsound).find(({ kind }) => kind === 'unsound');
    expect(problem?.message).toBe(`the equation itself, in float32, does not satisfy ${first.id} and ${second.id}`);
    expect(problem?.advice).toMatch(
      /^correct the claim or the formula if it is false over ℝ, too .*widen the tolerance/u,
    );
  });
});

describe('a survivor', () => {
  const mutant = { mutant: 'kernel:1:1 a → b', killedBy: [], killedByOrdinary: [], equivalent: null };
  const separatingInput = { sizes: { n: 1 }, values: { x: { hex: 'f32:3f800000', text: '[1]' } } };

  it('is shown with what it gives and what is right', () => {
    const separatingOutputs = { right: '[1]', wrong: '[0]' };
    expect(survivorText({ ...mutant, separatingInput, separatingOutputs })).toBe(
      'kernel:1:1 a → b survives (at n = 1, x = [1] it gives [0], and [1] is right)',
    );
  });
  it('is shown with its input where the outputs are not known, and without where it differs nowhere', () => {
    expect(survivorText({ ...mutant, separatingInput, separatingOutputs: null })).toContain('it differs at n = 1');
    expect(survivorText({ ...mutant, separatingInput: null, separatingOutputs: null })).toContain(
      'no input was found where it is wrong',
    );
  });
});

describe('a claim that runs the kernel twice', () => {
  it('says which output is of which run', () => {
    const claim = contract.claims.find(({ counterexample }) => counterexample !== null);
    if (!claim?.counterexample) throw new Error('the sample has a counterexample');
    const story = claimStory({ ...claim, counterexample: { ...claim.counterexample, outputs: ['[0]', '[1]'] } });
    expect(story).toContain('the kernel gave [0] in run 1 of 2');
    expect(story).toContain('the kernel gave [1] in run 2 of 2');
  });
});

describe('a contract over data', () => {
  it('shows its level with the highest that there is', () => {
    expect(levelText({ level: 'L2', about: 'data' })).toBe('L2 of L2: data');
    expect(levelText({ level: 'L2', about: 'kernels' })).toBe('L2');
  });
  it('is strengthened by data, and not by claims about kernels', () => {
    expect(adviceOnSurvivors({ about: 'data' })).toContain('falsification test whose data');
    expect(adviceOnSurvivors({ about: 'kernels' })).toContain('wrong kernel');
  });
});
