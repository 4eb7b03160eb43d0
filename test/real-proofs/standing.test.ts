import { describe, expect, it } from 'vitest';
import type { TheoremRecord } from '../../src/evidence/theorem.ts';
import { proofRules, standingFrom } from '../../src/real-proofs/standing.ts';

const inputs = { statement: 'sha256:a', script: 'sha256:b', prelude: 'sha256:c', rules: proofRules };
const record: TheoremRecord = {
  schema: 'pv.theorem/1',
  goal: 't-v1/T-001',
  ...inputs,
  scope: 'every n ≥ 2',
  verdict: 'proved',
  reason: null,
  axioms: ['Classical_Prop.classic'],
  checker: { name: 'coqc', version: '8.16.1' },
};
const scope = 'every n ≥ 1';
const checker = 'coqc 8.16.1';

describe('the standing of a proof over the reals', () => {
  it('is what the record says, where it is of this statement, script, prelude and these rules', () => {
    const axioms = ['Classical_Prop.classic'];
    expect(standingFrom(record, inputs, scope)).toEqual({ standing: 'proved', reason: null, scope, axioms, checker });
    const refused = { ...record, verdict: 'refused' as const, reason: 'no', axioms: [] };
    expect(standingFrom(refused, inputs, scope)).toEqual({
      standing: 'refused',
      reason: 'no',
      scope,
      axioms: [],
      checker,
    });
  });

  it.each([
    [{ statement: 'sha256:x' }, 'the statement'],
    [{ script: 'sha256:x' }, 'the script'],
    [{ prelude: 'sha256:x' }, 'the prelude'],
    [{ rules: '0' }, 'what pv asks'],
    [{ statement: 'x', rules: '0' }, 'the statement, what pv asks'],
  ])('is stale where %j', (changes, what) => {
    expect(standingFrom(record, { ...inputs, ...changes }, scope)).toEqual({
      standing: 'stale',
      reason: `since it was checked, ${what} changed`,
      scope,
      axioms: [],
      checker,
    });
  });

  it('is not checked, where there is no record', () => {
    const nothing = { reason: 'Rocq has not checked it here', scope, axioms: [], checker: null };
    expect(standingFrom(null, inputs, scope)).toEqual({ standing: 'not checked', ...nothing });
  });

  it('depends on the axioms that are allowed', () => expect(proofRules).toContain('Classical_Prop.classic'));
});
