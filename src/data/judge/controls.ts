/**
 * Contracts over data in both directions: data sets whose verdicts the author states. A claim must hold on those that
 * it should hold on (soundness) and fail on those that violate it (adequacy); edited versions of the claim must be
 * distinguished from it.
 */
import type { ControlModel, DataModel, EquationModel, Goal } from '../../contract/goal.ts';
import type { MutantOutcome } from '../../evidence/receipt.ts';
import type { DataColumn, DataScalar, DataSet, DataTable } from '../read/data-set.ts';
import { mutantsOfClaim } from './claim-mutants.ts';
import type { DataVerdict } from './data-check.ts';
import { columnPath } from './bound-input.ts';
import { bindInputs, type BoundInputs } from './inputs.ts';
import { judge } from './judge.ts';

/** One claim and the data sets on which the author states its verdict. */
export interface ControlsRequest {
  readonly goal: Goal;
  readonly model: DataModel;
  readonly controls: readonly ControlModel[];
}

/** Whether the claim's verdicts on its controls are the stated ones. */
export interface ControlsOutcome {
  readonly verdict: 'tested' | 'falsified' | 'vacuous';
  readonly reason: string | null;
  /** Controls that the claim could be evaluated on. */
  readonly cases: number;
}

/** Whether a claim gives the stated verdict on every control, and is both held and violated by some. */
export async function runControls(request: ControlsRequest): Promise<ControlsOutcome> {
  const { goal } = request;
  let held = 0;
  let violated = 0;
  for (const control of request.controls) {
    const found = await verdictOn(goal, request.model, control);
    const wrong = mismatch(goal, control, found);
    if (wrong !== null) return { verdict: 'falsified', reason: wrong, cases: held + violated + 1 };
    if (found === 'violated') violated += 1;
    else if (found === 'satisfied') held += 1;
  }
  const cases = held + violated;
  if (violated === 0)
    return {
      verdict: 'vacuous',
      reason: 'no data of a falsification test violate it, so nothing shows that it can fail',
      cases,
    };
  if (held === 0)
    return {
      verdict: 'vacuous',
      reason: 'no data of a falsification test satisfy it, so nothing shows that it can hold',
      cases,
    };
  return { verdict: 'tested', reason: null, cases };
}

/** Whether one control violates the obligations that it says it does, and no other. */
export async function runControl(
  control: ControlModel,
  model: DataModel,
  goals: readonly Goal[],
): Promise<ControlsOutcome> {
  let cases = 0;
  for (const goal of goals) {
    const found = await verdictOn(goal, model, control);
    const wrong = mismatch(goal, control, found);
    if (wrong !== null) return { verdict: 'falsified', reason: wrong, cases: cases + 1 };
    if (found === 'violated' || found === 'satisfied') cases += 1;
  }
  const absent = control.violates.find((id) => !goals.some(({ claim }) => claim === id));
  if (absent !== undefined)
    return { verdict: 'falsified', reason: `it should violate ${absent}, which cannot be evaluated`, cases };
  return cases > 0
    ? { verdict: 'tested', reason: null, cases: 1 }
    : { verdict: 'vacuous', reason: 'its data have the inputs of no obligation', cases: 0 };
}

/** A claim with everything that its mutants may change. */
export interface MutantsRequest extends ControlsRequest {
  /** Every claim about data of the contract. */
  readonly goals: readonly Goal[];
  readonly equations: readonly EquationModel[];
}

/** Wrong claims: those that some control distinguishes from the correct one. */
export async function mutateClaim(request: MutantsRequest): Promise<readonly MutantOutcome[]> {
  const { goal, goals, equations, model } = request;
  /** What told one mutant often tells the next, and a claim may have hundreds of controls. */
  const controls = [...request.controls];
  const outcomes: MutantOutcome[] = [];
  for (const { id, goals: wrong } of mutantsOfClaim(goal, goals, equations)) {
    const told = await tellingClaims(wrong, model, controls);
    if (told === null) continue;
    outcomes.push({
      mutant: id,
      killedBy: told,
      killedByOrdinary: told,
      equivalent: null,
      separatingInput: null,
      separatingOutputs: null,
    });
  }
  return outcomes;
}

/**
 * The first of the claims that some control distinguishes from the correct one; null if none can be evaluated on any. That control
 * becomes the first.
 */
async function tellingClaims(
  wrong: readonly Goal[],
  model: DataModel,
  controls: ControlModel[],
): Promise<readonly string[] | null> {
  let evaluated = false;
  for (const goal of wrong) {
    const told = await isTold(goal, model, controls);
    if (told === true) return [goal.id];
    evaluated ||= told === false;
  }
  return evaluated ? [] : null;
}

/** Whether some control shows that the claim is wrong; null if it can be evaluated on none. */
async function isTold(goal: Goal, model: DataModel, controls: ControlModel[]): Promise<boolean | null> {
  let evaluated = false;
  for (const [at, control] of controls.entries()) {
    const found = await verdictOn(goal, model, control);
    if (found === 'violated' || found === 'satisfied') evaluated = true;
    if (found === 'undetermined' || mismatch(goal, control, found) === null) continue;
    controls.splice(at, 1);
    controls.unshift(control);
    return true;
  }
  return evaluated ? false : null;
}

async function verdictOn(goal: Goal, model: DataModel, control: ControlModel): Promise<DataVerdict> {
  return (await judge(goal, model, inputsOf(model, control))).verdict;
}

/** What is wrong with the verdict, in words; null if it is the stated one, or the control lacks the claim's inputs. */
function mismatch({ claim }: Goal, { goal, violates }: ControlModel, found: DataVerdict): string | null {
  if (violates.includes(claim))
    return found === 'violated' ? null : `${goal.claim} should violate ${claim}, and it is ${found}`;
  return found === 'violated' ? `${goal.claim} should not violate ${claim}, and it does` : null;
}

/** The control as an adapter would have read it. */
function inputsOf(model: DataModel, { values, goal }: ControlModel): BoundInputs {
  const scalars = new Map<string, DataScalar>();
  const tables = new Map<string, Map<string, DataColumn>>();
  for (const { name, value } of values) {
    const from = model.inputs.find((input) => input.name === name)?.from ?? name;
    if (typeof value !== 'object') {
      scalars.set(from, { value, text: String(value), key: name, line: 1, column: 1, span: null });
      continue;
    }
    const { table: named, column } = columnPath(from);
    const table = named ?? 'log';
    const columns = tables.get(table) ?? new Map<string, DataColumn>();
    tables.set(table, columns.set(column, { values: Float64Array.from(value), present: null, key: name }));
  }
  const data: DataSet = {
    path: goal.claim,
    format: 'falsification test',
    values: scalars,
    tables: new Map([...tables].map(([name, columns]) => [name, tableOf(name, columns)])),
    unused: [],
  };
  return bindInputs({ id: goal.contract }, model, [data], new Map());
}

/** Columns of different lengths: the missing rows are absent. */
function tableOf(name: string, columns: ReadonlyMap<string, DataColumn>): DataTable {
  const rows = Math.max(0, ...[...columns.values()].map(({ values }) => values.length));
  return {
    name,
    rows,
    columns: new Map([...columns].map(([key, column]) => [key, padded(column, rows)])),
    lineOf: (row) => row,
    position: 'line',
    stepOrder: null,
    notNumeric: [],
  };
}

function padded(column: DataColumn, rows: number): DataColumn {
  const values = new Float64Array(rows);
  values.set(column.values);
  return { ...column, values, present: Uint8Array.from(values, (_, row) => (row < column.values.length ? 1 : 0)) };
}
