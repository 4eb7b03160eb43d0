import { describe, expect, it } from 'vitest';
import { reportCommand } from '../../src/api/command-line.ts';

const flags = { minLevel: 'L0', allowWaived: false, format: 'text', quiet: false, seed: 1 } as const;

describe('the command that shows a report again', () => {
  it('names the command for what is stored, with the flags that decide which checks are meant', () => {
    expect(reportCommand(['contracts'], flags, undefined)).toBe('pv status contracts');
    expect(
      reportCommand(
        ['a b.yaml', '-c.yaml'],
        { ...flags, binding: "it's.yaml", minLevel: 'L3', allowWaived: false, seed: 7, cases: 9, backend: 'ref32' },
        undefined,
      ),
    ).toBe(
      `pv status 'a b.yaml' ./-c.yaml --binding 'it'\\''s.yaml' --min-level L3 --seed 7 --cases 9 --backend ref32`,
    );
  });

  it('names one claim through audit, which runs nothing that is stored', () => {
    expect(reportCommand(['contracts'], flags, 'DB-1')).toBe('pv audit contracts --claim DB-1');
  });
});
