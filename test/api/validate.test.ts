/** Holds src/api/findings.ts, src/api/read-paths.ts. */
import { describe, expect, it } from 'vitest';
import { analyse } from '../../src/api/validate.ts';
import { memoryCli } from '../support/memory-cli.ts';

describe('what pv validate works out', () => {
  it('shows a bounded number of the findings of typing, and says how many more there are', async () => {
    const claims = Array.from(
      { length: 300 },
      (_, i) => `  - { id: A-${i}, type: invariant, property: p, formal: "y_i >= ${i}" }`,
    );
    const files = { 'a.yaml': `metadata: { version: "1" }\nproof_obligations:\n${claims.join('\n')}\n` };
    const { diagnostics } = await analyse(memoryCli({ files }).cli, ['a.yaml'], true);
    expect(diagnostics.filter(({ code }) => code === 'PV-4001').length).toBeLessThanOrEqual(100);
    expect(diagnostics.filter(({ code }) => code === 'PV-2007').map(({ message }) => message)).toContain(
      '200 more findings in this file are not shown',
    );
  });
});
