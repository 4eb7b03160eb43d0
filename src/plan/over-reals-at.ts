/**
 * What is known over the reals of a claim that its own equation breaks in float32: whether it is false there, too, and otherwise how far
 * the equation in float32 is from it on all inputs that are tried.
 */
import type { AppliedEquation, Goal } from '../contract/goal.ts';
import type { Counterexample, OverReals, RecordedInput } from '../evidence/receipt.ts';
import type { CompiledGoal } from '../math/compile/compiled.ts';
import { loadGoal } from '../math/compile/load.ts';
import { call, decimal, integer } from '../math/term/build.ts';
import type { Term } from '../math/term/term.ts';
import { isNumeric } from '../math/term/types.ts';
import { asWritten } from '../methods/meant-numbers.ts';
import { realExecutor } from '../methods/reals.ts';
import type { PropertyOutcome } from '../methods/runs/outcome.ts';
import { parseInput } from '../runtime/case-text.ts';
import type { CaseStatus } from '../runtime/check-case.ts';
import type { WorkSubject } from './check.ts';
import { givenInput } from './given-input.ts';

/** A claim that was broken, and how its inputs are run again. */
export interface BrokenClaim {
  readonly goal: Goal;
  readonly compiled: CompiledGoal;
  readonly subjects: readonly WorkSubject[];
  readonly input: RecordedInput;
  readonly runAgain: (goal: Goal, compiled: CompiledGoal) => Promise<PropertyOutcome>;
  /** Runs the claim over the reals on other inputs. */
  readonly refute: (goal: Goal) => Promise<Counterexample | null>;
}

/** The claim at that input or, where it holds there, at others, and the largest error if it holds at all of them. */
export async function overRealsAt(broken: BrokenClaim): Promise<OverReals> {
  const found = await verdictAt(broken);
  if (found.verdict !== 'true') return { ...found, largest: null };
  const elsewhere = await falseElsewhere(broken);
  return elsewhere ? { ...elsewhere, largest: null } : { ...found, largest: await largestError(broken) };
}

async function falseElsewhere({ goal, subjects, refute }: BrokenClaim): Promise<Found | null> {
  if (goal.source === 'falsification') return null;
  const equations = subjects.map(({ equation, model }): AppliedEquation => ({ name: equation, model }));
  // A case that no digits decide leaves a statement open, and the others may still refute it.
  const counterexample = await refute({ ...goal, source: 'statement', overReals: { equations } });
  if (!counterexample || /\bNaN\b/u.test(counterexample.explanation)) return null;
  const { input, explanation } = counterexample;
  const sizes = Object.entries(input.sizes).map(([name, size]) => `${name} = ${size}`);
  const values = Object.entries(input.values).map(([name, { text }]) => `${name} = ${text}`);
  return { verdict: 'false', why: `at ${[...sizes, ...values].join(', ')}, ${explanation}` };
}

type Found = Pick<OverReals, 'verdict' | 'why'>;

async function verdictAt({ goal, compiled, subjects, input }: BrokenClaim): Promise<Found> {
  const recorded = givenInput(goal.domain, input);
  const parsed = parseInput(goal.domain, input);
  if (!recorded || !parsed.ok) return { verdict: 'open', why: 'the input cannot be read' };
  if (goal.applications.some(({ each }) => each !== undefined))
    return { verdict: 'open', why: 'the claim runs the equation on parts of an input' };
  const equations = subjects.map(({ equation, model }): AppliedEquation => ({ name: equation, model }));
  const executor = realExecutor({ goal: { ...goal, given: [asWritten(goal, recorded)] }, compiled, equations });
  const statuses: CaseStatus[] = [];
  await executor.run(
    1,
    () => parsed.value,
    (status) => statuses.push(status) > 0,
  );
  const why = executor.explanation?.() ?? null;
  if (statuses[0] === 'held') return { verdict: 'true', why: null };
  const isOpen = statuses[0] !== 'broken' || executor.outcome.problem !== null || why === null || /\bNaN\b/u.test(why);
  return isOpen ? { verdict: 'open', why } : { verdict: 'false', why };
}

/** Large enough that every input is run; a power of two, so that errors keep their digits. */
const loose = 2 ** 40;

async function largestError({ goal, runAgain }: BrokenClaim): Promise<OverReals['largest']> {
  const kinds = new Set<'tolerance' | 'exact'>();
  const loosened = { ...goal, predicate: loosen(goal.predicate, (kind) => kinds.add(kind)) };
  const [of, other] = kinds;
  if (of === undefined || other !== undefined) return null;
  const compiled = await loadGoal(loosened);
  let most = 0;
  const check: CompiledGoal['check'] = (...asked) => {
    const holds = compiled.check(...asked);
    most = Math.max(most, asked[3].ratio);
    return holds;
  };
  const { verdict } = await runAgain(loosened, { ...compiled, check });
  const error = most * loose;
  return verdict === 'tested' && error > 0 && Number.isFinite(error) ? { of, error } : null;
}

/** The claim with its comparisons allowing {@link loose} times their tolerance, or that much where they are exact. */
function loosen(term: Term, note: (kind: 'tolerance' | 'exact') => void): Term {
  if (term.kind === 'let' || (term.kind === 'reduce' && term.operator === 'all'))
    return { ...term, body: loosen(term.body, note) };
  const [a, b, allowed] = term.kind === 'call' ? term.arguments : [];
  if (term.kind !== 'call' || !a || !b) return term;
  if (term.fn === 'and') return { ...term, arguments: [loosen(a, note), loosen(b, note)] };
  if (term.fn === 'implies') return { ...term, arguments: [a, loosen(b, note)] };
  if (term.fn === 'approximately' && allowed) {
    note('tolerance');
    return { ...term, arguments: [a, b, call('multiply', allowed, decimal(String(loose)))] };
  }
  const sides = isNumeric(a.type) && isNumeric(b.type) ? exceeding(term.fn, a, b) : null;
  if (!sides) return term;
  note('exact');
  return { ...term, fn: 'approximately', arguments: [...sides, integer(loose)] };
}

/** Two numbers that differ by as much as the comparison is broken. */
function exceeding(fn: string, a: Term, b: Term): readonly [Term, Term] | null {
  if (fn === 'equal') return [a, b];
  if (fn === 'less-equal' || fn === 'less') return [call('maximum', a, b), b];
  return fn === 'greater-equal' || fn === 'greater' ? [call('minimum', a, b), b] : null;
}
