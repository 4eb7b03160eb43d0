import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Contract, FalsificationTest, FormalText, Obligation, Tolerance } from '../contract.ts';
import { spanWithin } from '../formal-fields.ts';
import { obligationOf } from './references.ts';
import type { ContractRule } from './rule.ts';

/** A claim with ≈, or with ε that is not an input, says how near is near enough. */
export const missingTolerance: ContractRule = {
  name: 'missing-tolerance',
  check: (contract) => [
    ...contract.obligations.flatMap(
      (obligation) =>
        judge(contract, obligation.id, obligation.formal, obligation.tolerance, obligation.requires) ?? [],
    ),
    ...contract.falsificationTests.flatMap((test) => judgeTest(contract, test) ?? []),
  ],
};

/** Predictions in words are reported as prose; a tolerance would not make them executable. */
function judgeTest(contract: Contract, test: FalsificationTest): Diagnostic | null {
  if (!test.prediction?.text.match(needing) || test.prediction.notation.status !== 'math') return null;
  const obligation: Obligation | null = test.rule ? obligationOf(contract, test.rule.value) : null;
  return judge(
    contract,
    test.id,
    test.prediction,
    test.tolerance ?? obligation?.tolerance ?? null,
    test.given ? [test.given] : [],
  );
}

const needing = /≈|ε|\bepsilon\b|\beps\b/;

function judge(
  contract: Contract,
  id: string,
  formal: FormalText | null,
  tolerance: Tolerance | null,
  conditions: readonly FormalText[],
): Diagnostic | null {
  if (!formal || tolerance) return null;
  const match = needing.exec(formal.text);
  if (!match) return null;
  const sign = match[0];
  if (sign !== '≈' && isInput(contract, sign, conditions)) {
    const near = formal.text.indexOf('≈');
    return near < 0 ? null : report(id, formal, '≈', near);
  }
  return report(id, formal, sign, match.index);
}

function report(id: string, formal: FormalText, sign: string, at: number): Diagnostic {
  return diagnostic(
    'PV-3010',
    spanWithin(formal, { start: at, end: at + sign.length }),
    `${id} uses ${sign} and has no tolerance`,
    {
      hint: 'Add tolerance: { abs: 1e-6 }, or rel, ulp or cond.',
    },
  );
}

/** Domains and conditions that mention a name declare or bound it: then it is an input and not the tolerance. */
function isInput(contract: Contract, name: string, conditions: readonly FormalText[]): boolean {
  const fields = [
    contract.dataSection?.domain ?? null,
    ...contract.equations.flatMap((equation) => [equation.domain, equation.formula, ...equation.preconditions]),
    ...conditions,
  ];
  const word = new RegExp(`(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`, 'u');
  return fields.some((field) => field !== null && word.test(field.text));
}
