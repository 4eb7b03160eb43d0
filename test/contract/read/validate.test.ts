/** Holds src/contract/validate.ts. */
import { describe, expect, it } from 'vitest';
import { FINDINGS_PER_FILE, readContracts } from '../../../src/contract/validate.ts';

const contract = (extra: string): string => `metadata: { version: "1.0.0", description: d, kind: registry${extra} }\n`;

describe('readContracts', () => {
  it('orders contracts by path and findings by path, position and code', () => {
    const staged = readContracts([
      { path: 'b.yaml', text: `${contract('')}x1: 1\nproof_obligations: 3\nkani_harnesses: 4\n` },
      { path: 'a.yaml', text: '{' },
      { path: 'c.yaml', text: contract('') },
    ]);
    expect(staged.value.map((value) => value.id)).toEqual(['b', 'c']);
    expect(staged.diagnostics.map((diagnostic) => [diagnostic.span?.source.path, diagnostic.code])).toEqual([
      ['a.yaml', 'PV-1022'],
      ['b.yaml', 'PV-2006'],
      ['b.yaml', 'PV-2002'],
      ['b.yaml', 'PV-2002'],
    ]);
  });

  it('gives the same findings whatever the order of the files', () => {
    const files = ['a', 'b', 'c'].map((name) => ({
      path: `${name}.yaml`,
      text: contract(`, depends_on: [${name === 'a' ? 'b' : 'a'}, z]`),
    }));
    expect(readContracts(files.toReversed()).diagnostics).toEqual(readContracts(files).diagnostics);
  });

  it('does not miss contracts that exist elsewhere or are broken', () => {
    const files = [
      { path: 'a.yaml', text: contract(', depends_on: [broken, elsewhere, missing]') },
      { path: 'broken.yaml', text: '[' },
    ];
    const missing = readContracts(files, { elsewhere: ['elsewhere'] }).diagnostics.filter(
      (diagnostic) => diagnostic.code === 'PV-3001',
    );
    expect(missing.map((diagnostic) => diagnostic.message)).toEqual(["There is no contract 'missing'"]);
  });

  it('shows at most a hundred findings per file, the worst first in rank, and says how many more there are', () => {
    const bad = `proof_obligations:\n${'  - { type: nonsense, property: p, formal: "some words here" }\n'.repeat(90)}`;
    const { diagnostics } = readContracts([{ path: 'a.yaml', text: contract('') + bad }]);
    expect(diagnostics).toHaveLength(FINDINGS_PER_FILE + 1);
    expect(diagnostics.filter((diagnostic) => diagnostic.code === 'PV-2004')).toHaveLength(90);
    expect(diagnostics.at(-1)).toMatchObject({ code: 'PV-2007', subject: 'a.yaml' });
    expect(diagnostics.at(-1)?.message).toMatch(/^\d+ more findings in this file are not shown$/);
  });

  it('says nothing about no files', () => {
    expect(readContracts([])).toEqual({ value: [], diagnostics: [] });
  });
});
