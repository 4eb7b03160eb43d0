/** Whether a claim holds for bound data, and where it fails. */
import type { DataGoal } from '../../contract/data-contract.ts';
import type { DataModel } from '../../contract/goal.ts';
import type { IndexBinder, Term } from '../../math/term/term.ts';
import { freeVariables } from '../../math/term/traverse.ts';
import { readsBeyondRows } from './beyond-rows.ts';
import { partsOfClaim, withLets, type ClaimPart } from './claim-parts.ts';
import type { DataVerdict, MissingInput, RowCount } from './data-check.ts';
import { environmentFor, type ClaimColumns, type Environment } from './environment.ts';
import { rowTruths, rowValues, scalarValue, truthValue } from './evaluate.ts';
import { notingTruth, truthIn } from './gather.ts';
import type { BoundInputs } from './inputs.ts';
import { relevantPart } from './relevant.ts';
import type { Settled } from './written-numbers.ts';

/** The part of a claim that failed, and in which row. */
export interface Witness {
  readonly part: ClaimPart;
  /** If the part is about rows: the row of the claim's columns, and the claim's name for it. */
  readonly row: { readonly index: number; readonly binder: IndexBinder; readonly columns: ClaimColumns | null } | null;
}

/** The verdict of one claim on bound data, with what shows it. */
export interface Judgement {
  readonly verdict: DataVerdict;
  readonly reason: string | null;
  readonly missing: readonly MissingInput[];
  /** An input is given but unusable. */
  readonly unusable: boolean;
  /** Inputs that are given, or may be, and cannot be used. */
  readonly unclear: ReadonlySet<string>;
  readonly rows: RowCount | null;
  readonly witness: Witness | null;
  /** Null if inputs are missing. */
  readonly environment: Environment | null;
  /** Conditions over given inputs and defaults that removed parts of the claim. */
  readonly decided: readonly Term[];
}

/** Evaluates `goal` on what `bound` gives: columns in float64, scalars as they are written. Premises that never hold make it vacuous, missing inputs undetermined. */
export async function judge(
  goal: Pick<DataGoal, 'predicate'>,
  model: DataModel,
  bound: BoundInputs,
): Promise<Judgement> {
  const decided: Term[] = [];
  const predicate = relevantPart(goal.predicate, notingTruth(truthIn(model, bound), decided));
  return { ...(await judgeRelevant(predicate, model, bound)), decided };
}

async function judgeRelevant(
  predicate: Term,
  model: DataModel,
  bound: BoundInputs,
): Promise<Omit<Judgement, 'decided'>> {
  const gathered = environmentFor(model, bound, [predicate]);
  if (!gathered.ok) {
    const { reason, missing, unusable, unclear } = gathered;
    return { ...unjudged(reason, missing, null), unusable, unclear };
  }
  const environment = gathered.value;
  const mentioned = freeVariables(predicate);
  const unknown = model.domain.sizes.find(({ name }) => mentioned.has(name) && !environment.columns.has(name));
  if (unknown) return unjudged(`no column of the claim has ${unknown.name} rows`, [], environment);
  try {
    const outcomes: PartOutcome[] = [];
    for (const part of partsOfClaim(predicate)) outcomes.push(await judgePart(part, environment));
    return conclude(outcomes, environment);
  } catch (thrown) {
    if (thrown instanceof RangeError) return unjudged(thrown.message, [], environment);
    throw thrown;
  }
}

function unjudged(
  reason: string,
  missing: readonly MissingInput[],
  environment: Environment | null,
): Omit<Judgement, 'decided'> {
  const open = { verdict: 'undetermined', unusable: false, unclear: new Set<string>() } as const;
  return { ...open, reason, missing, rows: null, witness: null, environment };
}

interface PartOutcome {
  /** How often the part was evaluated, how often its premise held, and how often it failed. */
  readonly said: number;
  readonly asked: number;
  readonly failed: number;
  readonly witness: Witness | null;
  readonly part: ClaimPart;
  readonly columns: ClaimColumns | null;
  /** Why the part, whose premise holds, cannot be judged. */
  readonly open: string | null;
}

async function judgePart(part: ClaimPart, environment: Environment): Promise<PartOutcome> {
  const outcome = await (part.row ? judgeRows(part, part.row, environment) : judgeWhole(part, environment));
  const beyond = outcome.said === 0 ? null : readsBeyondRows(withLets(part, part.conclusion), environment);
  return beyond === null ? outcome : { ...outcome, failed: 0, witness: null, open: beyond };
}

async function judgeWhole(part: ClaimPart, environment: Environment): Promise<PartOutcome> {
  const truth = (term: Term): Promise<Settled> => truthValue(withLets(part, term), environment);
  const premise = part.premise === null ? null : await truth(part.premise);
  const said = premise === null || premise.holds || premise.open !== null;
  const conclusion = said ? await truth(part.conclusion) : null;
  const open =
    conclusion === null || (conclusion.holds && conclusion.open === null) ? null : (premise?.open ?? conclusion.open);
  const failed = conclusion !== null && !conclusion.holds && open === null;
  const witness = failed ? { part, row: null } : null;
  return { said: Number(said), asked: 1, failed: Number(failed), witness, part, columns: null, open };
}

async function judgeRows(part: ClaimPart, binder: IndexBinder, environment: Environment): Promise<PartOutcome> {
  const wrap = (term: ClaimPart['conclusion']): ClaimPart['conclusion'] => withLets(part, term);
  // Of columns of several tables the row is one of those that the range of the claim is about.
  const sizes = freeVariables(binder.to);
  const [any = null] = environment.columns.values();
  const columns = [...environment.columns].find(([size]) => sizes.has(size))?.[1] ?? any;
  const [from, to] = [await numberOf(wrap(binder.from), environment), await numberOf(wrap(binder.to), environment)];
  if (!(from < to)) return { said: 0, asked: 0, failed: 0, witness: null, part, columns, open: null };
  const premises = part.premise && (await rowValues(wrap, binder, part.premise, environment));
  const conclusions = await rowValues(wrap, binder, part.conclusion, environment);
  // Float64 denies what is true of the decimals of a log: 3e-5 = 0.1 · 3e-4.
  const denied = [...conclusions.keys()].filter((i) => conclusions[i] === 0 && premises?.[i] !== 0);
  const rows = denied.map((i) => from + i);
  const written = denied.length > 0 ? rowTruths(wrap, { row: binder, rows }, part.conclusion, environment) : null;
  const affirmed = new Set(denied.filter((_, at) => written?.[at] === true));
  let said = 0;
  let failed = 0;
  let first = -1;
  for (let i = 0; i < conclusions.length; i++) {
    if (premises && premises[i] === 0) continue;
    said += 1;
    if (conclusions[i] !== 0 || affirmed.has(i)) continue;
    failed += 1;
    if (first < 0) first = i;
  }
  const witness = first < 0 ? null : { part, row: { index: from + first, binder, columns } };
  return { said, asked: conclusions.length, failed, witness, part, columns, open: null };
}

async function numberOf(term: ClaimPart['conclusion'], environment: Environment): Promise<number> {
  return Number(await scalarValue(term, environment));
}

function conclude(outcomes: readonly PartOutcome[], environment: Environment): Omit<Judgement, 'decided'> {
  const failing = outcomes.find(({ witness }) => witness !== null);
  const rows = rowCount(failing ? [failing] : outcomes);
  const shared = { missing: [], unusable: false, unclear: new Set<string>(), rows, environment } as const;
  if (failing) return { ...shared, verdict: 'violated', reason: null, witness: failing.witness };
  const open = outcomes.find((outcome) => outcome.open !== null)?.open ?? null;
  if (open !== null) return { ...shared, verdict: 'undetermined', reason: open, witness: null };
  if (outcomes.every(({ said }) => said > 0)) {
    const doubt = [...environment.columns.values()].find((columns) => columns.doubt !== null)?.doubt ?? null;
    return { ...shared, verdict: doubt === null ? 'satisfied' : 'undetermined', reason: doubt, witness: null };
  }
  const silent = outcomes.find(({ said }) => said === 0);
  const happened = silent?.columns?.table.isWhole !== true || silent.columns.table.rows > 0;
  // With a premise, no row of a short table meets it; without one, the claim is about rows that are not there.
  const empty = silent?.asked === 0 && happened && silent.part.premise === null;
  return {
    ...shared,
    // A claim about rows that ran on none has not run; one whose premise is always false is vacuous.
    verdict: empty ? 'undetermined' : 'vacuous',
    reason: empty
      ? 'there are too few rows for it'
      : happened
        ? 'its premise holds nowhere in these data'
        : 'nothing of the kind happened',
    witness: null,
  };
}

function rowCount(outcomes: readonly PartOutcome[]): RowCount | null {
  const overRows = outcomes.filter(({ part }) => part.row !== null);
  const [first] = overRows;
  if (!first) return null;
  const least = overRows.reduce((a, b) => (b.said < a.said ? b : a), first);
  return { evaluated: least.said, of: first.columns?.table.rows ?? least.asked, failing: least.failed };
}
