/** Of what reading a file found, that on which a verdict depends. */
import type { DataCheck } from '../../data/judge/data-check.ts';
import { askedInputs } from '../../data/judge/asked-inputs.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';

/**
 * The findings, without those about a value for which no obligation waits: a key that leaves a name unset matters where the name
 * is asked for; one whose value is not known, or may mean a name, where an obligation cannot be evaluated because of it.
 */
export function findingsThatMatter(
  found: readonly Diagnostic[],
  checks: readonly DataCheck[],
  isStrict = false,
): readonly Diagnostic[] {
  const open = checks.map((check) => ({
    ...check,
    obligations: check.obligations.filter(
      (one) => one.verdict === 'undetermined' && (isStrict || one.severity === 'error' || one.unusable),
    ),
  }));
  const asked = new Set(open.flatMap((check) => askedInputs(check).map(({ input }) => input.from)));
  const waited = new Set(
    open.flatMap(({ obligations }) =>
      obligations.flatMap(({ unclear, missing }) => [...unclear, ...missing.map(({ from }) => from)]),
    ),
  );
  return found.filter(({ about, code }) => about === undefined || (code === 'PV-7032' ? asked : waited).has(about));
}
