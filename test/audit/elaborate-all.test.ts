import { describe, expect, it } from 'vitest';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import { readContracts } from '../../src/contract/validate.ts';
import { doubling } from '../e2e/project.ts';

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
