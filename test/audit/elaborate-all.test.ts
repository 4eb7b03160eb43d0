import { describe, expect, it } from 'vitest';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import { readContracts } from '../../src/contract/validate.ts';
import { doubling } from '../e2e/project.ts';
import { contractOf } from '../plan/projects.ts';

function codesOf(text: string): readonly string[] {
  const read = readContracts([{ path: 'double-v1.yaml', text }], { elsewhere: [] });
  const typed = elaborateAll(read.value).flatMap(({ diagnostics }) => diagnostics);
  return [...read.diagnostics, ...typed].filter(({ severity }) => severity === 'error').map(({ code }) => code);
}

describe('a missing tolerance', () => {
  it('is one finding, whether a rule or typing sees it', () => {
    expect(codesOf(doubling)).toEqual([]);
    expect(codesOf(doubling.replace('    tolerance: { ulp: 0.5 }\n', ''))).toEqual(['PV-3010']);
  });

  it('is found by typing where no rule looks', () => {
    const inDefinition = doubling.replace('D(x)_i = 2·x_i"', 'D(x)_i = { 2·x_i if x_i ≈ 0; 2·x_i otherwise }"');
    expect(codesOf(inDefinition)).toContain('PV-4011');
  });
});

it('mistakes in a contract that declares no float input are warnings: it was not written to be run', () => {
  const found = (domain: string): readonly string[] => {
    const text = `metadata: { version: "1.0.0", description: d }
equations:
  f: { formula: "f(x)_i = unknown·x_i", domain: "${domain}" }
proof_obligations:
  - { id: A, type: bound, property: p, formal: "|f(x)_i| ≤ 1", applies_to: f }
`;
    return elaborateAll([contractOf('c-v1', text)]).flatMap(({ diagnostics }) =>
      diagnostics.map(({ severity }) => severity),
    );
  };
  expect(new Set(found('x ∈ F32^n, 1 ≤ n ≤ 8'))).toContain('error');
  expect(new Set(found('x ∈ ℝ^n'))).toEqual(new Set(['warning', 'note']));
});

describe('contracts that depend on one another', () => {
  const text = (
    id: string,
    on: string,
  ): string => `metadata: { version: "1.0.0", description: ${id}${on === '' ? '' : `, depends_on: [${on}]`} }
equations:
  ${id}: { formula: "${id}(x)_i = x_i", domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 1" }
proof_obligations:
  - { id: A, type: bound, property: p, formal: "|${id}(x)_i| ≤ 1" }
`;
  const orderOf = (...contracts: readonly (readonly [id: string, on: string])[]): readonly string[] =>
    elaborateAll(contracts.map(([id, on]) => contractOf(`${id}-v1`, text(id, on)))).map(({ contract }) => contract.id);

  it('come after those that they use, each once', () => {
    expect(orderOf(['f', 'g-v1'], ['g', 'h-v1'], ['h', ''])).toEqual(['h-v1', 'g-v1', 'f-v1']);
    expect(orderOf(['h', ''], ['f', 'h-v1'])).toEqual(['h-v1', 'f-v1']);
  });

  it('are all elaborated in a circle, and where one that they use is not there', () => {
    expect(orderOf(['f', 'g-v1'], ['g', 'f-v1']).toSorted()).toEqual(['f-v1', 'g-v1']);
    expect(orderOf(['f', 'nowhere-v1'])).toEqual(['f-v1']);
  });
});
