/**
 * A contract as decoded from YAML: every key of the upstream dialect and pv's own, with the place it came from.
 *
 * Formal fields are read as notation here; what they mean is decided by `elaborate`.
 */
import type { JsonObject } from '../base/canonical-json.ts';
import type { Notation } from '../math/notation/syntax.ts';
import type { Span } from '../diagnostics/source.ts';

/** A value with the place of its text in the YAML. */
export interface Located<T> {
  readonly value: T;
  readonly span: Span;
}

/** A formal field: its text, its place, and what the notation reader made of it. */
export interface FormalText {
  readonly text: string;
  readonly span: Span;
  /** Parsed on first access, then cached. */
  readonly notation: Notation;
  /** Maps an offset of `text` to an offset of the YAML file (block scalars, escapes and folding considered). */
  readonly offsetInSource: (offset: number) => number;
}

/**
 * How far two numbers may differ. The parts are added:
 * |a − b| ≤ abs·per + rel·|b| + ulp·ulp₃₂(b) + cond·2⁻²⁴·E(b),
 * where E is the first-order running error bound of the right side in units of one rounding
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., §3.3).
 */
export interface Tolerance {
  readonly abs: number | null;
  readonly rel: number | null;
  readonly ulp: number | null;
  readonly cond: number | null;
  /** The accuracy that `cond` counts in; null is float32 with every operation rounded to nearest. */
  readonly envelope: 'wgsl' | null;
  /** A size variable (or expression over sizes) that scales `abs`; null is 1. */
  readonly per: FormalText | null;
  /** True when the file gave a bare number, whose unit is a guess. */
  readonly unitless: boolean;
  readonly span: Span;
}

/** What a claim is about: docs/contract-format.md, "Semantics". */
export type Semantics = 'real' | 'ieee' | 'ulp' | 'statistical';

/** One equation of a contract, not yet elaborated. */
export interface Equation {
  readonly name: string;
  readonly nameSpan: Span;
  readonly description: string | null;
  readonly formula: FormalText;
  /** Declarations and preconditions: `x ∈ F32^n, 1 ≤ n ≤ 512, |x_i| ≤ 1e4`. */
  readonly domain: FormalText | null;
  readonly codomain: FormalText | null;
  /** Sizes beyond those of the domain, by name, at which a few inputs run as well. */
  readonly large: readonly ReadonlyMap<string, Located<number>>[];
  readonly invariants: readonly FormalText[];
  readonly preconditions: readonly FormalText[];
  readonly postconditions: readonly FormalText[];
  /** Sources of this equation, in addition to the contract's. */
  readonly references: readonly string[];
}

/** What an obligation is about: a bound kernel, the mathematics alone, or someone's data (`data`). */
export type About = 'kernel' | 'mathematics' | 'data';

/** Whether a violation in data fails `pv check`; `advice` is a rule of thumb, which is shown and counted. */
export type ClaimSeverity = 'error' | 'advice';

/** The settings of property testing for one obligation. */
export interface PropertyMethod {
  /** Null if the file does not say. */
  readonly cases: number | null;
  readonly seed: number | null;
}

/** What an author requires of a bounded proof; null if the file does not say. */
export interface BoundedMethod {
  readonly strategy: string | null;
  /** The bound on sizes. */
  readonly n: number | null;
  /** In seconds. */
  readonly timeout: number | null;
  readonly span: Span;
}

/** What an author requires of a proof over the reals. */
export interface ProofMethod {
  /** Inputs whose bounds the proof drops. */
  readonly unbounded: readonly Located<string>[];
  /** Inputs whose upper bounds it drops. */
  readonly unboundedAbove: readonly Located<string>[];
  readonly span: Span;
}

/** How the distribution of a kernel's outputs is sampled. */
export interface StatisticalMethod {
  /** Inputs that are drawn independently and uniformly from their domain. */
  readonly random: readonly Located<string>[];
  /** Kernel runs per setting of the other inputs. */
  readonly draws: number;
  readonly settings: number;
  /** Probability that any interval of the claim misses what it estimates. */
  readonly alpha: number;
}

/** Where a violation of an obligation about data belongs among the causes of a failed run; null if the file does not say. */
export interface DiagnosisHint {
  readonly granularity: 'kernel' | 'block' | 'transfer' | 'loop' | null;
  readonly scope: 'local' | 'global' | null;
  readonly nature: 'static' | 'dynamic' | null;
  /** `ID`, `contract/ID` or `contract`; empty for a root cause, null if the contract lists no causes. */
  readonly causedBy: readonly Located<string>[] | null;
}

/** One obligation: what must hold of a kernel, of its mathematics or of data, and how to decide it. */
export interface Obligation {
  /**
   * As declared, or derived as upstream's harnesses refer to obligations: the prefix of the test ids, the type,
   * the position among obligations of that type (`SM-INV-001`). Derived ids are noted once per file.
   */
  readonly id: string;
  readonly idDeclared: boolean;
  /** As in the file, allowed or not; empty if the file gives none. */
  readonly type: string;
  readonly property: string;
  readonly formal: FormalText | null;
  readonly requires: readonly FormalText[];
  readonly tolerance: Tolerance | null;
  /** Tolerances for single backends, in addition to the common one. */
  readonly backendTolerances: ReadonlyMap<string, Tolerance>;
  /** In place of the common one for kernels of the accuracy class `library`; null if it is the same. */
  readonly libraryTolerance: Tolerance | null;
  readonly semantics: Semantics | null;
  readonly about: About;
  readonly severity: ClaimSeverity;
  /** The share of the rows for which its premise must hold, so that it can be satisfied; null for any. */
  readonly leastShare: number | null;
  /** What a violation means; for a contract over data, the root cause. */
  readonly ifFails: string | null;
  readonly diagnosis: DiagnosisHint | null;
  /** An equation name, `all`, `simd`, or null. */
  readonly appliesTo: Located<string> | null;
  readonly propertyMethod: PropertyMethod;
  readonly boundedMethod: BoundedMethod | null;
  /** Null unless the contract requires a proof over the reals. */
  readonly proofMethod: ProofMethod | null;
  readonly statisticalMethod: StatisticalMethod | null;
  readonly span: Span;
}

/** A number, a text, a truth value, or a column of numbers. */
export type ControlValue = number | string | boolean | readonly number[];

/** A data set on which the verdict is known: it violates the listed obligations and no other. */
export interface Control {
  /** By the names of the inputs. */
  readonly values: ReadonlyMap<string, Located<ControlValue>>;
  /** Ids of obligations; empty for healthy data. */
  readonly violates: readonly Located<string>[];
}

/** A value that a contract over data reads, under the name used in its formulas. */
export interface DataInput {
  readonly name: string;
  readonly nameSpan: Span;
  /** The name in the vocabulary of data formats (docs/data-formats.md), if it differs. */
  readonly from: string | null;
  readonly meaning: string | null;
  /** The value if the data do not give one: an expression over the other inputs and the equations. */
  readonly fallback: FormalText | null;
  /** In which direction the input may be changed to fix a violation; null if it is a fact, not a choice. */
  readonly mend: 'increase' | 'decrease' | 'any' | null;
}

/** The section `data`: the obligations are about named values, columns or events of someone's run. */
export interface DataSection {
  readonly kind: 'config' | 'log' | 'trace';
  /** Declares every input: its type, its bounds. */
  readonly domain: FormalText | null;
  /** Inputs that every file of this kind has; null if the contract does not say, and each is required. */
  readonly required: readonly Located<string>[] | null;
  readonly inputs: readonly DataInput[];
  readonly span: Span;
}

/** A prediction with inputs on which it would fail if the kernel were wrong. */
export interface FalsificationTest {
  readonly id: string;
  /** What it attacks: an obligation's id, or words. */
  readonly rule: Located<string> | null;
  readonly prediction: FormalText | null;
  /** The inputs: `x ∈ {[0, -104], [88, 89, 90]}`; null runs the edge cases of the domain. */
  readonly given: FormalText | null;
  /** For a contract over data: a data set and the obligations that it violates; null for every other test. */
  readonly control: Control | null;
  readonly tolerance: Tolerance | null;
  /** Tolerances for single backends, in addition to the common one. */
  readonly backendTolerances: ReadonlyMap<string, Tolerance>;
  /** In place of the common one for kernels of the accuracy class `library`; null if it is the same. */
  readonly libraryTolerance: Tolerance | null;
  /** Null takes that of the obligation that it tests. */
  readonly semantics: Semantics | null;
  /** Upstream's prose `test:`; shown, never evidence. */
  readonly test: string | null;
  readonly ifFails: string | null;
  readonly span: Span;
}

/** A bounded proof that the contract requires, in the words of upstream's harnesses for Kani. */
export interface KaniHarness {
  readonly id: string;
  readonly obligation: Located<string> | null;
  readonly property: string | null;
  readonly bound: number | null;
  /** By name of the size: the largest, or the only ones. */
  readonly sizes: Readonly<Record<string, number | readonly number[]>>;
  readonly strategy: string | null;
  /** Obligations of sub-contracts that replace their kernels; empty if the file does not say. */
  readonly assumes: readonly Located<string>[];
  readonly solver: string | null;
  readonly harness: string | null;
  readonly span: Span;
}

/** A mutant that the author declares indistinguishable from the original, with the reason. */
export interface EquivalentMutant {
  readonly mutant: string;
  readonly equation: string | null;
  readonly reason: string;
  readonly span: Span;
}

/** Which checks must pass, and which wrong kernels they must catch. */
export interface QaGate {
  readonly id: string | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly passCriteria: Located<string> | null;
  /** `checks`, or `required_tests` in upstream's other dialect. */
  readonly checks: readonly Located<string>[];
  /** Wrong implementations that the author adds to the generated ones: `drop: max(x)`. */
  readonly mutants: readonly Located<string>[];
  readonly equivalentMutants: readonly EquivalentMutant[];
  readonly span: Span;
}

/** A stage of an algorithm with what holds after it; documentation that is not executed. */
export interface Phase {
  readonly name: string;
  readonly description: string | null;
  readonly invariant: FormalText | null;
}

/** One contract file. */
export interface Contract {
  /** The file's stem: `softmax-kernel-v1`. */
  readonly id: string;
  readonly path: string;
  readonly version: string | null;
  readonly kind: string;
  readonly description: string | null;
  readonly references: readonly string[];
  readonly dependsOn: readonly Located<string>[];
  readonly equations: readonly Equation[];
  readonly obligations: readonly Obligation[];
  readonly falsificationTests: readonly FalsificationTest[];
  readonly kaniHarnesses: readonly KaniHarness[];
  readonly phases: readonly Phase[];
  readonly qaGate: QaGate | null;
  /** Null unless the contract is about data. */
  readonly dataSection: DataSection | null;
  /**
   * sha256 of the canonical JSON of each part and of the whole (''), e.g. `equations.softmax` → `sha256:…`;
   * the elements of lists by their id (`proof_obligations.SM-INV-001`). Computed on first access.
   */
  readonly digests: ReadonlyMap<string, string>;
  /** The file as plain data, for keys that are shown and not modelled (`author`, `simd_dispatch`, …). Made on first access. */
  readonly data: JsonObject;
  /** Levels and results that the file declares about itself (`…lean.status: proved`): shown, never evidence. */
  readonly declarations: readonly Located<string>[];
  /** Every key path that pv neither interprets nor ignores by rule; reported, never dropped silently. */
  readonly uninterpreted: readonly Located<string>[];
  readonly span: Span;
}
