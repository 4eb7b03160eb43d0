/** Obligations and falsification tests as claims, in a common form. */
import type { Span } from '../../../diagnostics/source.ts';
import type {
  About,
  Contract,
  FalsificationTest,
  FormalText,
  Obligation,
  Semantics,
  StatisticalMethod,
  Tolerance,
} from '../../contract.ts';
import type { GoalSource } from '../../goal.ts';
import { tolerancesOfTest } from '../../tolerances.ts';
import { obligationOfTest, testOfObligation } from './claim-index.ts';

/** What must hold, where that is written, and how it is to be decided. */
export interface Claim {
  readonly id: string;
  readonly source: GoalSource;
  /** Of an obligation: `equivalence`, `invariant`. */
  readonly type: string | null;
  readonly property: string;
  readonly formal: FormalText | null;
  readonly requires: readonly FormalText[];
  readonly tolerance: Tolerance | null;
  /** Whether the tolerance is that of the obligation that a test attacks. */
  readonly inheritsTolerance: boolean;
  readonly backendTolerances: ReadonlyMap<string, Tolerance>;
  readonly semantics: Semantics;
  readonly statistical: StatisticalMethod | null;
  readonly about: About;
  /** Whether each mention of a kernel is a separate run. */
  readonly runsApart: boolean;
  readonly appliesTo: string | null;
  readonly given: FormalText | null;
  readonly cases: number;
  readonly seed: number | null;
  readonly ifFails: string | null;
  readonly span: Span;
}

/** Level L3 needs this many generated cases. */
const DEFAULT_CASES = 10_000;
/** Arbitrary precision is some thousand times slower than float32. */
const REAL_CASES = 200;

/** In a contract over data without equations the claim itself has the data's inputs. */
export function obligationClaim(obligation: Obligation, contract: Contract): Claim {
  const { id, type, property, formal, requires, semantics, about, appliesTo, propertyMethod, span } = obligation;
  const test = testOfObligation(contract, id);
  // Equations already have the data's inputs.
  const inputs = contract.equations.length === 0 ? (contract.dataSection?.domain ?? null) : null;
  return {
    id,
    source: 'obligation',
    type,
    property,
    formal,
    requires: inputs ? [inputs, ...requires] : requires,
    tolerance: obligation.tolerance,
    inheritsTolerance: false,
    backendTolerances: obligation.backendTolerances,
    semantics: semantics ?? 'ieee',
    statistical: obligation.statisticalMethod,
    about,
    runsApart: obligation.type === 'determinism',
    appliesTo: appliesTo?.value ?? null,
    given: null,
    cases: propertyMethod.cases ?? (semantics === 'real' ? REAL_CASES : DEFAULT_CASES),
    seed: propertyMethod.seed,
    ifFails: obligation.ifFails ?? (about === 'data' ? (test?.ifFails ?? null) : null),
    span,
  };
}

/** A test of an obligation inherits what the obligation says about inputs, tolerance and semantics. */
export function testClaim(test: FalsificationTest, contract: Contract): Claim {
  const rule = obligationOfTest(contract, test);
  return {
    id: test.id,
    source: 'falsification',
    type: null,
    property: test.prediction?.text ?? test.test ?? test.id,
    formal: test.prediction,
    requires: rule?.requires ?? [],
    ...tolerancesOfTest(test, rule),
    inheritsTolerance: test.tolerance === null && rule !== null,
    semantics: test.semantics ?? inheritedSemantics(rule),
    statistical: null,
    about: contract.dataSection ? 'mathematics' : (rule?.about ?? 'kernel'),
    runsApart: rule?.type === 'determinism',
    appliesTo: rule?.appliesTo?.value ?? null,
    given: test.given,
    cases: 0,
    seed: null,
    ifFails: test.ifFails,
    span: test.span,
  };
}

/** A statistic is about many draws, but a test has explicit inputs, so it is about single runs. */
function inheritedSemantics(rule: Obligation | null): Semantics {
  return rule === null || rule.semantics === null || rule.semantics === 'statistical' ? 'ieee' : rule.semantics;
}
