import { isGreen, levels, type Level } from '../evidence/verdict.ts';
import { lowerLevel } from '../evidence/verdict-order.ts';
import type { ContractReport, Report } from '../report/report.ts';

/**
 * Whether everything that was declared is green at `minimumLevel` or above, with a reason for everything that is not.
 *
 * Nothing declared, nothing evaluated, an unsound contract, a surviving wrong kernel, a missing dependency or an error among the
 * findings fails the gate: only evidence passes it.
 */
export function judgeGate(report: Omit<Report, 'gate'>, minimumLevel: Level): Report['gate'] {
  const reasons = [
    ...(report.contracts.length === 0 ? ['no contract was read'] : []),
    ...report.contracts.flatMap((contract) => contractReasons(contract, minimumLevel)),
    ...report.edges
      .filter(({ missing }) => missing)
      .map(({ from, to }) => `${from} depends on ${to}, which was not read`),
    ...errorReasons(report.findings),
  ];
  return { judged: true, passed: reasons.length === 0, minimumLevel, reasons };
}

function contractReasons(contract: ContractReport, minimumLevel: Level): readonly string[] {
  const { id, about, verdict, level, evaluated, declared, sound, adequacy } = contract;
  // Data are judged on data sets whose verdict is known, which is L2; no higher level exists for them.
  const wanted = about === 'data' ? lowerLevel(minimumLevel, 'L2') : minimumLevel;
  const below = levels.indexOf(level) < levels.indexOf(wanted);
  return [
    ...(declared === 0 ? [`${id} declares no claim`] : []),
    ...(declared > 0 && evaluated === 0 ? [`${id}: 0 of ${declared} claims were evaluated`] : []),
    ...(isGreen(verdict) ? [] : [`${id} is ${verdict}`]),
    ...(isGreen(verdict) && below ? [`${id} is at ${level}, ${wanted} is asked for`] : []),
    ...(sound === false ? [`${id}: its own equation, in float32, breaks it`] : []),
    ...(adequacy && adequacy.killed < adequacy.total && verdict !== 'falsified'
      ? [`${id}: ${adequacy.total - adequacy.killed} of ${adequacy.total} wrong kernels survive`]
      : []),
  ];
}

function errorReasons(findings: Report['findings']): readonly string[] {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return errors === 0 ? [] : [`${errors} error${errors === 1 ? '' : 's'} in contracts, bindings or evidence`];
}
