/** Checks of contracts over data: claims on data sets whose verdicts are known, and edits of the claims. */
import { mutateClaim, runControl, runControls, type ControlsOutcome } from '../data/judge/controls.ts';
import type { Check, Work } from './check.ts';
import { nothing, type Found } from './found.ts';

/** Evaluates a claim on its controls or, for the method `adequacy`, its mutants on them. */
export async function runControlsCheck(
  { method, cases }: Check,
  { goal, model, controls, goals, equations, equivalent }: Extract<Work, { kind: 'controls' }>,
): Promise<Found> {
  if (method === 'adequacy') {
    const mutants = (await mutateClaim({ goal, goals, equations, model, controls })).map((outcome) => ({
      ...outcome,
      equivalent: equivalent.find(({ mutant }) => mutant === outcome.mutant)?.reason ?? null,
    }));
    const ran = { declaredCases: cases, cases: mutants.length * controls.length };
    return { ...nothing, verdict: 'tested', reason: null, ...ran, mutants };
  }
  const own = controls.find((control) => control.goal.id === goal.id);
  return found(own ? await runControl(own, model, goals) : await runControls({ goal, model, controls }));
}

function found({ verdict, reason, cases }: ControlsOutcome): Found {
  return { ...nothing, verdict, reason, declaredCases: cases, cases, premiseHits: cases };
}
