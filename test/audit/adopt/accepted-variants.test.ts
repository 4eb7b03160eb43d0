/** Holds src/audit/adopt/accepted-variants.ts, src/report/adopt/variant-items.ts. */
import { describe, expect, it } from 'vitest';
import type { AcceptedVariants } from '../../../src/report/adopt/adoption.ts';
import { adoptionPage } from '../../../src/report/adopt/page.ts';
import { adopted, contractOf, saidOf } from './adopted.ts';

const mean = ['f(x) = (1/n) Σ_{i<n} x_i²', 'x ∈ F32^n, 1 ≤ n ≤ 16, -100 ≤ x_i ≤ 100'] as const;

async function variantsOf(formula: string, domain: string, claims: readonly string[]): Promise<AcceptedVariants> {
  const { variants } = await adopted({ 'c-v1': contractOf(formula, domain, claims) });
  const [found] = variants;
  if (!found || variants.length > 1) throw new Error(`${variants.length} equations were tried`);
  return found;
}

describe('wrong variants of a formula', () => {
  it('are accepted where the statements hold of them, each with an input that tells it from the formula', async () => {
    const found = await variantsOf(...mean, ['f(x) ≥ 0']);
    expect(found).toMatchObject({ contract: 'c-v1', equation: 'f', statements: 1, file: 'c-v1.yaml', line: 4 });
    expect(found.accepted).toBeGreaterThan(2);
    expect(found.accepted).toBeLessThan(found.tried);
    const [example] = found.examples;
    expect(found.examples).toHaveLength(3);
    expect(example?.right).not.toBe(example?.wrong);
  });

  it('are fewer, the more is stated', async () => {
    const weak = await variantsOf(...mean, ['f(x) ≥ 0']);
    const more = await variantsOf(...mean, ['f(x) ≥ 0', 'f(x) ≤ max_{i<n} x_i² + 1']);
    expect(more.tried).toBe(weak.tried);
    expect(more.accepted).toBeLessThan(weak.accepted);
  });

  it('are all caught by a claim that compares a kernel with the formula', async () => {
    const eqv = `${contractOf(...mean, ['f(x) ≥ 0'])}  - { id: EQV, type: equivalence, property: p, formal: "f(x) ≈ f_ref(x)", tolerance: { rel: 1e-5, abs: 1e-5 } }\n`;
    const { variants, judged } = await adopted({ 'c-v1': eqv });
    expect(judged.map(({ word }) => word)).toEqual(['held', 'held']);
    expect(variants).toMatchObject([{ statements: 2, accepted: 0, examples: [] }]);
  });

  it('are not caught by a claim that the formula breaks, too', async () => {
    const adoption = await adopted({ 'c-v1': contractOf(...mean, ['f(x) ≥ 0', 'f(x) ≥ 1']) });
    expect(saidOf(adoption, 'C-2').word).toBe('false');
    expect(adoption.variants[0]?.statements).toBe(1);
    expect(adoption.variants[0]?.accepted).toBeGreaterThan(2);
  });

  it('are caught at usual numbers by a claim that float32 breaks only beyond them', async () => {
    const square = ['f(x) = x²', 'x ∈ F32'] as const;
    const adoption = await adopted({ 'c-v1': contractOf(...square, ['f(x) ≥ 0', 'f(x) > 0 for x ≠ 0']) });
    expect(saidOf(adoption, 'C-2')).toMatchObject({ word: 'false-in-float32', extreme: true });
    const weak = await variantsOf(...square, ['f(x) ≥ 0']);
    expect(adoption.variants).toMatchObject([{ statements: 2, tried: weak.tried }]);
    expect(adoption.variants[0]?.accepted).toBeGreaterThan(0);
    expect(adoption.variants[0]?.accepted).toBeLessThan(weak.accepted);
  });

  it('are not tried of a formula that nothing is stated of', async () => {
    expect(await variantsOf(...mean, [])).toMatchObject({ statements: 0, tried: 0, accepted: 0 });
  });

  it('are not tried of an equation that is understood in part', async () => {
    const { variants } = await adopted({ 'c-v1': contractOf('f(x) = x²', 'x ∈ ℝ, fitted before', ['f(x) ≥ 0']) });
    expect(variants).toEqual([]);
  });
});

describe('a statement that no variant breaks', () => {
  const bounded = ['f(x) = 1 / (1 + exp(-x))', 'x ∈ F32, |x| ≤ 8'] as const;

  it('is held, and the report says that it says nothing of the formula', async () => {
    const adoption = await adopted({ 'c-v1': contractOf(...bounded, ['f(x) ≥ 5 ∨ 1 < 2', 'f(x) ≤ 1']) });
    const { tried } = adoption.variants[0] ?? { tried: 0 };
    expect(tried).toBeGreaterThan(5);
    expect(saidOf(adoption, 'C-1')).toMatchObject({ word: 'held', idleOf: tried });
    expect(saidOf(adoption, 'C-1').reason).toContain(`every wrong variant of its formulas that was tried (${tried})`);
    expect(saidOf(adoption, 'C-2')).not.toHaveProperty('idleOf');
    const { verdict, sections, mark } = adoptionPage(adoption);
    expect(mark).toBe('?');
    expect(verdict).toContain('2 held on every input tried (1 of them for every wrong formula tried, too)');
    const section = sections.find(({ heading }) => heading.startsWith('Hold for every wrong variant'));
    expect(section?.items).toEqual([{ title: `c-v1.yaml:7 C-1: f(x) ≥ 5 ∨ 1 < 2 (${tried} variants)`, lines: [] }]);
  });

  it('is not said of what compares kernels', async () => {
    const eqv = `${contractOf(...bounded, [])}proof_obligations:\n  - { id: EQV, type: equivalence, property: p, formal: "f(x) ≈ f_ref(x)", tolerance: { abs: 1e-5 } }\n`;
    const { judged } = await adopted({ 'c-v1': eqv });
    expect(judged.filter(({ idleOf }) => idleOf !== undefined)).toEqual([]);
  });
});

describe('a formula whose domain has one input', () => {
  it.each([
    ['0 ≤ x ≤ 0', 'not-run'],
    ['x ∈ {0}', 'not-run'],
    ['x ∈ {0, 1}', 'false'],
    ['0 ≤ x ≤ 1e-3', 'false'],
  ])('is hardly tried: x ∈ F32, %s is %s', async (range, word) => {
    const wrong = { 'c-v1': contractOf('f(x) = 100·x', `x ∈ F32, ${range}`, ['f(x) = x / (1 + exp(-x))']) };
    const said = saidOf(await adopted(wrong), 'C-1');
    expect(said.word).toBe(word);
    if (word === 'not-run') expect(said.reason).toContain('has only one input');
  });

  it('may have claims about one input, if its domain is larger', async () => {
    const one = { 'c-v1': contractOf('f(x) = 100·x', 'x ∈ F32, 0 ≤ x ≤ 1', ['x = 1 ⟹ f(x) = 100']) };
    expect(saidOf(await adopted(one), 'C-1').word).toBe('held');
  });
});

describe('a tautology', () => {
  it('is vacuous, once', async () => {
    const adoption = await adopted({ 'c-v1': contractOf(...mean, ['f(x) ≥ 5 ∨ 1 = 1', 'f(x) ≥ 0']) });
    expect(saidOf(adoption, 'C-1')).toMatchObject({ word: 'vacuous', mend: expect.stringContaining('reference') });
    expect(saidOf(adoption, 'C-2').word).toBe('held');
    expect(adoption.findings.map(({ code }) => code)).not.toContain('PV-3017');
    expect(adoptionPage(adoption).mark).toBe('✗');
  });
});

describe('the page', () => {
  it('says in its first line how many equations accept some, and shows two of each', async () => {
    const { verdict, mark, sections } = adoptionPage(await adopted({ 'c-v1': contractOf(...mean, ['f(x) ≥ 0']) }));
    expect(verdict).toMatch(/; of 1 equation tried, 1 would accept wrong kernels\.$/u);
    expect(mark).toBe('?');
    const { items, heading } = sections.at(0) ?? { items: [], heading: '' };
    expect(heading).toBe('Would accept wrong kernels (1)');
    expect(items[0]?.title).toMatch(
      /^c-v1\.yaml:4 f: \d+ of \d+ wrong variants of its formula pass the one statement about it that holds$/u,
    );
    expect(items[0]?.lines).toHaveLength(2);
    expect(items[0]?.lines[0]).toMatch(/^such as .+: at n = \d+, x = \[.+\] the formula gives .+ and the variant .+$/u);
  });

  it('gives no input of a formula that has none', async () => {
    const found = await adopted({ 'c-v1': contractOf(...mean, ['f(x) ≥ 0']) });
    const variants = found.variants.map((one) => ({
      ...one,
      examples: one.examples.map((example) => ({ ...example, input: { sizes: {}, values: {} } })),
    }));
    const { sections } = adoptionPage({ ...found, variants });
    expect(sections[0]?.items[0]?.lines[0]).toMatch(/^such as [^:]+: the formula gives .+ and the variant .+$/u);
  });

  it('does not tick an equation whose wrong variants could not be tried', async () => {
    const claims = ['f(x) ≥ 0', '|f(x) - f_ref(x)| ≤ 0.01'];
    const caught = await adopted({ 'c-v1': contractOf(...mean, claims) });
    expect(adoptionPage(caught).mark).toBe('✓');
    const untried = caught.variants.map((one) => ({ ...one, tried: 0 }));
    const { mark, sections } = adoptionPage({ ...caught, variants: untried });
    expect(mark).toBe('?');
    expect(sections[0]?.heading).toBe('Not tried on wrong variants: there are none, or the time ended (1)');
  });

  it('names the equations of which nothing is stated that runs', async () => {
    const { verdict, sections } = adoptionPage(await adopted({ 'c-v1': contractOf(...mean, []) }));
    expect(verdict).not.toContain('wrong kernels');
    expect(sections).toEqual([
      {
        heading: 'Would accept any kernel: no statement that is understood as a whole and holds is about them (1)',
        items: [{ title: 'c-v1.yaml:4 f', lines: [] }],
      },
    ]);
  });
});
