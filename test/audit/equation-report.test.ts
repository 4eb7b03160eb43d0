import { describe, expect, it } from 'vitest';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import { equationReport } from '../../src/audit/equation-report.ts';
import { invariant } from '../../src/base/invariant.ts';
import { diagnostic, type Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import type { Span } from '../../src/diagnostics/source.ts';
import { contractOf, subjectOf } from '../plan/projects.ts';

const domain = 'domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 100"';
const text = `metadata: { version: "1.0.0", description: Two }
equations:
  twice: { formula: "T(x)_i = 2·x_i", ${domain} }
  half: { formula: "H(x)_i = x_i / 2", ${domain} }
proof_obligations:
  - { id: T-1, type: bound, property: p, formal: "|T(x)_i| ≤ 200" }
`;
const elaborated = elaborateAll(['a-v1', 'b-v1'].map((id) => contractOf(id, text)));
const kernel = 'export function kernel(this: any, x: number[]): number { return x[this.thread.x]; }';
const bound = (contract: string, equation: string) => subjectOf(elaborated, { contract, equation, text: kernel });

it('an equation is shown with the kernel that is bound to it, and with that of no other', async () => {
  const subjects = [await bound('a-v1', 'twice'), await bound('b-v1', 'half')];
  const shown = elaborated.map((one) =>
    ['twice', 'half'].map((name) => equationReport(name, 'f', one, { subjects, faults: new Map() }).kernel),
  );
  expect(shown).toEqual([
    ['kernel (k.ts:1)', null],
    [null, 'kernel (k.ts:1)'],
  ]);
});

describe('an equation that is shown', () => {
  const file = (equations: string): string => `metadata: { version: "1.0.0", description: One }
equations:
${equations}
proof_obligations:
  - { id: W-1, type: bound, property: p, formal: "in words" }
`;

  /** The only equation of a contract with these lines. */
  function shown(equations: string, more: Partial<Parameters<typeof equationReport>[3]> = {}, name = 'f') {
    const [one] = elaborateAll([contractOf('one-v1', file(equations))]);
    invariant(one, 'the contract is read');
    return equationReport(name, 'as written', one, { subjects: [], faults: new Map(), ...more });
  }

  it('can be executed where its formula is read, and has no reason', () => {
    expect(shown(`  f: { formula: "f(x)_i = x_i / 2", ${domain} }`)).toEqual({
      name: 'f',
      formula: 'as written',
      latex: expect.stringContaining('\\frac') as string,
      status: 'executable',
      reason: null,
      kernel: null,
    });
  });

  it('is undetermined where a name in it is unknown, with what is wrong in its own formula', () => {
    const two = `  g: { formula: "g(x)_i = other·x_i", ${domain} }
  f: { formula: "f(x)_i = unknown·x_i", ${domain} }`;
    const found = shown(two);
    expect(found).toMatchObject({ status: 'undetermined', latex: expect.any(String) as string });
    expect(found.reason).toContain('unknown');
    expect(shown(two, {}, 'g').reason).toContain('other');
  });

  it('takes no word of its claims, of its domain, or of the file, for a fault of its formula', () => {
    const [one] = elaborateAll([contractOf('one-v1', file(`  f: { formula: "f(x)_i = unknown(x_i)", ${domain} }`))]);
    const source = one?.contract.equations[0]?.formula;
    invariant(one && source, 'the formula is read');
    const at = (span: Span | null, more: Parameters<typeof diagnostic>[3] = {}): Diagnostic =>
      diagnostic('PV-4001', span, 'a fault', more);
    const reasonWith = (diagnostics: readonly Diagnostic[]): string | null =>
      equationReport('f', '', { ...one, diagnostics }, { subjects: [], faults: new Map() }).reason;
    const { start, end } = source.span.range;
    const inside = { ...source.span, range: { start: start + 1, end: end - 1 } };
    const elsewhere = { ...source.span, range: { start: end + 1, end: end + 2 } };
    expect(reasonWith([at(inside)])).toBe('a fault');
    expect(reasonWith([at(elsewhere)])).toBeNull();
    expect(reasonWith([at(null)])).toBeNull();
    expect(reasonWith([at(inside, { severity: 'note' })])).toBeNull();
    expect(reasonWith([at(inside, { severity: 'warning' })])).toBe('a fault');
    expect(reasonWith([at(elsewhere), at(null), at(inside, { severity: 'note' }), at(inside)])).toBe('a fault');
  });

  it('in words is prose, and has no notation', () => {
    const found = shown('  f: { formula: "as fast as it can be" }');
    expect(found).toMatchObject({ status: 'prose', latex: null, kernel: null });
    expect(found.reason).toEqual(expect.any(String));
  });

  it('says that its binding is broken, where it is, unless a kernel is bound', async () => {
    const problem = diagnostic('PV-5006', null, 'there is no such module', { subject: 'binding.yaml' });
    const faults = new Map([['one-v1/f', { about: 'row', problem } as const]]);
    const line = `  f: { formula: "f(x)_i = x_i / 2", ${domain} }`;
    expect(shown(line, { faults }).reason).toContain('the binding of f is broken (PV-5006');
    const own = elaborateAll([contractOf('one-v1', file(line))]);
    const subjects = [await subjectOf(own, { contract: 'one-v1', equation: 'f', text: kernel })];
    expect(shown(line, { faults, subjects })).toMatchObject({ reason: null, kernel: 'kernel (k.ts:1)' });
    // A formula that cannot be read has to be mended first.
    expect(shown(`  f: { formula: "f(x)_i = unknown·x_i", ${domain} }`, { faults }).reason).toContain('unknown');
  });

  it('of several statements is typeset with one below the other', () => {
    const found = shown(`  f: { formula: "f(x)_i = s·x_i; s = 2", ${domain} }`);
    expect(found.latex).toMatch(/^\\begin\{gathered\}.* \\\\ .*\\end\{gathered\}$/u);
  });

  it('that the contract does not have is nothing', () => {
    expect(shown(`  f: { formula: "f(x)_i = x_i", ${domain} }`, {}, 'g')).toEqual({
      name: 'g',
      formula: 'as written',
      latex: null,
      status: 'prose',
      reason: null,
      kernel: null,
    });
  });
});
