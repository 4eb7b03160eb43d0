/** A tokenizer's contract, which has no formula, audited with a right tokenizer and with wrong ones. */
import { afterEach, describe, expect, it } from 'vitest';
import { auditJson, createProject, type Project } from './project.ts';

// Whole processes, on machines that do other things too.
let project: Project | null = null;
afterEach(async () => {
  await project?.remove();
  project = null;
});

const contract = `metadata:
  version: "1.0.0"
  description: Bytes, and one merge of two
  references: ["Sennrich, Haddow & Birch (2016), arXiv:1508.07909, section 3.2"]
equations:
  encode:
    formula: "encode: String → ℤ*"
    domain: "s ∈ String, |s| ≤ 16"
  decode:
    formula: "decode: ℤ* → String"
    domain: "ids ∈ ℤ*, 0 ≤ ids_i < 258, |ids| ≤ 16"
proof_obligations:
  - id: TOK-RT-001
    type: roundtrip
    property: Every string comes back
    formal: "decode(encode(s)) = s"
    applies_to: encode
  - id: TOK-BND-001
    type: bound
    property: Every id is in the vocabulary
    formal: "∀ i: 0 ≤ encode(s)_i ∧ encode(s)_i < 258"
    applies_to: encode
  - id: TOK-BND-002
    type: bound
    property: No more tokens than bytes
    formal: "|encode(s)| ≤ |utf8(s)|"
    applies_to: encode
  - id: TOK-INV-001
    type: invariant
    property: Bytes are their own ids
    formal: "decode(utf8(s)) = s"
    applies_to: decode
falsification_tests:
  - id: FALSIFY-TOK-001
    rule: TOK-BND-002
    prediction: "encode(s) = [256, 101, 256, 257]"
    given: 's ∈ {"thethe "}'
`;

/** Token 256 is "th", token 257 an "e" before a space. */
const right = `
const merges: readonly (readonly [number, number])[] = [[116, 104], [101, 32]];
const bytes = [...Array.from({ length: 256 }, (_, i) => [i]), ...merges.map((pair) => [...pair])];
export function encode(s: string): Int32Array {
  let ids = [...new TextEncoder().encode(s)];
  for (const [rank, [left, right]] of merges.entries()) {
    const joined: number[] = [];
    for (let i = 0; i < ids.length; i++) {
      const both = ids[i] === left && ids[i + 1] === right;
      joined.push(both ? 256 + rank : ids[i] ?? 0);
      if (both) i++;
    }
    ids = joined;
  }
  return Int32Array.from(ids);
}
export function decode(ids: Int32Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from([...ids].flatMap((id) => bytes[id] ?? [])));
}
`;

const mistakes: Readonly<Record<string, readonly [string, string]>> = {
  'drops spaces': ['encode(s)];', "encode(s.replaceAll(' ', ''))];"],
  'is not aware of UTF-8': [
    '[...new TextEncoder().encode(s)]',
    '[...s].map((character) => character.charCodeAt(0) & 255)',
  ],
  'numbers its merges from 257': ['256 + rank', '257 + rank'],
  'takes a byte order mark away': [', { ignoreBOM: true }', ''],
  'merges in the wrong order': ['[[116, 104], [101, 32]]', '[[101, 32], [116, 104]]'],
  normalizes: ['encode(s)];', "encode(s.normalize('NFC'))];"],
};

async function audited(kernels: string): Promise<ReadonlyMap<string, string>> {
  const rows = ['encode', 'decode'].map(
    (name) => `  - contract: tokenizer-v1.yaml
    equation: ${name}
    module_path: src/tokenizer.ts
    function: ${name}
    status: implemented
`,
  );
  project = await createProject({
    'contracts/tokenizer-v1.yaml': contract,
    'contracts/binding.yaml': `version: "1.0.0"\nbindings:\n${rows.join('')}`,
    'src/tokenizer.ts': kernels,
  });
  const { report } = await auditJson(project, ['--cases', '1000']);
  return new Map(report.contracts.flatMap(({ claims }) => claims.map(({ id, verdict }) => [id, verdict] as const)));
}

describe('a contract of a tokenizer', () => {
  it('holds of a right one', async () => {
    expect(new Set((await audited(right)).values())).toEqual(new Set(['tested']));
  });

  it.each(Object.entries(mistakes))('is refuted of one that %s', async (_, [here, there]) => {
    expect(right).toContain(here);
    expect([...(await audited(right.replace(here, there))).values()]).toContain('falsified');
  });
});
