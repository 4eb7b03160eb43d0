import { expect, it } from 'vitest';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import { equationReport } from '../../src/audit/equation-report.ts';
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
