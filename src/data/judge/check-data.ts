/** `pv check`: every obligation of a contract over data, evaluated on one data set. */
import { ambiguousScale } from '../../math/notation/ambiguous-scale.ts';
import type { ClaimSeverity } from '../../contract/contract.ts';
import type { DataContract, DataGoal, UnreadClaim } from '../../contract/data-contract.ts';
import type { DataModel } from '../../contract/goal.ts';
import { freeVariables } from '../../math/term/traverse.ts';
import type { DataSet } from '../read/data-set.ts';
import type { DataCheck, InputProblem, ObligationOnData, Place, UnusedKeys } from './data-check.ts';
import { namesOf, restingOn } from './dependence.ts';
import { assumedIn } from './assumed-inputs.ts';
import { missingScalars } from './gather.ts';
import { columnPath } from './bound-input.ts';
import { bindInputs, type BoundInputs, type Settings } from './inputs.ts';
import { judge, type Judgement } from './judge.ts';
import { mendsOf } from './mend.ts';
import { numbersOf, numberText, writtenClaim } from './numbers-in.ts';
import { rowQuantities } from './row-quantities.ts';
import { ownValues } from './own-values.ts';
import { count } from '../../base/text.ts';
import { comparedNumbers } from './compared-numbers.ts';
import { withThresholds } from './threshold.ts';
import { withAgreeingMends } from './agreeing-mends.ts';
import { withConsequences } from './consequences.ts';

/** The data set, then what else is known about the run (such as the config of a log). `isAsked`: which obligations are judged. */
export async function checkData(
  elaborated: DataContract,
  sets: readonly [DataSet, ...DataSet[]],
  settings: Settings,
  isAsked: (id: string) => boolean = () => true,
): Promise<DataCheck> {
  const { contract, data } = elaborated;
  const [first] = sets;
  const part = first.part === undefined ? {} : { part: first.part };
  const head = { contract: contract.id, path: first.path, ...part, format: first.format };
  const unused = unusedKeys(data, sets);
  const columns = unusedColumns(data, sets);
  if (data === null) return { ...head, obligations: [], problems: [], missing: [], ownValues: [], unused, columns };
  const bound = bindInputs(contract, data, sets, settings);
  const obligations: ObligationOnData[] = [];
  for (const obligation of contract.obligations.filter(({ id }) => isAsked(id))) {
    const goal = elaborated.dataGoals.find(({ claim }) => claim === obligation.id);
    const not = elaborated.notGoals.find(({ claim }) => claim === obligation.id);
    const { severity, leastShare } = obligation;
    if (goal)
      obligations.push(withSeverity(await onData(goal, leastShare, elaborated, data, bound), severity, data, bound));
    else if (not && obligation.about === 'data') obligations.push({ ...notEvaluated(not), severity });
  }
  const missing = missingScalars(data, bound);
  const decides = obligations.some(({ verdict }) => verdict === 'satisfied' || verdict === 'violated');
  return {
    ...head,
    ...(decides || first.goesWith === undefined ? {} : { goesWith: first.goesWith }),
    obligations: await withThresholds(
      elaborated,
      bound,
      await withConsequences(elaborated, bound, await withAgreeingMends(elaborated, bound, obligations)),
      missing,
    ),
    problems: problemsOf(elaborated, data, bound, isAsked).filter((one) => matters(one, data, obligations)),
    missing,
    ownValues: ownValues(data, bound, sets),
    unused,
    columns,
  };
}

/** Advice does not fail for want of what the file does not say, or says in a section of its own. */
function withSeverity(
  one: Omit<ObligationOnData, 'severity'>,
  severity: ClaimSeverity,
  { inputs }: DataModel,
  { elsewhere }: BoundInputs,
): ObligationOnData {
  const isNoFault =
    severity === 'advice' &&
    one.unclear.length > 0 &&
    one.unclear.every((from) => inputs.some((input) => input.from === from && elsewhere.has(input.name)));
  return { ...one, severity, unusable: one.unusable && !isNoFault };
}

/** A value that is not in the file is not the file's fault, and matters where an error waits for it. */
function matters(
  { code, input }: InputProblem,
  { inputs }: DataModel,
  obligations: readonly ObligationOnData[],
): boolean {
  const name = inputs.find((one) => one.name === input)?.from;
  if (code !== 'PV-7041' || name === undefined) return true;
  return obligations.some(({ severity, unclear }) => severity === 'error' && unclear.includes(name));
}

/** Where some obligations are left out, an input that only they read does not matter. */
function problemsOf(
  { contract, dataGoals }: DataContract,
  model: DataModel,
  { problems }: BoundInputs,
  isAsked: (id: string) => boolean,
): readonly InputProblem[] {
  if (contract.obligations.every(({ id }) => isAsked(id))) return problems;
  const read = dataGoals.filter(({ claim }) => isAsked(claim)).flatMap(({ predicate }) => [...namesOf(predicate)]);
  return problems.filter(({ input }) => input === null || read.some((name) => restingOn(model, input).has(name)));
}

/** How many keys are listed; a file written by a program can have tens of thousands. */
const SHOWN_KEYS = 100;

function unusedKeys(data: DataModel | null, sets: readonly DataSet[]): UnusedKeys {
  const read = new Set(data?.inputs.map(({ from }) => from));
  const all = sets.flatMap(({ path, unused }) =>
    unused.filter(({ key }) => !read.has(key)).map((scalar) => ({ path, scalar })),
  );
  const keys = all
    .filter(({ scalar }) => scalar.isIrrelevant !== true)
    .map(({ path, scalar: { key, line } }) => ({ path, key, line }));
  return { count: keys.length, irrelevant: all.length - keys.length, keys: keys.slice(0, SHOWN_KEYS) };
}

function unusedColumns(data: DataModel | null, sets: readonly DataSet[]): readonly string[] {
  const read = new Set(data?.inputs.map(({ from }) => columnPath(from).column));
  const keys = sets.flatMap(({ tables }) =>
    [...tables.values()].flatMap(({ columns }) =>
      [...columns].flatMap(([name, { key }]) => (read.has(name) ? [] : key)),
    ),
  );
  return [...new Set(keys)].slice(0, SHOWN_KEYS);
}

async function onData(
  goal: DataGoal,
  leastShare: number | null,
  { contract, equations }: DataContract,
  data: DataModel,
  bound: BoundInputs,
): Promise<Omit<ObligationOnData, 'severity'>> {
  const common = { id: goal.claim, property: goal.property, formal: goal.formal, ifFails: goal.ifFails };
  const judgement = withKnownScale(onEnoughRows(await judge(goal, data, bound), leastShare), goal, data);
  const { verdict, reason, missing, unclear, rows, environment, witness } = judgement;
  const violated = verdict === 'violated';
  const inapplicable = isInapplicable(judgement, data);
  return {
    ...common,
    verdict: inapplicable ? 'inapplicable' : verdict,
    waiver: null,
    reason,
    missing,
    threshold: null,
    unusable: judgement.unusable && !inapplicable,
    unclear: data.inputs.flatMap(({ name, from }) => (unclear.has(name) ? [from] : [])),
    assumed: assumedIn(data, judgement, bound),
    rows,
    numbers: [
      ...(violated && environment && witness && environment.columns.size > 0
        ? [
            ...(await comparedNumbers(witness, environment)),
            ...(await rowQuantities(writtenClaim(contract, goal), equations, witness, environment)),
          ]
        : []),
      ...(environment ? await numbersOf(goal, contract, equations, environment, { data, bound }) : []),
    ],
    places: violated ? placesOf(goal, judgement, bound) : [],
    // A log records what happened; only a config can be changed.
    mends: violated && environment?.columns.size === 0 ? await mendsOf(goal, data, bound) : [],
    consequence: null,
    apartFrom: [],
  };
}

/** What is violated where K is 1000 may hold where it is 1024. */
function withKnownScale(judgement: Judgement, { formal }: DataGoal, { inputs }: DataModel): Judgement {
  const isName = (letter: string): boolean => inputs.some(({ name }) => name === letter);
  const scaled = judgement.verdict === 'violated' ? ambiguousScale(formal, isName) : null;
  if (scaled === null) return judgement;
  const base = scaled.endsWith('K') ? 'K = 1024' : 'M = 1024²';
  const reason = `in powers of ten it is violated, but ${scaled} may be meant with ${base}: write the number`;
  return { ...judgement, verdict: 'undetermined', reason, witness: null };
}

/** What holds for the few rows that count is not known to hold for the others. */
function onEnoughRows(judgement: Judgement, leastShare: number | null): Judgement {
  const { verdict, rows, environment } = judgement;
  if (leastShare === null || rows === null || verdict !== 'satisfied') return judgement;
  const all = Math.max(0, ...[...(environment?.columns.values() ?? [])].map((columns) => columns.count));
  if (rows.evaluated >= leastShare * all) return judgement;
  const reason = `it holds for the ${count(rows.evaluated, 'row')} that count${rows.evaluated === 1 ? 's' : ''}, but ${all - rows.evaluated} of ${count(all, 'row')} do not count`;
  return { ...judgement, verdict: 'undetermined', reason };
}

/**
 * Inputs that the contract does not require are not asked for. Of a column that the log does not have nothing is claimed, whatever
 * number a config leaves open (`bf16: auto`).
 */
function isInapplicable(
  { verdict, missing, unusable, unclear }: Judgement,
  { required: listed, inputs }: DataModel,
): boolean {
  if (verdict !== 'undetermined' || missing.length === 0 || listed === null) return false;
  if (missing.some(({ required }) => required)) return false;
  const isOfColumn = missing.some(({ isColumn }) => isColumn);
  const isNumber = (name: string): boolean =>
    inputs.some((one) => one.name === name && one.variable.shape.length === 0);
  return !unusable || (isOfColumn && unclear.size > 0 && [...unclear].every(isNumber));
}

const nothing = {
  waiver: null,
  missing: [],
  threshold: null,
  unusable: false,
  unclear: [],
  assumed: [],
  rows: null,
  numbers: [],
  places: [],
  mends: [],
  consequence: null,
  apartFrom: [],
} as const;

function notEvaluated({ claim, property, formal, reason }: UnreadClaim): Omit<ObligationOnData, 'severity'> {
  return { ...nothing, id: claim, property, formal: formal ?? '', verdict: 'undetermined', reason, ifFails: null };
}

/** The row at fault; otherwise every value that the claim depends on, as written in the files. */
function placesOf(
  goal: DataGoal,
  { witness, environment, decided }: Judgement,
  { given }: BoundInputs,
): ObligationOnData['places'] {
  const columns = witness?.row?.columns ?? null;
  if (witness?.row && columns) {
    const { path, table, rows, values } = columns;
    const row = rows?.[witness.row.index] ?? witness.row.index;
    const index = witness.row.index;
    const text = [...values].map(([name, column]) => `${name} = ${numberText(column[index] ?? Number.NaN)}`).join(', ');
    return [{ path, position: table.position, at: table.lineOf(row), column: null, text }];
  }
  // Cases that do not apply mention inputs on which nothing depends here.
  const deciding = new Set(decided.flatMap((condition) => [...freeVariables(condition)]));
  const names = new Set(
    [...freeVariables(goal.predicate)].filter((name) => environment?.scalars.has(name) === true || deciding.has(name)),
  );
  return [...given].flatMap(([name, found]): (Place & { readonly text: string })[] =>
    found.kind === 'scalar' && found.written && names.has(name)
      ? [{ ...found.written.place, text: `${found.written.scalar.key}: ${found.written.scalar.text}` }]
      : [],
  );
}
