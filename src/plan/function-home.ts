/**
 * Checks that run plain functions get their own process: a function may do anything, and must not affect any but its own checks.
 */
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import type { Check } from './check.ts';
import { importsWhileItRuns } from '../host/inputs/late-imports.ts';
import type { Home } from '../host/pool.ts';

/** The plain functions that a check runs; types run none. */
function functionsOf({ method, work }: Check): readonly BoundSubject[] {
  if (method === 'types') return [];
  return work.subjects.flatMap(({ bound }) => (bound?.program.language === 'function' ? [bound] : []));
}

/** Whether untrusted code runs in a check, which may read anything. */
export function runsFunctions(check: Check): boolean {
  return functionsOf(check).length > 0;
}

/** Whether a function of `check` imports, while it runs, what its bundle does not hold. */
export function importsLate(check: Check): boolean {
  return functionsOf(check).some(({ program }) => importsWhileItRuns(program.source));
}

/** Checks of the same functions share a process, one after another. */
export function homeOf(check: Check): Home {
  const functions = functionsOf(check);
  return functions.length === 0 ? null : functions.map(({ program }) => program.sourceHash).join();
}

/** The finding for functions that replaced built-ins, by name; null if they replaced none. */
export function replacesBuiltIns(check: Check, replaced: string): Diagnostic | null {
  const [first] = functionsOf(check);
  if (!first || replaced === '') return null;
  const { span } = first.row.functionName ?? first.row.equation;
  return diagnostic('PV-5027', span, `${first.name} replaced ${replaced}`, {
    hint: 'give the replacement a name of its own: other code in the same process gets it too',
  });
}

/** Functions whose process ended before a check of theirs did. */
export interface EndedProcess {
  /** One for each way to end, however many checks it cost. */
  readonly finding: Diagnostic;
  /** Why this check has no verdict. */
  readonly reason: string;
}

/** Null for a check that runs no function. */
export function endedProcess(check: Check, what: string): EndedProcess | null {
  const functions = functionsOf(check);
  const [first] = functions;
  if (!first) return null;
  const names = functions.map(({ name }) => name).join(', ');
  const { span } = first.row.functionName ?? first.row.equation;
  const finding = diagnostic('PV-5026', span, `${names} did not survive every check: ${what}`, {
    hint: 'let the function return or throw; it has no business with the process that it runs in',
  });
  return { finding, reason: `${names} did not survive this check: ${what} (PV-5026)` };
}
