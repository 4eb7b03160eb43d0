import { describe, expect, it } from 'vitest';
import { adopted, contractOf } from './adopted.ts';

const erf = 'G(x) = 0.5·x·(1 + erf(x/√2))';
const tanh = 'G(x) = 0.5·x·(1 + tanh(√(2/π)·(x + 0.044715·x^3)))';
const compared = async (a: string, b: string, domains: readonly [string, string] = ['x ∈ ℝ', 'x ∈ ℝ']) => {
  const report = await adopted({ 'a-v1': contractOf(a, domains[0], []), 'b-v1': contractOf(b, domains[1], []) });
  return report.judged.filter(({ word }) => word === 'contradicts');
};

describe('two contracts about one quantity', () => {
  it('contradict each other where their formulas differ, with an input and both places', async () => {
    const [found, ...more] = await compared(erf, tanh);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ contract: 'a-v1', claim: 'f', file: 'a-v1.yaml', line: 4, against: tanh });
    expect(found?.reason).toMatch(/^b-v1 \(b-v1.yaml:4\) defines it as /u);
    expect(found?.counterexample?.explanation).toMatch(/^over the reals, /u);
  });

  it('do not where the formulas are equal, however they are written', async () => {
    expect(await compared(erf, 'G(x) = x · (1 + erf(x/√2)) / 2')).toEqual([]);
    expect(await compared(erf, erf)).toEqual([]);
  });

  it('do not where they differ beside the inputs that both have', async () => {
    const domains = ['x ∈ ℝ, x ≥ 0', 'x ∈ ℝ'] as const;
    expect(await compared('G(x) = x', 'G(x) = |x|', domains)).toEqual([]);
    expect(await compared('G(x) = x', 'G(x) = |x|', ['x ∈ ℝ', 'x ∈ ℝ, x ≥ 0'])).toEqual([]);
    expect((await compared('G(x) = x', 'G(x) = |x|')).length).toBe(1);
  });

  it('are about other quantities where symbol or inputs differ', async () => {
    expect(await compared('G(x) = x', 'H(x) = 2·x')).toEqual([]);
    expect(await compared('G(x) = x', 'G(y) = 2·y', ['x ∈ ℝ', 'y ∈ ℝ'])).toEqual([]);
    expect(await compared('G(x) = x', 'G(x)_i = 2·x_i', ['x ∈ ℝ', 'x ∈ ℝ^n, n ≥ 1'])).toEqual([]);
  });

  it('are about other quantities where a short symbol belongs to equations of other names', async () => {
    const renamed = contractOf('G(x) = 2·x', 'x ∈ ℝ', []).replace('  f:', '  twice:');
    const report = await adopted({ 'a-v1': contractOf('G(x) = x', 'x ∈ ℝ', []), 'b-v1': renamed });
    expect(report.judged.filter(({ word }) => word === 'contradicts')).toEqual([]);
    const long = { 'a-v1': contractOf('GELU(x) = x', 'x ∈ ℝ', []), 'b-v1': renamed.replace('G(x)', 'GELU(x)') };
    expect((await adopted(long)).judged.filter(({ word }) => word === 'contradicts').length).toBe(1);
  });

  it('are compared element by element', async () => {
    const both = ['x ∈ ℝ^n, n ≥ 1', 'x ∈ ℝ^n, n ≥ 1'] as const;
    expect((await compared('G(x)_i = x_i', 'G(x)_i = x_i · (1 + i)', both)).length).toBe(1);
    expect(await compared('G(x)_i = x_i', 'G(x)_i = 2 · x_i / 2', both)).toEqual([]);
  });
});

describe('constants', () => {
  const constants = (...formulas: readonly string[]): string =>
    [
      'metadata: { version: "1.0.0", description: Tried }',
      'equations:',
      ...formulas.flatMap((formula, i) => [`  e${i}:`, `    formula: "${formula}"`]),
      '',
    ].join('\n');
  const contradictions = async (...files: readonly (readonly string[])[]) => {
    const texts = Object.fromEntries(files.map((formulas, i) => [`c${i}-v1`, constants(...formulas)]));
    const { judged } = await adopted(texts);
    return judged
      .filter(({ word }) => word === 'contradicts')
      .map(({ contract, claim, against }) => [contract, claim, against]);
  };

  it('with one name and two values contradict each other, in one file and in two', async () => {
    const four = 'max_seq_len = 4096';
    expect(await contradictions(['max_seq_len = 2048', four])).toEqual([['c0-v1', 'e0', four]]);
    expect(await contradictions(['max_seq_len = 2048'], [four])).toEqual([['c0-v1', 'e0', four]]);
    expect(await contradictions(['rms_eps = 1e-5'], ['rms_eps = 1e-6'])).toHaveLength(1);
    expect(await contradictions(['vocab = 50257', four], ['vocab = 50304', four])).toHaveLength(1);
  });

  it('do not with one value, however it is written, or with two names', async () => {
    expect(await contradictions(['max_seq_len = 4096', 'max_seq_len = 2^12'], ['max_seq_len = 4096.0'])).toEqual([]);
    expect(await contradictions(['max_seq_len = 2048', 'max_seq = 4096'])).toEqual([]);
    expect(await contradictions(['pi_ = 3.1415927'], ['pi_ = 3.14159265'])).toEqual([]);
    expect(await contradictions(['k = 1'], ['x = 0', 'k = 2'])).toEqual([]);
  });
});
