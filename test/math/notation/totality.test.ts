/** Holds src/math/notation/lex.ts, src/math/notation/parse-big.ts, src/math/notation/parse-cases.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNotation } from '../../../src/math/notation/read.ts';
import type { FieldRole, Notation } from '../../../src/math/notation/syntax.ts';
import { printText } from '../../../src/math/print/text.ts';
import { proseSentences } from './prose-sentences.ts';

const roles: readonly FieldRole[] = ['proposition', 'formula', 'domain', 'expression'];
const seeds = [
  'σ(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))',
  'x ∈ F32^n, 1 ≤ n ≤ 512, |x_i| ≤ 1e4',
  '∀ i ∈ [0, n): |a_i - b_i| ≤ ε·‖x‖_∞ when ε > 0',
  'y = { a if p; b otherwise }',
  'y = x / r where r = √(Σ_i x_i² / n + ε)',
  'A[i, :] @ B^T ≈ ⟨x, y⟩ (up to rounding)',
  'for all l: shape(block_l(x)) = shape(x)',
  '{i : y_i = z_i} ∪ [0, 1) = {0..C-1}',
  'L = ½a² if |a| ≤ δ, else δ(|a| - ½δ)\nM = K',
  'E[KL(P || Q)] ≤ 8 ULP # note',
  "\\sum_{i=1}^{n} \\frac{x'_i}{n} -> 0",
  'n = 4, m = 2 ⟹ f(x) = f(y) for any c, e is finite',
  ...proseSentences.slice(0, 40),
];
const alphabet = fc.constantFrom(
  ...new Set([...seeds.join(''), ...'()[]{}|‖⌊⌋⌈⌉⟨⟩,;:.?!^_²ᵢ₁⁻\\"\'#%\n\t \r√∀∃Σ∏→⟹∞½𝔼\u0302\ud800']),
);
const fragments = fc.constantFrom(
  'if ',
  ' else ',
  ' where ',
  ' for all ',
  ' when ',
  '||',
  '|',
  '^{',
  '_{',
  '}',
  '(',
  ')',
  'Σ_',
  ' in ',
  ' is finite',
  '..',
  '\n  ',
  ', ',
  '; ',
  ' = ',
  'max_j ',
  '{ a if ',
  '\\frac{',
  '\\sqrt{',
  '\\text{if }',
  '\\hat ',
  '\\mathbb{R}',
  '\\left(',
  '\\right.',
  '\\|',
  '\\{',
  '\\}',
  '\\,',
  ' & ',
  ' \\\\ ',
  '\\begin{cases} ',
  '\\end{cases}',
  '\\begin{aligned}',
  '\\end{aligned}',
  '\\mathbf{1}',
  '\\arg',
  '\\max',
  '\\max\\{',
  '\\left|\\left|',
  '\\right|\\right|',
  '^{\\prime}',
  '^{\\mathrm{AB}}',
  '_{\\max}',
  '_{\\text{max}}',
  '{\\top}',
  '{,}000',
  '\\text{else}',
  ', where ',
  'KL(',
  '$',
);

interface Edit {
  readonly at: number;
  readonly drop: number;
  readonly put: string;
}
const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(80),
  drop: fc.nat(6),
  put: fc.oneof(fc.string({ unit: alphabet, maxLength: 4 }), fragments),
});
const mutants = fc
  .tuple(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 4 }))
  .map(([seed, edits]) => edits.reduce((text, e) => text.slice(0, e.at) + e.put + text.slice(e.at + e.drop), seed));
const texts = fc.oneof(
  { weight: 3, arbitrary: mutants },
  { weight: 1, arbitrary: fc.string({ unit: alphabet, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.array(fragments, { maxLength: 20 }).map((f) => f.join('')) },
);

/** What neither a statement nor a prose part covers: may be separators only. */
function uncovered(read: Notation): string {
  const covered = new Uint8Array(read.text.length);
  for (const part of [...read.statements, ...read.prose]) covered.fill(1, part.range.start, part.range.end);
  return [...read.text].length === 0
    ? ''
    : Array.from({ length: read.text.length }, (_, i) => (covered[i] === 1 ? '' : read.text.charAt(i))).join('');
}

/** Of LaTeX, also spaces, sizes, ends of rows and what stands around mathematics. */
const separators =
  /\\\\|\\(?:begin|end)\{[a-z]+\*?\}|\\[a-z]+\{[,;.\s]*\}|\s|[,;.∧⋀&$]|and|AND|\\(?:land|wedge|left|right|middle|[Bb]igg?[lr]?|limits|nolimits|displaystyle|textstyle|q?quad)(?![A-Za-z])|\\[,;:!> ()[\]]/g;

function check(text: string, role: FieldRole): void {
  const read = readNotation(text, role);
  const rest = uncovered(read).replace(separators, '');
  // The brace that ends `\text{else; }`, whose words are prose up to the separator.
  const endsGroup = rest === '}' && /\\[a-z]+\{[^{}]*[,;.\s]\}/u.test(text);
  if (rest !== '' && !endsGroup) throw new Error(`lost ${JSON.stringify(rest)} of ${JSON.stringify(text)}`);
  if ((read.status === 'math') !== (read.problem === null))
    throw new Error(`no problem told for ${JSON.stringify(text)}`);
  if (read.problem !== null && (read.problem.range.start < 0 || read.problem.range.end > text.length))
    throw new Error(`caret outside ${JSON.stringify(text)}`);
  for (const part of read.prose)
    if (part.text !== text.slice(part.range.start, part.range.end))
      throw new Error(`wrong text for ${JSON.stringify(text)}`);
}

describe('readNotation is total', () => {
  it('takes 100,000 random strings and edits without a throw and loses nothing of them', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...roles), (text, role) => check(text, role)),
      { numRuns: 100_000 },
    );
  });

  it('loses nothing but the brace of a group that a separator ends', () => {
    for (const role of roles) check('a = exp(b \\text{else; }c=d) / e', role);
  });

  it('loses no sign at the start of a list', () => {
    for (const role of roles) check('+σ,σ≈σ', role);
    for (const role of roles) check('\\begin{aligned}\\arg \\\\ if \\end{aligned}', role);
  });

  it.each<[string, (n: number) => string]>([
    ['parentheses', (n) => '('.repeat(n) + 'x' + ')'.repeat(n)],
    ['open parentheses', (n) => '('.repeat(n)],
    ['braces', (n) => '{'.repeat(n) + 'x' + '}'.repeat(n)],
    ['bars', (n) => '|'.repeat(n)],
    ['spaced bars', (n) => '|x '.repeat(n)],
    ['signs', (n) => '-'.repeat(n) + 'x'],
    ['roots', (n) => '√'.repeat(n) + 'x'],
    ['powers', (n) => 'x^'.repeat(n) + 'x'],
    ['sums', (n) => 'x + '.repeat(n) + 'x'],
    ['products', (n) => 'x '.repeat(n)],
    ['implications', (n) => 'p → '.repeat(n) + 'q'],
    ['quantifiers', (n) => '∀ i '.repeat(n)],
    ['conditionals', (n) => 'a if p else '.repeat(n) + 'b'],
    ['unmatched conditions', (n) => 'x if '.repeat(n)],
    ['piecewise', (n) => `y = 1 if ${'a if p, '.repeat(n)}b otherwise`],
    ['set conditionals', (n) => `{${'a if p '.repeat(n)}}`],
    ['commas', (n) => 'x, '.repeat(n)],
    ['failing items', (n) => 'foo bar, '.repeat(n)],
    ['where lines', (n) => 'a = b where\n'.repeat(n)],
    ['calls', (n) => 'f('.repeat(n) + ')'.repeat(n)],
    ['indices', (n) => 'x' + '[i]'.repeat(n)],
    ['scripts', (n) => 'x' + '_{i'.repeat(n) + '}'.repeat(n)],
    ['groups of digits', (n) => '1' + ',234'.repeat(n)],
    ['short lines', (n) => 'a = b\n'.repeat(n)],
    ['labels', (n) => 'one two: '.repeat(n)],
    ['underscores', (n) => '_'.repeat(n)],
    ['remarks', (n) => 'x (one word) '.repeat(n)],
    ['binders', (n) => `∀ ${'i, '.repeat(n)}j: p(i) > 0`],
    ['subjects', (n) => `${'x, '.repeat(n)}y ∈ S`],
  ])('bounds %s in depth and time, and prints what it read', (_, make) => {
    for (const n of [150, 1000, 6000]) {
      const text = make(n).slice(0, 20_000);
      for (const role of roles) {
        // Processor time, so that a busy machine does not fail the test.
        const before = process.cpuUsage();
        check(text, role);
        for (const statement of readNotation(text, role).statements) printText(statement);
        expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
      }
    }
  });

  it('takes twenty thousand characters and no more', () => {
    expect(readNotation('x'.repeat(20_001), 'expression')).toMatchObject({
      status: 'prose',
      problem: { message: 'longer than 20000 characters' },
    });
  });
});
