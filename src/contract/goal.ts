/**
 * Goals: what obligations and falsification tests say once elaborated, ready for any method to decide.
 */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Span } from '../diagnostics/source.ts';
import type { Domain, InputVariable } from '../math/domain.ts';
import type { Term, Type } from '../math/term/term.ts';
import type { GivenInput, TestableApplication, TestableGoal } from '../runtime/testable-goal.ts';
import type { About, Contract, ControlValue, Semantics } from './contract.ts';

/** An input of an equation or function. */
export interface Parameter {
  readonly name: string;
  readonly type: Type;
}

/** An equation, typed: `body` is the result over `parameters` and the sizes of `domain`. */
export interface EquationModel {
  /** The YAML key: `softmax`. */
  readonly name: string;
  /** The function or variable symbol on the left: `σ`, `θ'`. */
  readonly symbol: string;
  /** Arguments written on the left side first, then the other inputs in the order of the domain. */
  readonly parameters: readonly Parameter[];
  /** Size variables in the order of the domain. */
  readonly sizes: readonly string[];
  readonly domain: Domain;
  /** Sizes beyond those of the domain at which a few inputs run as well; a size that an entry does not name is drawn. */
  readonly large: readonly Readonly<Record<string, number>>[];
  readonly result: Type;
  /** For a function that is only declared (`encode: String → ℤ*`) the function itself, applied to its parameters. */
  readonly body: Term;
  /**
   * Why the domain may be wider than the author's, or the formula may not hold everywhere; absent if all of it is understood. A
   * counterexample to a claim about such an equation may lie outside what the author means.
   */
  readonly unread?: string;
  /**
   * Whether what is not understood can only narrow the inputs: words of the domain. What then holds of this equation holds of the
   * author's. Not so where a name is taken to be a number, or a function to have one value.
   */
  readonly widens?: true;
  /** Whether the left side names no arguments: `SE = s / √n`. Then `SE(n_1)` gives n, and not the first input. */
  readonly bare?: true;
  /** Of each axis of the result, whether its indices are written from 1 on; absent if none are. */
  readonly fromOne?: readonly boolean[];
  /** Sizes of axes along which the formula counts from 1, as `Σ_{i=1}^{n}` does; absent if there are none. */
  readonly countedFromOne?: readonly string[];
  /** sha256 of what the meaning of this equation depends on (formula, domain, codomain, helpers of sub-contracts). */
  readonly digest: string;
}

/** Whether claims alone say what the function computes: its formula is a type, so that there is nothing to compute with. */
export function isDeclaredOnly({ body }: EquationModel): boolean {
  return body.kind === 'apply';
}

/** What a goal asks of a bound kernel. */
export interface Application extends TestableApplication {
  /** They may mention the outputs of earlier applications. */
  readonly arguments: readonly Term[];
  readonly sizes: readonly Term[];
}

/** The inputs of one listed case. */
export type GivenCase = GivenInput;

/** An equation under the name that applications of a goal carry: `softmax`, or `softmax-kernel-v1/softmax` of another contract. */
export interface AppliedEquation {
  readonly name: string;
  readonly model: EquationModel;
}

/** One comparison of a statistical claim: a statistic of the outputs against a number that no draw changes. */
export interface StatisticalComparison {
  readonly statistic: 'mean' | 'variance' | 'probability';
  /** As written. */
  readonly text: string;
  /** What one draw gives, for every index of the claim (row-major): a number, or a truth value for a probability. */
  readonly sample: Term;
  readonly relation: '≈' | '≤' | '≥';
  /** Over sizes and inputs that are not drawn: a scalar, or one number per element of the sample. */
  readonly target: Term;
  /** What the two may differ by, shaped as the target; null for ≤ and ≥. */
  readonly allowed: Term | null;
}

/** What a statistical claim compares, and how it samples. */
export interface StatisticalStatement {
  readonly comparisons: readonly StatisticalComparison[];
  /** Inputs that are drawn independently and uniformly from their domain. */
  readonly random: readonly string[];
  readonly draws: number;
  readonly settings: number;
  /** Probability that any interval of the claim misses what it estimates. */
  readonly alpha: number;
}

/** What a goal was made from: an obligation, a falsification test, or a statement of an equation. */
export type GoalSource = 'obligation' | 'falsification' | 'statement';

/** A {@link TestableGoal}, with what a contract says about it and what other methods than running it need. */
export interface Goal extends TestableGoal {
  readonly applications: readonly Application[];
  readonly contract: string;
  readonly source: GoalSource;
  readonly semantics: Semantics;
  readonly about: About;
  /** Equations whose kernels the goal runs; empty for a goal about the mathematics alone. */
  readonly equations: readonly string[];
  /** Boolean; over the domain's sizes and variables and the applications' outputs. */
  readonly predicate: Term;
  /** Of the generator, in place of the run's; null takes the run's. */
  readonly seed: number | null;
  /** The same claim with the tolerance that it has on a backend, where that is another. */
  readonly onBackends: Readonly<Record<string, Goal>>;
  /** For a claim over the reals: the equations that its applications mean. Null for every other claim. */
  readonly overReals: { readonly equations: readonly AppliedEquation[] } | null;
  /** Null for a claim about single runs. The predicate of a statistical claim is empty. */
  readonly statistical: StatisticalStatement | null;
  /** Whether it compares a kernel with another implementation, so that it says nothing of formulas and needs a kernel. */
  readonly comparesKernels?: true;
  /** sha256 of everything above that decides the verdict, and of the testable part. */
  readonly digest: string;
  readonly span: Span;
}

/** An input of a contract over data. */
export interface DataInputModel {
  /** As the mathematics names it. */
  readonly name: string;
  /** Its type and bounds, from the domain. */
  readonly variable: InputVariable;
  /** As the vocabulary of data formats names it. */
  readonly from: string;
  readonly meaning: string | null;
  /** Over other inputs; what holds when the data do not say. */
  readonly fallback: Term | null;
  readonly mend: 'increase' | 'decrease' | 'any' | null;
}

/** What a contract over data reads. */
export interface DataModel {
  readonly kind: 'config' | 'log' | 'trace';
  readonly domain: Domain;
  /** Inputs that every file of this kind has; null if the contract does not say. */
  readonly required: ReadonlySet<string> | null;
  /** One per variable of the domain, in the order of preference among fixes. */
  readonly inputs: readonly DataInputModel[];
}

/** A data set of a falsification test. */
export interface ControlModel {
  /** By the names of the inputs. */
  readonly values: readonly { readonly name: string; readonly value: ControlValue }[];
  /** Ids of the obligations that it violates; it satisfies all others that it has the inputs for. */
  readonly violates: readonly string[];
  /** The test as a claim; its predicate is the expectation, which is not a term. */
  readonly goal: Goal;
}

/** An invariant, precondition, postcondition or codomain that is not evaluated. */
export interface UnevaluatedStatement {
  /** `softmax.invariant-2` */
  readonly id: string;
  readonly text: string;
  readonly reason: string;
  readonly span: Span;
  /** As {@link NotGoal.asRead}. */
  readonly asRead?: Goal;
  /** As {@link NotGoal.widened}. */
  readonly widened?: true;
}

/** Why a claim is not a goal. */
export interface NotGoal {
  readonly claim: string;
  readonly source: GoalSource;
  readonly property: string;
  readonly formal: string | null;
  readonly status: 'prose' | 'undetermined';
  readonly reason: string;
  readonly span: Span;
  /**
   * The claim as far as it is understood, if that much can be run. What that shows is reported and decides nothing: a counterexample
   * may be excluded by the words that are not understood.
   */
  readonly asRead?: Goal;
  /** Whether those words can only exclude inputs, so that what holds as read holds as meant; a counterexample still decides nothing. */
  readonly widened?: true;
}

/** A contract with everything that elaboration made of it. Whatever has no goal is in `notGoals` or `unevaluated`. */
export interface ElaboratedContract {
  readonly contract: Contract;
  readonly equations: readonly EquationModel[];
  readonly goals: readonly Goal[];
  /** Goals from the statements of equations, over the reals. */
  readonly statements: readonly Goal[];
  readonly unevaluated: readonly UnevaluatedStatement[];
  /** Claims about data: predicates over the inputs of `data`, which hold or not of a given data set. */
  readonly dataGoals: readonly Goal[];
  /** Null unless the contract is about data, and its inputs could be read. */
  readonly data: DataModel | null;
  readonly controls: readonly ControlModel[];
  readonly notGoals: readonly NotGoal[];
  /** Where the preconditions of its equations and goals are written. */
  readonly preconditions: ReadonlyMap<Term, Span>;
  readonly diagnostics: readonly Diagnostic[];
}
