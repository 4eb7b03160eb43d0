import type { Scan } from '../scan/scan.ts';
import type { Fixed } from './write-fixes.ts';

/** What a run found, and what it fixed before. */
export interface ScanOutcome extends Scan {
  readonly fixed: Fixed;
}
