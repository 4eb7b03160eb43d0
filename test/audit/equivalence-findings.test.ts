import { expect, it } from 'vitest';
import { equivalenceFindings } from '../../src/audit/equivalence-findings.ts';
import { planOf } from '../plan/projects.ts';
import { doublingContract, doublingKernel } from './audited.ts';

const declared = (equation: string): string => `${doublingContract([['D(x)_i = 2·x_i']])}qa_gate:
  id: G
  name: Gate
  equivalent_mutants:
    - { mutant: "saboteur:zero", equation: ${equation}, reason: Nobody would }
`;

it.each([
  ['double', []],
  ['dubble', [['PV-6009', 'did you mean `double`?']]],
  ['softmax', [['PV-6009', 'the equations are double']]],
])('an entry about %s, before anything has run', async (equation, expected) => {
  const plan = await planOf({ 'double-v1': declared(equation) }, [doublingKernel]);
  const found = equivalenceFindings({ plan, receiptsByCheck: new Map() });
  expect(found.map(({ code, hint }) => [code, hint])).toEqual(expected);
});
