/** Claims that elaborate but say less than they seem to. */
import { quoted } from '../../../base/text.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import { diagnostic, type Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { FormalText, Tolerance } from '../../contract.ts';
import { spanWithin } from '../../formal-fields.ts';
import type { Claim } from './claim-of.ts';
import { toleranceNames, type ClaimModel, type ElaboratedClaim } from './claim.ts';
import type { Problem } from '../context/context.ts';
import { childrenOf, namesOf } from '../context/syntax-parts.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';

type Fault = Pick<Problem, 'code' | 'message' | 'hint'>;

/**
 * The first way in which the claim says nothing: an unused tolerance, no application of what it is about. Null if it
 * is sound.
 */
export function faultOf(
  claim: Claim & { readonly formal: FormalText },
  elaborated: ElaboratedClaim,
  model: ClaimModel,
  equations: readonly ElaboratedEquation[],
): Diagnostic | null {
  const absent = kernelNotRun(claim, model, equations) ?? resultNotComputed(claim, model, equations);
  if (!absent) return misleadingTolerance(claim, elaborated);
  const { formal } = claim;
  const span = spanWithin(formal, { start: 0, end: formal.text.length });
  return diagnostic(absent.code, span, absent.message, absent.hint === null ? {} : { hint: absent.hint });
}

/** An obligation that never runs its kernel would be green whatever the kernel does. */
function kernelNotRun(
  { source, appliesTo }: Claim,
  { applications }: ClaimModel,
  equations: readonly ElaboratedEquation[],
): Fault | null {
  const about = equations.find(({ equation }) => equation.name === appliesTo);
  if (source !== 'obligation' || !about || applications.some(({ equation }) => equation === appliesTo)) return null;
  return {
    code: 'PV-4024',
    message: `the claim applies to ${quoted(about.equation.name)} and never runs its kernel`,
    hint: `\`${about.symbol}(…)\` is the kernel and \`${about.symbol}_ref(…)\` the equation; name the kernel, or remove applies_to`,
  };
}

/** The result of an equation is drawn as an input, so no kernel runs, and the claim does not depend on the equation. */
function resultNotComputed(
  { about }: Claim,
  { applications, domain }: ClaimModel,
  equations: readonly ElaboratedEquation[],
): Fault | null {
  if (about !== 'kernel' || applications.length > 0) return null;
  const drawn = equations.find(({ symbol }) => domain.variables.some(({ name }) => name === symbol));
  if (!drawn) return null;
  return {
    code: 'PV-4046',
    message: `${drawn.symbol} is the result of the equation ${quoted(drawn.equation.name)}, and is used here as a free input`,
    hint: `to claim something about the result, do not declare or give ${drawn.symbol}; for an arbitrary number, use another name`,
  };
}

/** A stated tolerance that no comparison uses; 0 does not count, since it allows nothing. */
function idle({ tolerance, inheritsTolerance }: Claim, { ctx }: ElaboratedClaim): Tolerance | null {
  if (tolerance === null || inheritsTolerance || ctx.claim?.tolerated !== false) return null;
  const { abs, rel, ulp, cond } = tolerance;
  return [abs, rel, ulp, cond].some((part) => part !== null && part !== 0) ? tolerance : null;
}

/** Whether a comparison of `formal` has `name` on one of its sides, and not only as an argument or as `ε > 0`. */
function isBound({ notation }: FormalText, name: string): boolean {
  const outside = (part: Expression): boolean =>
    part.kind === 'name' ? part.text === name : part.kind !== 'call' && childrenOf(part).some(outside);
  const within = (part: Expression): boolean =>
    part.kind === 'relation'
      ? part.operands.some(outside) && part.operands.some((side) => namesOf(side).some((other) => other !== name))
      : childrenOf(part).some(within);
  return notation.statements.some(({ body }) => within(body));
}

/** The claim is decided by a bound other than the tolerance that it states: an input, or a number. */
function misleadingTolerance(
  claim: Claim & { readonly formal: FormalText },
  elaborated: ElaboratedClaim,
): Diagnostic | null {
  const tolerance = idle(claim, elaborated);
  if (tolerance === null) return null;
  const { ctx, draft } = elaborated;
  const input = toleranceNames.find(
    (name) => (draft.inputs.has(name) || draft.sizes.has(name)) && isBound(claim.formal, name),
  );
  if (input !== undefined)
    return diagnostic('PV-4045', tolerance.span, `${input} is an input of this claim, so nothing uses its tolerance`, {
      hint: `compare with ≈ (|a - b| ≤ ${input} says a ≈ b), or remove the tolerance`,
    });
  if (ctx.claim?.boundsDifference !== true) return null;
  return diagnostic('PV-4045', tolerance.span, 'the claim bounds a difference by something other than its tolerance', {
    hint: 'compare with ≈, write |a - b| ≤ ε, or remove the tolerance',
  });
}

/** Warnings about a claim that runs. */
export function remarksOn(claim: Claim, elaborated: ElaboratedClaim): readonly Diagnostic[] {
  const tolerance = idle(claim, elaborated);
  return tolerance === null
    ? []
    : [
        diagnostic('PV-4047', tolerance.span, 'the claim is exact: none of its comparisons uses its tolerance', {
          hint: 'remove the tolerance, or compare with ≈',
        }),
      ];
}
