/**
 * The state of one elaboration (an equation, a claim): names, open scopes, the first problem found.
 *
 * A problem does not stop the walk: the failing place becomes a placeholder, later problems of the same text are consequences
 * and are dropped, and the caller discards the result. So no step has to propagate errors.
 */
import type { Code } from '../../../diagnostics/codes.ts';
import type { Range, Span } from '../../../diagnostics/source.ts';
import { integer } from '../../../math/term/build.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import type { FreshName } from '../../../math/term/symbols.ts';
import type { Term } from '../../../math/term/term.ts';
import type { FormalText } from '../../contract.ts';
import type { ClaimState } from './claim-state.ts';
import type { Frame } from './frame.ts';
import type { Definition, IndexVariable, Scope } from './scope.ts';
import type { Value } from './value.ts';

/**
 * `error`: the author must fix it. `undetermined`: the mathematics is fine and beyond what pv elaborates.
 * `blocked`: the cause is elsewhere (the formula of another equation) and is reported there.
 */
export interface Problem {
  readonly kind: 'error' | 'undetermined' | 'blocked';
  readonly code: Code;
  readonly message: string;
  readonly hint: string | null;
  readonly text: FormalText;
  readonly range: Range;
  /** The number that an equation used here needs and nothing gives. */
  readonly missing?: string;
  /** The same of a size. */
  readonly missingSize?: string;
}

/** A part of a text. */
export interface Place {
  readonly text: FormalText;
  readonly range: Range;
}

/** An element read at an index that is not yet known to be in range. */
export interface ReadPlace {
  readonly text: FormalText;
  /** The array as written. */
  readonly shown: string;
  readonly range: Range;
  /** For each index, in the order of the axes. */
  readonly indices: readonly Range[];
  /** What to report instead of the general finding when the read leaves its array. */
  readonly problem: Problem | null;
}

/** For each text, which of its characters are used (1). Rewritten fields keep their span and ranges. */
export type Ledger = Map<Span, Uint8Array>;

/** `{ a if p; b if q }` where neither p nor q may hold. */
export interface OpenCases {
  readonly expression: Extract<Expression, { kind: 'cases' }>;
  readonly scope: Scope;
  readonly text: FormalText;
}

/** Inputs that are declared as integers of so many bits, with whether they have a sign. */
export interface MachineIntegers {
  readonly signed: ReadonlyMap<string, boolean>;
  /** Whether the result is declared as such an integer too, so that its quotients are rounded. */
  readonly result: boolean;
}

/** One elaboration. It is mutable, and used for one text after another. */
export interface Context {
  readonly fresh: FreshName;
  /** Elaborates an expression; a field, so that the modules of this folder do not import each other in a cycle. */
  readonly elaborate: (expression: Expression, scope: Scope) => Value;
  /** The text that ranges refer to at the moment: a definition from elsewhere changes it while it is read. */
  text: FormalText;
  problem: Problem | null;
  /** Findings that do not stop elaboration. */
  readonly remarks: Problem[];
  frames: Frame[];
  /** Index variables by their unique names, for the inference of ranges. */
  readonly indices: Map<string, IndexVariable>;
  /** Sizes that the domain defines by others (`d = 2·k`), written out before sizes are compared. */
  readonly sizeDefinitions: Map<string, Term>;
  /** Reads that may leave their array, by the origin of their terms; see stray-reads.ts. */
  readonly reads: Map<Range, ReadPlace>;
  /** Where each precondition that this elaboration adds is written. */
  readonly preconditions: Map<Term, Place>;
  /** Known divisors of sizes: `d mod 2 = 0`. */
  readonly sizeMultiples: Map<string, number>;
  /** Ranges that begin at 1, with what they count from: one text counts along an axis in one way. */
  readonly fromOne: {
    readonly text: Context['text'];
    readonly size: Term;
    readonly written: string;
    readonly base: 0 | 1;
  }[];
  /** Null where no input is declared as one. */
  machine: MachineIntegers | null;
  /** Which parts of the texts are executed; see ledger.ts. */
  readonly ledger: Ledger;
  /** Cases whose conditions may not cover all values. */
  readonly openCases: OpenCases[];
  /** Definitions being expanded, to detect cycles. */
  readonly active: Set<Definition>;
  /** Only in claims. */
  readonly claim: ClaimState | null;
  visits: number;
  depth: number;
}

/** Bounds on one elaboration: far beyond any real formula, and small enough that no input can hang or overflow. */
export const limits = { visits: 60_000, depth: 250, literalItems: 256 } as const;

const placeholder: Value = { kind: 'scalar', term: integer(0) };

/** Records an error of the author at `range` of the current text; returns a placeholder. */
export function fail(ctx: Context, code: Code, range: Range, message: string, hint: string | null = null): Value {
  ctx.problem ??= { kind: 'error', code, message, hint, text: ctx.text, range };
  return placeholder;
}

/** Records that pv cannot elaborate this; returns a placeholder. */
export function giveUp(ctx: Context, range: Range, message: string, hint: string | null = null): Value {
  ctx.problem ??= { kind: 'undetermined', code: 'PV-4020', message, hint, text: ctx.text, range };
  return placeholder;
}

/** Records that something this rests on has a problem of its own. */
export function blocked(ctx: Context, range: Range, message: string): Value {
  ctx.problem ??= { kind: 'blocked', code: 'PV-4020', message, hint: null, text: ctx.text, range };
  return placeholder;
}

/** Records a problem and returns 0 as the term in its place. */
export function failTerm(ctx: Context, code: Code, range: Range, message: string, hint: string | null = null): Term {
  fail(ctx, code, range, message, hint);
  return integer(0);
}

/** A finding that leaves the result usable. */
export function remark(ctx: Context, code: Code, range: Range, message: string, hint: string | null = null): void {
  ctx.remarks.push({ kind: 'error', code, message, hint, text: ctx.text, range });
}

/** Runs `body` with ranges referring to `text`. */
export function reading<T>(ctx: Context, text: FormalText, body: () => T): T {
  const before = ctx.text;
  ctx.text = text;
  const result = body();
  ctx.text = before;
  return result;
}
