import { expect, it } from 'vitest';
import { olderEvidence } from '../../src/audit/older-evidence.ts';
import { planOf } from '../plan/projects.ts';
import { doubling } from '../e2e/project.ts';

const text = 'export function kernel(this: any, x: number[]): number { return 2 * x[this.thread.x]; }';
const plan = await planOf({ 'c-v1': doubling }, [{ contract: 'c-v1', equation: 'double', text }]);
const ofClaim = (claim: string, method: string): readonly string[] =>
  plan.contracts.flatMap(({ goals }) =>
    goals
      .filter(({ goal }) => goal.claim === claim)
      .flatMap(({ checks }) => checks.filter((check) => check.method === method).map(({ id }) => id)),
  );

it('names the claims whose evidence is of an earlier run, and nothing else', () => {
  expect(olderEvidence(plan, new Set())).toEqual([]);
  expect(olderEvidence(plan, new Set(ofClaim('DB-EQV-001', 'property')))).toMatchObject([
    {
      code: 'PV-6012',
      severity: 'warning',
      message: 'the budget ran out: 1 claim shows evidence of an earlier run (DB-EQV-001)',
    },
  ]);
  // Wrong kernels are tried on all claims at once.
  const [found] = olderEvidence(plan, new Set(ofClaim('DB-EQV-001', 'adequacy')));
  expect(found?.message).toContain('2 claims show evidence of an earlier run (DB-EQV-001 and FALSIFY-DB-001)');
});
