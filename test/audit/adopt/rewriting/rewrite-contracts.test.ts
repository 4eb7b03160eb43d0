/**
 * Holds src/audit/adopt/rewriting/candidates.ts, src/audit/adopt/rewriting/declarations.ts, src/audit/adopt/rewriting/only-words.ts,
 * src/audit/adopt/rewriting/patch-text.ts, src/audit/adopt/rewriting/rewrite-contract.ts,
 * src/audit/adopt/rewriting/rewrite-contracts.ts, src/audit/adopt/rewriting/same-meaning.ts.
 */
import { describe, expect, it } from 'vitest';
import { runHere, tool } from '../../../../scripts/public-contracts/run-here.ts';
import { patchText } from '../../../../src/audit/adopt/rewriting/patch-text.ts';
import { rewriteContracts, type Rewritings } from '../../../../src/audit/adopt/rewriting/rewrite-contracts.ts';
import { readContracts } from '../../../../src/contract/validate.ts';
import type { Adoption } from '../../../../src/report/adopt/adoption.ts';
import { applyPatch } from '../../../support/apply-patch.ts';
import { adopted, contractOf, saidOf } from '../adopted.ts';

interface Found {
  readonly before: Adoption;
  readonly rewritings: Rewritings;
  /** The files with the patch. */
  readonly files: Readonly<Record<string, string>>;
  readonly now: readonly string[];
}

async function rewritten(texts: Readonly<Record<string, string>>): Promise<Found> {
  const before = await adopted(texts);
  const sources = Object.entries(texts).map(([id, text]) => ({ path: `${id}.yaml`, text }));
  const { value } = readContracts(sources);
  const rewritings = await rewriteContracts(value, before.judged, runHere, { tool, seed: 1 });
  const byPath = Object.fromEntries(sources.map(({ path, text }) => [path, text]));
  const after = applyPatch(
    byPath,
    patchText(rewritings, (path) => path),
  );
  const changes = rewritings.files.flatMap((file) => file.rewritings.flatMap((one) => one.changes));
  return {
    before,
    rewritings,
    files: Object.fromEntries(Object.entries(after).map(([path, text]) => [path.replace(/\.yaml$/u, ''), text])),
    now: changes.map(({ now }) => now),
  };
}

/** The one that has a comment; of two contracts with one name, only the last one read is used. */
const changedOf = (files: Readonly<Record<string, string>>): string | undefined =>
  Object.entries(files).find(([, text]) => text.includes('a ∈ ℝ'))?.[0];

const words = (text: string): readonly string[] => text.split(/[\s"']+/u).filter((word) => word !== '');

describe('rewriting contracts', () => {
  it('declares what a domain in English leaves out, keeps its words, and makes the claims run', async () => {
    const text = contractOf('f = a * a + b', 'Training config', ['f - b ≥ 0']);
    const { before, rewritings, files, now } = await rewritten({ c: text });
    expect(saidOf(before, 'C-1').word).toBe('not-run');
    expect(now).toEqual(['a ∈ ℝ, b ∈ ℝ']);
    expect(rewritings).toMatchObject({ unlocked: 1, leftOut: 0 });
    expect(files['c']).toContain(
      '    # pv: was "Training config"\n    # pv: read as below; a ∈ ℝ, b ∈ ℝ are assumed; confirm\n    domain: "a ∈ ℝ, b ∈ ℝ"\n',
    );
    expect(saidOf(await adopted(files), 'C-1').word).toBe('held');
  });

  it('declares nothing that another equation computes', async () => {
    const text = contractOf('f(x) = x + c', 'x ∈ ℝ, |x| ≤ 5', ['f(x) ≤ c + 5']);
    const other = '  c: { formula: "c(x, y) = x·y", domain: "x ∈ ℝ, y ∈ ℝ, |x| ≤ 5, |y| ≤ 5" }\n';
    const { now } = await rewritten({ c: text.replace('equations:\n', `equations:\n${other}`) });
    expect(now).toEqual([]);
    expect((await rewritten({ c: text })).now).toEqual(['x ∈ ℝ, |x| ≤ 5, c ∈ ℝ']);
  });

  it('keeps what a domain declares, and leaves words before and after it in the comment', async () => {
    const { now, files } = await rewritten({
      c: contractOf('f(x) = Σ_i w_i * x_i', 'x ∈ ℝ^d, fitted w ∈ ℝ^d', ['f(0·x) = 0']),
    });
    expect(now).toEqual(['x ∈ ℝ^d, w ∈ ℝ^d']);
    expect(files['c']).toContain("# pv: read as below, without 'fitted'; confirm\n");
    const formula = await rewritten({
      c: contractOf('f(x) = 2·x for dense compute', 'x ∈ ℝ, |x| ≤ 10', ['f(x) ≤ 20']),
    });
    expect(formula.now).toEqual(['f(x) = 2·x']);
  });

  it('cuts the words after a claim if it then holds', async () => {
    const { now, rewritings, files } = await rewritten({
      c: contractOf('f(x) = x^2', 'x ∈ ℝ, |x| ≤ 10', ['f(x) ≥ 0 (as ever)', 'f(x) ≥ 1 (as ever)']),
    });
    expect(now).toEqual(['f(x) ≥ 0']);
    expect(rewritings).toMatchObject({ unlocked: 1, leftOut: 1 });
    expect(saidOf(await adopted(files), 'C-2').word).toBe('prose');
  });

  it('quantifies what a claim assumes', async () => {
    const { now } = await rewritten({ c: contractOf('f(x) = x^2', 'x ∈ ℝ, |x| ≤ 10', ['f(a·x) ≥ 0·a']) });
    expect(now).toEqual(['∀ a ∈ ℝ: f(a·x) ≥ 0·a']);
  });

  it('rewrites an equation and the claims about it together, once', async () => {
    const { now, rewritings, files } = await rewritten({
      c: contractOf('f = a * a', 'Some config', ['f ≥ 0 (as ever)']),
    });
    expect(now).toEqual(['a ∈ ℝ', 'f ≥ 0']);
    expect(rewritings.unlocked).toBe(1);
    expect((await rewritten(files)).now).toEqual([]);
  });

  it('leaves an equation as it is where a statement would be false, which its words may exclude', async () => {
    const { now, rewritings } = await rewritten({ c: contractOf('f = a * a', 'Some config', ['f ≥ 1', 'f ≥ 0']) });
    expect(now).toEqual([]);
    expect(rewritings).toEqual({ files: [], unlocked: 0, leftOut: 1 });
  });

  it('also where the statement is in a contract that depends on it', async () => {
    const base = contractOf('f = a * a', 'Some config', []);
    const above = contractOf('g = f + 1', 'a ∈ ℝ', ['f ≥ 1'])
      .replace('description: Tried', 'description: Tried, depends_on: [a]')
      .replace('  f:', '  g:');
    expect((await rewritten({ a: base })).now).toEqual(['a ∈ ℝ']);
    expect((await rewritten({ a: base, b: above })).now).toEqual([]);
  });

  it.each([
    ['a condition', 'x ∈ ℝ, n (even)', 'f(x) = n·x'],
    ['a bound in words', 'x ∈ ℝ, scale must be larger than zero', 'f(x) = scale·x'],
    ['a format', 'x ∈ ℝ (int8 after all of it)', 'f(x) = x + b'],
    ['a number', 'x ∈ ℝ, b defaults to 512 bytes', 'f(x) = x + b'],
    ['a matrix', 'Shared embedding matrix', 'W_u = W_e'],
    ['half of a word', 'x ∈ ℝ, b=per-layer parameters', 'f(x) = x + b'],
    ['operations that are known not to be of numbers', 'x ∈ ℝ', 'f(x) = x·(A @ B)'],
  ])('does not leave out %s', async (_, domain, formula) => {
    expect((await rewritten({ c: contractOf(formula, domain, []) })).now).toEqual([]);
  });

  it.each([
    'f(x) ≥ 1 when all inputs are large',
    'f(x) ≥ 0 for positive inputs',
    'f(x) ≥ 0 for random x in [0, 1)',
    'f(x) ≥ 0 after normalization',
    'f(x) ≥ 0 (after normalization)',
    'f(x) ≥ 0 for all averaging modes',
    'f is smooth',
    'f(x) ≥ 0 (wrong)',
    'f(x) ≥ 0 (WRONG)',
    'f(x) ≥ 0 (violated)',
    'f(x) ≥ 0 (conjecture)',
    'f(x) ≥ 0 (unverified)',
    'f(x) ≥ 0 (in float64)',
    'f(x) ≥ 0 (for positive x)',
    'f(x) ≥ 0 for probably random inputs',
  ])('does not leave out of a claim what may limit it: %s', async (claim) => {
    expect((await rewritten({ c: contractOf('f(x) = x^2', 'x ∈ ℝ, |x| ≤ 10', [claim]) })).now).toEqual([]);
  });

  it('leaves out a remark that repeats the claim', async () => {
    const claim = 'f(x) ≥ 0 (non-negative)';
    expect((await rewritten({ c: contractOf('f(x) = x^2', 'x ∈ ℝ, |x| ≤ 10', [claim]) })).now).toEqual(['f(x) ≥ 0']);
  });

  it('writes no type that was only assumed where another domain, or a range, says another', async () => {
    expect((await rewritten({ c: contractOf('f = a * a', 'Training config', []) })).now).toHaveLength(1);
    const and = (formula: string, domain: string): string =>
      `${contractOf('f = a * a', 'Training config', [])}  g:\n    formula: "${formula}"\n    domain: "${domain}"\n`;
    expect((await rewritten({ c: and('g(a) = a', 'a ∈ ℕ⁺') })).now).toEqual(['a ∈ ℕ⁺']);
    expect((await rewritten({ c: and('g(b) = b', 'b ∈ ℝ') })).now).toEqual(['a ∈ ℝ']);
    const assumed = contractOf('f = C * a', 'Training config', []);
    const counted = `  g:\n    formula: "g = |{k : y_k = 0}|"\n    domain: "y ∈ {0, ..., C-1}^n"\n`;
    const { now } = await rewritten({ c: assumed + counted });
    expect(now.join()).not.toContain('C ∈ ℝ');
    const counts = contractOf('p = TP / (TP + FP)', 'y, ŷ ∈ {0, ..., C-1}ⁿ, TP + FP > 0', []);
    expect((await rewritten({ c: counts })).now).toEqual([]);
  });

  it('keeps every word, and every byte outside of the lines that it changes', async () => {
    const text = contractOf(
      'f = a * a',
      'Some config',
      ['f ≥ 0 (as ever)'],
      ['codomain:   "f ∈ ℝ (a number)"   # odd   spacing', 'invariants: [\'f ≥ 0 (as above)\', "f ≥ -1 (so too)"]'],
    ).replaceAll('\n', '\r\n');
    const { files, now } = await rewritten({ c: text });
    const after = files['c'] ?? '';
    expect(now.length).toBeGreaterThan(2);
    const kept = new Map<string, number>();
    for (const word of words(after)) kept.set(word, (kept.get(word) ?? 0) + 1);
    for (const word of words(text)) {
      const left = kept.get(word) ?? 0;
      expect(left, word).toBeGreaterThan(0);
      kept.set(word, left - 1);
    }
    expect(after.split('\r\n').join('').includes('\n')).toBe(false);
    expect(after).toContain('# odd   spacing\r\n');
  });

  it('tells files with contracts of one name apart', async () => {
    const { files } = await rewritten({
      'a/c': contractOf('f = a * a', 'Some config', ['f ≥ 0']),
      'b/c': contractOf('g(x) = x^2', 'x ∈ ℝ, |x| ≤ 10', ['g(x) ≥ 0']).replace('  f:', '  g:'),
    });
    for (const [id, text] of Object.entries(files)) expect(text.includes('pv: was')).toBe(id === changedOf(files));
  });

  it('finds nothing to do in a contract that is notation', async () => {
    const { rewritings } = await rewritten({ c: contractOf('f(x) = x^2', 'x ∈ ℝ, |x| ≤ 10', ['f(x) ≥ 0']) });
    expect(rewritings).toEqual({ files: [], unlocked: 0, leftOut: 0 });
    expect(patchText(rewritings, (path) => path)).toBe('');
  });
});
