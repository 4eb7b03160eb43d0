/** Holds src/math/notation/brackets.ts, src/math/notation/parse-postfix.ts. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readNotation } from '../../../src/math/notation/read.ts';
import type { FieldRole } from '../../../src/math/notation/syntax.ts';

const page = readFileSync(new URL('../../../docs/notation.md', import.meta.url), 'utf8');
const [body = ''] = page.split('\n## Grammar');

/** The strings of the page's YAML example with the role of their field. */
function fields(): readonly (readonly [string, FieldRole])[] {
  const roles: readonly (readonly [RegExp, FieldRole])[] = [
    [/formula: "(.*)"/g, 'formula'],
    [/(?:formal|prediction): "(.*)"/g, 'proposition'],
    [/(?:domain|codomain|given): "(.*)"/g, 'domain'],
    [/requires: \["(.*)"\]/g, 'proposition'],
  ];
  return roles.flatMap(([pattern, role]) => [...body.matchAll(pattern)].map((m) => [m[1] ?? '', role] as const));
}

/** Words, file keys and spellings of single symbols that the page quotes; all other code spans are formulas. */
const quoted = new Set([
  'pv',
  'where',
  'and',
  'otherwise',
  'tolerance',
  'requires:',
  'F16 BF16 F32 F64',
  'ℤ Z ℕ N',
  '+ - / ⊙',
  '≈',
  '=',
  'E(b)',
  '… where RMS(x) = √(Σ_i x_i² / n + ε)',
  '∀ c ∈ F32, |c| ≤ 100:',
  String.raw`\left`,
  String.raw`\,`,
  String.raw`\quad`,
  '$…$',
  String.raw`\(…\)`,
  String.raw`\sqrt[3]{x}`,
  String.raw`\underbrace`,
  String.raw`\mathrm{d}x`,
]);
const isQuoted = (span: string): boolean => quoted.has(span) || /^[=≈]$/.test(span);

function spans(): readonly string[] {
  const prose = body.replace(/```[^]*?```/g, '');
  return [
    ...new Set(
      [...prose.matchAll(/`([^`]+)`/g)].map((m) => (m[1] ?? '').replace(/\\\|/g, '|').replace(/^… /, 'y = x ')),
    ),
  ].filter((s) => !isQuoted(s));
}

describe('docs/notation.md', () => {
  it.each(fields())('the field %s reads as mathematics in the role %s', (text, role) => {
    expect(readNotation(text, role)).toMatchObject({ status: 'math', problem: null });
  });

  it.each(spans())('the formula %s reads as mathematics', (text) => {
    expect(readNotation(text, 'expression')).toMatchObject({ status: 'math', problem: null });
  });

  it('holds at least 60 of them', () => {
    expect(fields().length + spans().length).toBeGreaterThanOrEqual(60);
  });
});
