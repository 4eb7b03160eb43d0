import type { Verdict } from '../evidence/verdict.ts';
import type { FindingReport } from './report.ts';

/** How loudly annotations speak of a verdict; null for green ones, which they do not mention. */
export const severityOf: Readonly<Record<Verdict, FindingReport['severity'] | null>> = {
  falsified: 'error',
  unsound: 'error',
  vacuous: 'error',
  incomplete: 'warning',
  undetermined: 'warning',
  stale: 'warning',
  unbound: 'warning',
  prose: 'note',
  waived: 'note',
  tested: null,
  proved: null,
};
