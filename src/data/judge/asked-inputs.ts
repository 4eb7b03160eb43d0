/** Which of the missing inputs to ask for: those from which the others follow, and first those that most obligations wait for. */
import type { DataCheck, MissingInput } from './data-check.ts';

/** An input that would have to be given. */
export interface AskedInput {
  readonly input: MissingInput;
  /** How many obligations wait for it, directly or through inputs that follow from it. */
  readonly errors: number;
  readonly advice: number;
  /** Those obligations. */
  readonly ids: readonly string[];
}

/** The inputs that undetermined obligations wait for; those that any error waits for come first. */
export function askedInputs({
  obligations,
  missing,
}: Pick<DataCheck, 'obligations' | 'missing'>): readonly AskedInput[] {
  const open = obligations.filter(({ verdict }) => verdict === 'undetermined');
  const all = new Map([...missing, ...open.flatMap((one) => one.missing)].map((input) => [input.name, input]));
  const needed = open.flatMap((one) => one.missing.map(({ name }) => name));
  const asked = new Set(needed);
  for (const name of needed) {
    asked.delete(name);
    if (!follows(name, asked, all)) asked.add(name);
  }
  const waiting = open.map((one) => ({ id: one.id, severity: one.severity, for: below(one.missing, all, asked) }));
  return [...asked]
    .flatMap((name): readonly AskedInput[] => {
      const input = all.get(name);
      const by = waiting.filter((one) => one.for.has(name));
      const errors = by.filter(({ severity }) => severity === 'error').length;
      const ids = by.map(({ id }) => id);
      return input === undefined ? [] : [{ input, errors, advice: by.length - errors, ids }];
    })
    .toSorted((a, b) => b.errors - a.errors || b.advice - a.advice);
}

/** Whether an input that is missing would be known if those of `given` were. */
function follows(
  name: string,
  given: ReadonlySet<string>,
  all: ReadonlyMap<string, MissingInput>,
  above: readonly string[] = [],
): boolean {
  if (given.has(name)) return true;
  const instead = above.includes(name) ? [] : (all.get(name)?.instead ?? []);
  return instead.length > 0 && instead.every((one) => follows(one, given, all, [...above, name]));
}

/** Those of `asked` that inputs follow from. */
function below(
  missing: readonly MissingInput[],
  all: ReadonlyMap<string, MissingInput>,
  asked: ReadonlySet<string>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    if (asked.has(name)) found.add(name);
    else for (const one of all.get(name)?.instead ?? []) visit(one);
  };
  for (const { name } of missing) visit(name);
  return found;
}
