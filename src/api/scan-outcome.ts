import type { Scan } from '../scan/scan.ts';
import type { Fixed } from './write-fixes.ts';

/** What a run found, and what it fixed before. */
export interface ScanOutcome extends Omit<Scan, 'counts'> {
  readonly counts: Scan['counts'] & {
    /** Tests and fixtures under the given folders that were not read. */
    readonly testsLeftOut: number;
    /** Minified, bundled and compiled JavaScript under them that was not scanned. */
    readonly generatedLeftOut: number;
    /** Links out of them, which were not followed. */
    readonly linksLeftOut: number;
  };
  /** The paths of those links. */
  readonly linksLeftOut: readonly string[];
  readonly fixed: Fixed;
}
