/**
 * Holds src/contract/decode/derive-ids.ts, src/contract/decode/diagnosis.ts, src/contract/decode/methods.ts,
 * src/contract/decode/qa-gate.ts, src/contract/decode/tolerance.ts, src/contract/read.ts.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Contract, FormalText } from '../../../src/contract/contract.ts';
import { readContract } from '../../../src/contract/read.ts';
import { positionAt } from '../../../src/diagnostics/source.ts';
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts';

function read(
  text: string,
  path = 'contracts/softmax-kernel-v1.yaml',
): { readonly contract: Contract; readonly diagnostics: readonly Diagnostic[] } {
  const staged = readContract({ path, text });
  if (!staged.value) throw new Error(staged.diagnostics.map((diagnostic) => diagnostic.message).join('\n'));
  return { contract: staged.value, diagnostics: staged.diagnostics };
}

const codesOf = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.map((diagnostic) => diagnostic.code);

/** `line:column` of an offset of a formal text. */
function place(formal: FormalText | null | undefined, offset: number): string {
  if (!formal) throw new Error('no formal text');
  const { line, column } = positionAt(formal.span.source, formal.offsetInSource(offset));
  return `${line}:${column}`;
}

const metadata = 'metadata: { version: "1.0.0", description: A contract }\n';

describe('the example of docs/notation.md', () => {
  const block = /```yaml\n([\s\S]*?)```/.exec(readFileSync('docs/notation.md', 'utf8'))?.[1] ?? '';
  const { contract, diagnostics } = read(metadata + block.replace('{ ... }', '{ rel: 1e-5 }'));

  it('reads without a complaint', () => {
    expect(diagnostics).toEqual([]);
    expect(contract.id).toBe('softmax-kernel-v1');
    expect(contract.kind).toBe('kernel');
  });

  it('has its equation', () => {
    expect(contract.equations.map((equation) => equation.name)).toEqual(['softmax']);
    expect(contract.equations[0]?.formula.text).toBe('σ(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))');
    expect(contract.equations[0]?.formula.notation.status).toBe('math');
    expect(contract.equations[0]?.domain?.text).toBe('x ∈ F32^n, 1 ≤ n ≤ 512, |x_i| ≤ 1e4');
  });

  it('has its obligations, with tolerances and further inputs', () => {
    const [equivalence, sum, shift] = contract.obligations;
    expect(contract.obligations.map((obligation) => [obligation.id, obligation.idDeclared])).toEqual([
      ['SM-EQV-001', true],
      ['SM-INV-001', true],
      ['SM-SHIFT-001', true],
    ]);
    expect(equivalence?.tolerance).toMatchObject({
      cond: 8,
      abs: 1e-44,
      rel: null,
      ulp: null,
      per: null,
      envelope: null,
      unitless: false,
    });
    expect(sum?.tolerance).toMatchObject({ abs: 6e-8 });
    expect(sum?.tolerance?.per?.text).toBe('n');
    expect(shift?.requires.map((text) => text.text)).toEqual(['c ∈ F32, |c| ≤ 100']);
    expect(shift?.propertyMethod).toEqual({ cases: null, seed: null });
  });

  it('has its test', () => {
    expect(contract.falsificationTests[0]).toMatchObject({ id: 'FALSIFY-SM-002', rule: null, test: null });
    expect(contract.falsificationTests[0]?.given?.text).toBe('x ∈ {[0, -104], [88, 89, 90], [-0.0, 0.0]}');
  });
});

describe('offsets of formal fields', () => {
  it('are exact in every style', () => {
    const text = `${metadata}proof_obligations:
  - type: bound
    property: plain
    formal: x ≤ 1
  - type: bound
    property: double quotes
    formal: "a \\u2264 b"
  - type: bound
    property: single quotes
    formal: 'it''s b'
  - type: bound
    property: block
    formal: |
      T = 3
      U = 4
  - type: bound
    property: folded
    formal: >-
      T = 3
      + U
`;
    const [plain, double, single, block, folded] = read(text).contract.obligations.map(
      (obligation) => obligation.formal,
    );
    expect(place(plain, 2)).toBe('5:15');
    expect([place(double, 2), place(double, 4)]).toEqual(['8:16', '8:23']);
    expect(place(single, 5)).toBe('11:20');
    expect([block?.text, place(block, 6), place(block, 10)]).toEqual(['T = 3\nU = 4\n', '16:7', '16:11']);
    expect([folded?.text, place(folded, 8)]).toEqual(['T = 3 + U', '21:9']);
  });
});

describe("upstream's dialects", () => {
  it('reads newer spellings of test keys', () => {
    const { contract, diagnostics } = read(
      `${metadata}falsification_tests:\n  - { id: F-1, description: Sums, expected: "x = 1", command: cargo test, fails_if: overflow }\n  - { id: F-2, obligation: X-INV-001, rule: words, prediction: "y = 1" }\n`,
    );
    const [first, second] = contract.falsificationTests;
    expect(first).toMatchObject({
      id: 'F-1',
      rule: { value: 'Sums' },
      prediction: { text: 'x = 1' },
      test: 'cargo test',
      ifFails: 'overflow',
    });
    expect(second?.rule?.value).toBe('X-INV-001');
    expect(diagnostics).toEqual([]);
  });

  it('reads both dialects of the gate', () => {
    const checks = read(
      `${metadata}qa_gate: { id: F, name: N, checks: [a], pass_criteria: "All pass", mutants: ["drop: max(x)"] }\n`,
    ).contract.qaGate;
    const required = read(
      `${metadata}qa_gate: { id: F, name: N, min_coverage: 0.9, max_complexity: 15, required_tests: [a, b] }\n`,
    ).contract.qaGate;
    expect(checks?.checks.map((check) => check.value)).toEqual(['a']);
    expect(checks?.mutants.map((mutant) => mutant.value)).toEqual(['drop: max(x)']);
    expect(required?.checks.map((check) => check.value)).toEqual(['a', 'b']);
  });

  it('excuses no mutant without a reason', () => {
    const { contract, diagnostics } = read(
      `${metadata}qa_gate: { equivalent_mutants: [{ mutant: m1, reason: same sum }, { mutant: m2 }, { mutant: m3, reason: " " }] }\n`,
    );
    expect(contract.qaGate?.equivalentMutants.map((mutant) => mutant.mutant)).toEqual(['m1']);
    expect(codesOf(diagnostics)).toEqual(['PV-2001', 'PV-2005']);
  });

  it('reads a bare tolerance as upstream does', () => {
    const { contract } = read(
      `${metadata}proof_obligations:\n  - { type: equivalence, property: "SIMD matches scalar within ULP", tolerance: 4.0, applies_to: simd }\n  - { type: bound, property: small, tolerance: 1e-5 }\n  - { type: bound, property: exact, tolerance: 0 }\n`,
    );
    expect(contract.obligations.map((obligation) => [obligation.tolerance?.ulp, obligation.tolerance?.abs])).toEqual([
      [4, null],
      [null, 1e-5],
      [null, 0],
    ]);
    expect(contract.obligations.every((obligation) => obligation.tolerance?.unitless)).toBe(true);
  });

  it('reads tolerances of backends', () => {
    const { contract } = read(
      `${metadata}proof_obligations:\n  - { type: bound, property: p, tolerance: { abs: 0, backends: { gpujs-cpu: { rel: 1e-4 } } } }\n`,
    );
    expect(contract.obligations[0]?.backendTolerances.get('gpujs-cpu')).toMatchObject({ rel: 1e-4, abs: null });
  });

  it('takes dependencies with their file ending', () => {
    expect(
      read('metadata: { version: "1", description: d, depends_on: [a-v1, b-v1.yaml] }\n').contract.dependsOn.map(
        (dependency) => dependency.value,
      ),
    ).toEqual(['a-v1', 'b-v1']);
  });
});

describe('derived ids', () => {
  const obligations = (types: readonly string[]): string =>
    `proof_obligations:\n${types.map((type) => `  - { type: ${type}, property: p }\n`).join('')}`;
  const ids = (text: string): readonly string[] =>
    read(metadata + text).contract.obligations.map((obligation) => obligation.id);

  it('follow the test ids, the type and the position within the type', () => {
    const tests =
      'falsification_tests:\n  - { id: FALSIFY-RN-001 }\n  - { id: FALSIFY-RN-002b }\n  - { id: FALSIFY-OTHER-001 }\n';
    expect(ids(obligations(['invariant', 'bound', 'invariant', 'idempotency']) + tests)).toEqual([
      'RN-INV-001',
      'RN-BND-001',
      'RN-INV-002',
      'RN-IDM-001',
    ]);
  });

  it('start with the name of the contract when no test has an id', () => {
    expect(ids(obligations(['equivalence']))).toEqual(['SOFTMAX-EQV-001']);
  });

  it('never equal a declared id, and count declared ones', () => {
    expect(
      ids(
        'proof_obligations:\n  - { type: bound, property: p }\n  - { id: SOFTMAX-BND-001, type: bound, property: p }\n  - { type: bound, property: p }\n',
      ),
    ).toEqual(['SOFTMAX-BND-001-DERIVED', 'SOFTMAX-BND-001', 'SOFTMAX-BND-003']);
  });
});

describe('nothing is dropped silently', () => {
  it('lists keys without a meaning, once per file', () => {
    const { contract, diagnostics } = read(
      `${metadata}toyota_way: { jidoka: stop }\nproof_obligations:\n  - { type: bound, property: p, weather: fine }\n`,
    );
    expect(contract.uninterpreted.map((key) => key.value)).toEqual(['toyota_way', 'proof_obligations[0].weather']);
    expect(codesOf(diagnostics)).toEqual(['PV-2006']);
    expect(diagnostics[0]?.message).toContain('2 keys');
  });

  it('keeps everything in data', () => {
    expect(read(`${metadata}toyota_way: { jidoka: [1, 2] }\n`).contract.data['toyota_way']).toEqual({ jidoka: [1, 2] });
  });

  it('collects what the file declares about itself', () => {
    const text = `${metadata}proof_obligations:\n  - { type: bound, property: p, proof_level: L4, lean: { status: proved } }\nverification_summary: { l3: 2 }\nconformance: { gpu: { status: NON-CONFORMANT } }\n`;
    expect(read(text).contract.declarations.map((declaration) => declaration.value)).toEqual([
      'proof_obligations[0].proof_level: L4',
      'proof_obligations[0].lean.status: proved',
      'verification_summary.l3: 2',
      'conformance.gpu.status: NON-CONFORMANT',
    ]);
  });
});

describe('broken values', () => {
  it('are reported, and the rest is read', () => {
    const { contract, diagnostics } = read(
      `metadata: 3\nequations: [a]\nproof_obligations:\n  - text\n  - { type: bound, property: p, requires: [1], tolerance: { abs: -1, per: [n] } }\nqa_gate: 1\n`,
    );
    expect(codesOf(diagnostics).toSorted()).toEqual([
      'PV-2002',
      'PV-2002',
      'PV-2002',
      'PV-2002',
      'PV-2002',
      'PV-2002',
      'PV-2005',
    ]);
    expect(
      contract.obligations.map((obligation) => [
        obligation.property,
        obligation.tolerance?.abs,
        obligation.requires.length,
      ]),
    ).toEqual([['p', null, 1]]);
    expect(contract.equations).toEqual([]);
  });

  it('of numbers of cases do not reach a runner', () => {
    const { contract, diagnostics } = read(
      `${metadata}proof_obligations:\n  - { type: bound, property: p, methods: { property: { cases: -5, seed: 1.5 } } }\n`,
    );
    expect(contract.obligations[0]?.propertyMethod).toEqual({ cases: null, seed: null });
    expect(codesOf(diagnostics)).toEqual(['PV-2005', 'PV-2002']);
  });
});

describe('digests', () => {
  const text = `${metadata}equations:\n  a: { formula: "f(x) = x" }\nproof_obligations:\n  - { id: A-1, type: bound, property: p }\n`;
  const digests = (source: string): ReadonlyMap<string, string> => read(source).contract.digests;

  it('name every part', () => {
    expect([...digests(text).keys()]).toEqual([
      '',
      'metadata',
      'equations',
      'proof_obligations',
      'equations.a',
      'proof_obligations.A-1',
    ]);
    for (const digest of digests(text).values()) expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('do not depend on comments, quotes, key order or style', () => {
    const other = `# a comment\nproof_obligations:\n  - property: p\n    type: "bound"\n    id: A-1\nequations: {a: {formula: 'f(x) = x'}}\nmetadata:\n  description: A contract\n  version: "1.0.0"\n`;
    expect(Object.fromEntries(digests(other))).toEqual(Object.fromEntries(digests(text)));
  });

  it('change with what they are about and with nothing else', () => {
    const before = digests(text);
    const after = digests(text.replace('property: p', 'property: q'));
    const changed = [...before].filter(([part, digest]) => after.get(part) !== digest).map(([part]) => part);
    expect(changed).toEqual(['', 'proof_obligations', 'proof_obligations.A-1']);
  });

  it('survive half a surrogate pair', () => {
    expect(digests('metadata: { version: "\\ud800", description: d }\n').get('')).toMatch(/^sha256:/);
  });
});

describe('diagnosis of an obligation about data', () => {
  const obligation = (diagnosis: string) => {
    const text = `metadata: { version: "1.0.0", description: d, references: [r] }
data: { kind: log, domain: "loss ∈ F64_ext^T" }
proof_obligations:
  - { id: RUN-001, type: invariant, property: finite, formal: "is_finite(loss_t)"${diagnosis} }
`;
    return readContract({ path: 'run-v1.yaml', text }).value?.obligations[0]?.diagnosis;
  };

  it('is read, and an empty list of causes differs from a missing one', () => {
    expect(obligation('')).toBeNull();
    expect(obligation(', diagnosis: { granularity: block, nature: static, caused_by: [] }')).toEqual({
      granularity: 'block',
      scope: null,
      nature: 'static',
      causedBy: [],
    });
    expect(obligation(', diagnosis: { scope: local }')?.causedBy).toBeNull();
    expect(obligation(', diagnosis: { caused_by: [a-v1/A-1] }')?.causedBy?.map(({ value }) => value)).toEqual([
      'a-v1/A-1',
    ]);
  });
});
