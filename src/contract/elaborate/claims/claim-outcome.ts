/** What becomes of a claim, which may be notation, notation before words, or words alone. */
import type { Contract, FormalText } from '../../contract.ts';
import { withAllAlike } from './all-alike.ts';
import { withoutRepeated } from './bare-tolerance.ts';
import { isRepeatedId } from './claim-index.ts';
import type { Claim } from './claim-of.ts';
import { elaborateFormal } from './formal-claim.ts';
import { comparesKernels, comparisonOf } from './kernel-comparison.ts';
import { sentenceOf } from './sentences.ts';
import { withoutConfigurations } from './named-configuration.ts';
import { type Outcome, notGoal } from './outcome.ts';
import { withStatedTolerance } from './within-tolerance.ts';
import { textMentions } from '../context/syntax-parts.ts';
import { beforeScope, narrowsOnly } from '../equations/before-scope.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';
import { isVariant, type equationScope } from '../equations/globals.ts';
import type { Goal } from '../../goal.ts';

/** The claim with its common tolerance, and once more with each tolerance of a backend. */
export function elaborateOnBackends(
  contract: Contract,
  claim: Claim,
  equations: readonly ElaboratedEquation[],
  globals: ReturnType<typeof equationScope>,
): Outcome {
  const common = elaborateOne(contract, claim, equations, globals);
  if (!common.goal || claim.backendTolerances.size === 0) return common;
  const onBackends: Record<string, Goal> = {};
  const preconditions = new Map(common.preconditions);
  for (const [backend, tolerance] of claim.backendTolerances) {
    const outcome = elaborateOne(contract, { ...claim, tolerance }, equations, globals);
    if (!outcome.goal) return outcome;
    onBackends[backend] = outcome.goal;
    for (const [term, place] of outcome.preconditions ?? []) preconditions.set(term, place);
  }
  return { ...common, goal: { ...common.goal, onBackends }, preconditions };
}

/** The claim with its common tolerance; with a name of what it is about left out if it is not understood with it. */
export function elaborateOne(
  contract: Contract,
  claim: Claim,
  equations: readonly ElaboratedEquation[],
  globals: ReturnType<typeof equationScope>,
): Outcome {
  const outcome = elaborateWritten(contract, claim, equations, globals);
  const isOpen = outcome.goal === null && outcome.notGoal?.asRead === undefined;
  const plain = isOpen && claim.formal && claim.about !== 'data' ? plainer(claim.formal, equations) : null;
  if (plain === null) return outcome;
  // What rounding does to an order or a sum is not what such a sentence is about.
  const semantics = plain.isExact && claim.semantics === 'ieee' && claim.tolerance === null ? 'real' : claim.semantics;
  const read = { ...claim, formal: plain.formal, semantics };
  const { goal, notGoal: open } = elaborateWritten(contract, read, equations, globals);
  const asRead = goal ?? open?.asRead;
  if (!asRead) return outcome;
  const widened = plain.isWhole && (goal !== null || open?.widened === true);
  const missing = { ...notGoal(claim, 'undetermined', plain.said), asRead };
  return { ...outcome, notGoal: widened ? { ...missing, widened } : missing };
}

interface Plainer {
  readonly formal: FormalText;
  /** What is assumed. */
  readonly said: string;
  /** Whether it says all that the author's words do. */
  readonly isWhole: boolean;
  /** Whether it is about real numbers rather than floats. */
  readonly isExact: boolean;
}

/** The claim in notation that pv reads. */
function plainer(formal: FormalText, equations: readonly ElaboratedEquation[]): Plainer | null {
  const named = withoutConfigurations(formal, equations);
  if (named) return { ...named, isWhole: false, isExact: false };
  const alike = withAllAlike(formal, equations);
  if (alike) return { ...alike, isWhole: true, isExact: true };
  const sentence = sentenceOf(formal);
  if (sentence === null) return null;
  const isExact = !/is_finite|\bfinite\b/u.test(sentence.text);
  return { formal: sentence, said: `it is read as ${sentence.text}`, isWhole: true, isExact };
}

/** The claim as it is written, with its common tolerance. */
function elaborateWritten(
  contract: Contract,
  written: Claim,
  equations: readonly ElaboratedEquation[],
  globals: ReturnType<typeof equationScope>,
): Outcome {
  const claim = withStatedTolerance(withoutRepeated(written));
  const { formal } = claim;
  // Evidence is stored by id. PV-3006 reports the repetition.
  if (isRepeatedId(contract, claim.id))
    return {
      goal: null,
      notGoal: notGoal(claim, 'undetermined', 'its id is repeated, so evidence could belong to either claim'),
      diagnostics: [],
    };
  if (formal === null || comparesKernels(claim)) return withoutText(contract, claim, equations, globals);
  if (formal.notation.status === 'math') {
    const outcome = elaborateFormal(contract, { ...claim, formal }, equations, globals);
    return outcome.goal && textMentions(formal, (name) => isVariant(name, globals))
      ? { ...outcome, goal: { ...outcome.goal, comparesKernels: true } }
      : outcome;
  }
  const reason = formal.notation.status === 'prose' ? 'its text is prose' : proseTail(formal);
  const missing = notGoal(claim, 'prose', reason);
  const part = claim.about === 'data' ? null : beforeScope(formal);
  if (part === null) return { goal: null, notGoal: missing, diagnostics: [] };
  const outcome = elaborateFormal(contract, { ...claim, formal: part }, equations, globals);
  const asRead = outcome.goal ?? outcome.notGoal?.asRead;
  const widened = narrowsOnly(formal) && (outcome.goal !== null || outcome.notGoal?.widened === true);
  return asRead
    ? {
        ...outcome,
        goal: null,
        notGoal: { ...missing, asRead, ...(widened ? { widened } : {}) },
        diagnostics: [],
      }
    : { goal: null, notGoal: missing, diagnostics: [] };
}

/** Words are all that the claim has; those that compare implementations say what a kernel must do. */
function withoutText(
  contract: Contract,
  claim: Claim,
  equations: readonly ElaboratedEquation[],
  globals: ReturnType<typeof equationScope>,
): Outcome {
  const isComparison = comparesKernels(claim);
  const formal = isComparison && claim.about === 'kernel' ? comparisonOf(claim, equations) : null;
  const { goal = null } = formal
    ? elaborateFormal(contract, { ...claim, formal, appliesTo: null }, equations, globals)
    : {};
  if (goal) return { goal: { ...goal, comparesKernels: true }, notGoal: null, diagnostics: [] };
  const reason = isComparison
    ? `it has no formal ${claim.formal ? 'notation' : 'text'}, and compares implementations: write f(x) ≈ f_ref(x) with a tolerance, and bind a kernel to f`
    : 'it has no formal text';
  return { goal: null, notGoal: notGoal(claim, 'prose', reason), diagnostics: [] };
}

function proseTail(formal: FormalText): string {
  const tail = formal.notation.prose.find((part) => part.role === 'tail');
  return tail
    ? `"${tail.text}" is prose, so the notation before it is not the whole claim`
    : 'part of its text is prose';
}
