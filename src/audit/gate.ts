import { defaultAccuracy, type AccuracyClass } from '../contract/accuracy.ts';
import { isGreen, levels, type Level } from '../evidence/verdict.ts';
import { lowerLevel } from '../evidence/verdict-order.ts';
import { breaksItself, uncomparedText } from '../report/facts.ts';
import type { AdequacyReport, ContractReport, Report } from '../report/report.ts';

/** The options of a gate. */
interface Asked {
  readonly minimumLevel: Level;
  readonly allowWaived?: boolean | undefined;
  /** Absent if it is the default. */
  readonly accuracy?: AccuracyClass | undefined;
  /** The claim to which the report is narrowed; null or absent for all. */
  readonly claim?: string | null | undefined;
}

/**
 * Whether everything that was declared is green at `minimumLevel` or above, with a reason for everything that is not. Waived
 * claims are not green; with `allowWaived` they are skipped, and the others must be green.
 *
 * Nothing declared, nothing evaluated, an unsound contract, a surviving wrong kernel, a missing dependency or an error among the
 * findings fails the gate: only evidence passes it.
 */
export function judgeGate(report: Omit<Report, 'gate'>, asked: Asked): Report['gate'] {
  const reasons = [
    ...(report.contracts.length === 0 ? ['no contract was read'] : []),
    ...report.contracts.flatMap((contract) => contractReasons(contract, asked)),
    ...report.edges
      .filter(({ missing }) => missing)
      .map(({ from, to }) => `${from} depends on ${to}, which was not read`),
    ...errorReasons(report.findings),
  ];
  const { minimumLevel, accuracy = defaultAccuracy, claim = null } = asked;
  return {
    judged: true,
    passed: reasons.length === 0,
    minimumLevel,
    ...(accuracy === defaultAccuracy ? {} : { accuracy }),
    ...(claim === null ? {} : { claim }),
    reasons,
  };
}

/** Why a contract fails the gate on its own; empty if it passes. */
export function contractReasons(
  contract: Omit<ContractReport, 'passes'>,
  { minimumLevel, allowWaived = false }: Asked,
): readonly string[] {
  const { id, verdict, level, evaluated, declared, sound, adequacy } = contract;
  const wanted = lowerLevel(minimumLevel, highestLevel(contract));
  const passes = isGreen(verdict) || (allowWaived && verdict === 'waived');
  const below = levels.indexOf(level) < levels.indexOf(wanted);
  return [
    ...(declared === 0 ? [`${id} declares no claim`] : []),
    ...(declared > 0 && evaluated === 0 ? [`${id}: 0 of ${declared} claims were evaluated`] : []),
    ...(passes ? [] : [`${id} is ${verdict}${verdict === 'waived' ? ' (--allow-waived passes what is waived)' : ''}`]),
    ...(passes && below ? [`${id} is at ${level}, ${wanted} is required`] : []),
    ...(sound === false && !(allowWaived && everyBreachIsWaived(contract))
      ? [`${id}: its own equation, in float32, breaks it`]
      : []),
    ...(adequacy && adequacy.killed < adequacy.total && verdict !== 'falsified'
      ? [`${id}: ${survivorsText(adequacy)}`]
      : []),
  ];
}

/** Data contracts are tested on data sets with known verdicts; there is no higher level for them. */
export const highestOfData: Level = 'L2';

/**
 * The highest level that a contract can reach: for data, that of data; claims over
 * the reals have no level, so a contract that has no other claims and binds no kernel needs none.
 */
function highestLevel({ about, claims, equations }: Pick<ContractReport, 'about' | 'claims' | 'equations'>): Level {
  if (about === 'data') return highestOfData;
  const isOverReals =
    claims.length > 0 && claims.every(({ methods }) => methods.some(({ method }) => method === 'reals'));
  return isOverReals && equations.every(({ kernel }) => kernel === null) ? 'L0' : 'L5';
}

function survivorsText({ killed, total, uncompared }: AdequacyReport): string {
  const survive = `${total - killed} of ${total} wrong kernels survive`;
  return [survive, ...uncomparedText(uncompared)].join(', and ');
}

/** Whether each claim that the equation itself breaks is waived. */
function everyBreachIsWaived({ claims }: Pick<ContractReport, 'claims'>): boolean {
  return claims.filter(breaksItself).every(({ verdict }) => verdict === 'waived');
}

function errorReasons(findings: Report['findings']): readonly string[] {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return errors === 0 ? [] : [`${errors} error${errors === 1 ? '' : 's'} in contracts, bindings or evidence`];
}
