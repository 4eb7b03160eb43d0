/** The inputs of a contract, found in data sets: values with their origin, columns with their table. */
import { closest, quoted } from '../../base/text.ts';
import type { Contract } from '../../contract/contract.ts';
import type { DataInputModel, DataModel } from '../../contract/goal.ts';
import type { InputVariable } from '../../math/domain.ts';
import type { DataSet, Doubt } from '../read/data-set.ts';
import { isVocabularyName } from '../read/vocabulary.ts';
import { columnPath, type BoundColumn, type BoundInput, type BoundScalar } from './bound-input.ts';
import { boundsProblem } from './input-bounds.ts';
import type { InputProblem } from './data-check.ts';

/** The inputs of a contract that the data provide, by name. */
export interface BoundInputs {
  readonly given: ReadonlyMap<string, BoundInput>;
  /** Inputs that the data give but that cannot be used, with the reason. */
  readonly unusable: ReadonlyMap<string, string>;
  /** Those of them that are not the files' fault: their values are not in them, or only a key of another section is near. */
  readonly elsewhere: ReadonlySet<string>;
  readonly problems: readonly InputProblem[];
}

/** A value of the command line: `--set num_sequences=22079`. */
export type Settings = ReadonlyMap<string, number | boolean | string>;

/** Looks every input up: in the settings, then in the data sets in their order, then in the defaults of their frameworks. */
export function bindInputs(
  contract: Pick<Contract, 'id'>,
  model: DataModel,
  sets: readonly DataSet[],
  settings: Settings,
): BoundInputs {
  const problems: InputProblem[] = [...unknownSettings(contract, model, settings)];
  const given = new Map<string, BoundInput>();
  const unusable = new Map<string, string>();
  const elsewhere = new Set<string>();
  for (const input of model.inputs) {
    const { variable } = input;
    const found =
      variable.shape.length === 0
        ? (findScalar(input, sets, settings) ?? findPresence(input, sets))
        : findColumn(input, sets);
    const doubt = found && !(found.kind === 'scalar' && found.byDefault) ? null : doubtOf(input, sets);
    if (doubt && (found || input.fallback || doubt.isContradicted)) {
      unusable.set(input.name, doubt.reason);
      if (doubt.isElsewhere) elsewhere.add(input.name);
      continue;
    }
    if (!found) continue;
    const problem = found.kind === 'scalar' ? valueProblem(input, found) : null;
    if (problem === null) given.set(input.name, coerced(variable, found));
    else {
      unusable.set(input.name, problem.message);
      if (problem.code === 'PV-7041') elsewhere.add(input.name);
      problems.push({ ...problem, input: input.name, message: `${input.name} ${problem.message}` });
    }
  }
  for (const [name, { message, place }] of boundsProblem(model, given)) {
    given.delete(name);
    unusable.set(name, message);
    problems.push({ input: name, code: 'PV-9003', message: `${name} ${message}`, hint: null, place });
  }
  return { given, unusable, elsewhere, problems };
}

function unknownSettings({ id }: Pick<Contract, 'id'>, model: DataModel, settings: Settings): readonly InputProblem[] {
  const isColumn = new Set(model.domain.variables.filter(({ shape }) => shape.length > 0).map(({ name }) => name));
  const values = model.inputs.filter(({ name }) => !isColumn.has(name));
  const known = new Set(values.flatMap(({ name, from }) => [name, from]));
  return [...settings.keys()]
    .filter((name) => !known.has(name))
    .map((name) => ({
      input: null,
      code: 'PV-9004',
      message: isColumn.has(name)
        ? `${name} is a column of ${id}, and --set gives single values`
        : `${id} has no input ${quoted(name)}`,
      hint: `the values that it takes are ${values.map((input) => input.name).join(', ')}`,
      place: null,
    }));
}

function findScalar({ name, from }: DataInputModel, sets: readonly DataSet[], settings: Settings): BoundScalar | null {
  const set = settings.get(name) ?? settings.get(from);
  if (set !== undefined) return { kind: 'scalar', value: set, written: null };
  for (const data of sets) {
    // A name of the vocabulary is what its trainer makes of a key, not the key: a `warmup_steps` below 1 is a ratio to some.
    const keyed = isVocabularyName(from)
      ? data.unused
      : [...data.unused, ...data.values.values(), ...(data.withoutName ?? [])];
    const mapped = isVocabularyName(name) ? undefined : data.values.get(name);
    const scalar = data.values.get(from) ?? mapped ?? keyed.find(({ key }) => key === from);
    if (scalar === undefined || scalar.value === null) continue;
    const place = {
      path: scalar.span?.source.path ?? data.path,
      position: 'line',
      at: scalar.line,
      column: scalar.column,
    } as const;
    return { kind: 'scalar', value: scalar.value, written: { scalar, place } };
  }
  for (const { defaults } of sets) {
    const byDefault = defaults?.get(from);
    if (byDefault) return { kind: 'scalar', value: byDefault.value, written: null, byDefault };
  }
  return null;
}

/** A truth value that is taken from a column says whether the rows have it. */
function findPresence(input: DataInputModel, sets: readonly DataSet[]): BoundScalar | null {
  const { table } = columnPath(input.from);
  if (input.variable.element.kind !== 'boolean' || table === null) return null;
  if (!sets.some(({ tables }) => tables.has(table))) return null;
  return { kind: 'scalar', value: findColumn(input, sets) !== null, written: null };
}

/** What in the data may mean the input but was not understood, so that no default is used for it; null if nothing. */
function doubtOf({ from }: DataInputModel, sets: readonly DataSet[]): Unclear | null {
  for (const { path, doubts, unused } of sets) {
    const doubt = doubts?.get(from);
    if (doubt) return unclear(path, doubt);
    const near = isVocabularyName(from)
      ? null
      : closest(
          from,
          unused.map(({ key }) => key),
        );
    const scalar = near === null ? undefined : unused.find(({ key }) => key === near);
    if (scalar) return unclear(path, { scalar, why: `looks like ${from}` });
  }
  return null;
}

interface Unclear {
  readonly reason: string;
  readonly isContradicted: boolean;
  readonly isElsewhere: boolean;
}

function unclear(path: string, { scalar: { key, line }, why, isContradicted, isElsewhere }: Doubt): Unclear {
  const reason = `is not known, and no default is used: ${quoted(key)} at ${path}:${line} ${why}`;
  return { reason, isContradicted: isContradicted === true, isElsewhere: isElsewhere === true };
}

/** A bare name is looked for in the rows of training, then in every other table: columns such as `step` are in several. */
function findColumn({ from }: DataInputModel, sets: readonly DataSet[]): BoundColumn | null {
  const { table: wanted, column: name } = columnPath(from);
  for (const data of sets) {
    const log = data.tables.get('log');
    for (const table of new Set([...(log ? [log] : []), ...data.tables.values()])) {
      if (wanted !== null && table.name !== wanted) continue;
      const column = table.columns.get(name);
      if (column) return { kind: 'column', path: data.path, table, column };
    }
  }
  return null;
}

/** Why a value cannot be used; null if it can. */
function valueProblem({ name, variable }: DataInputModel, found: BoundScalar): Omit<InputProblem, 'input'> | null {
  const { written } = found;
  const place = written?.place ?? null;
  const unread = written?.scalar.unread;
  if (unread !== undefined)
    return { code: 'PV-7041', message: `is not known: ${unread}`, hint: `give it with --set ${name}=…`, place };
  const problem = kindProblem(variable, found);
  return problem === null ? null : { code: 'PV-9002', message: problem, hint: null, place };
}

/** Why a value is of the wrong kind for its input; null if it fits. */
function kindProblem({ element }: InputVariable, { value, written }: BoundScalar): string | null {
  const shown = quoted(written ? written.scalar.text : String(value));
  switch (element.kind) {
    case 'string':
      return typeof value === 'string' ? null : `is ${shown}, and a text is needed`;
    case 'boolean':
      return typeof value === 'boolean' || value === 0 || value === 1
        ? null
        : `is ${shown}, and true or false is needed`;
    case 'integer':
      if (typeof value !== 'number') return `is ${shown}, and a whole number is needed`;
      if (Number.isInteger(value) && !Number.isSafeInteger(value))
        return `is ${shown}, and whole numbers are read up to ${Number.MAX_SAFE_INTEGER}`;
      return Number.isSafeInteger(value) ? null : `is ${shown}, which is not a whole number`;
    default:
      return typeof value === 'number' ? null : `is ${shown}, and a number is needed`;
  }
}

function coerced({ element }: InputVariable, found: BoundInput): BoundInput {
  return found.kind === 'scalar' && element.kind === 'boolean' && typeof found.value === 'number'
    ? { ...found, value: found.value === 1 }
    : found;
}
