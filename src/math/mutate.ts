import type { EquationMathematics } from './compile/model.ts';
import { evenly } from '../base/evenly.ts';
import { termProblem } from './evaluate/limits.ts';
import { dropParameter } from './mutate/drop-parameter.ts';
import { editsOf, shiftsOf } from './mutate/edits.ts';
import { editText } from './mutate/edit-text.ts';
import { isOrderFree } from './mutate/order-free.ts';
import { replaceAt } from './mutate/path.ts';
import { pathOf, sitesOf, type Site } from './mutate/site.ts';
import { termKey } from './term/term-key.ts';
import type { Term } from './term/term.ts';

/** A wrong version of an equation or of a goal's mathematics. */
export interface EquationMutant<M extends EquationMathematics> {
  /**
   * What is wrong with it: `equation:x_i - max_{k<n} x_k → x_i`. It changes only when the part that is edited does; where
   * the same edit is possible at several places, `#2`, `#3`, … count them in the order of the equation.
   */
  readonly id: string;
  readonly model: M;
}

/** How many mutants to make. */
export interface MutationOptions {
  /** At most so many, taken evenly from all when there are more. */
  readonly limit?: number;
}

interface Candidate {
  readonly id: string;
  /** Built only when the candidate is chosen. */
  readonly body: () => Term;
}

const DEFAULT_LIMIT = 400;

/**
 * Wrong variants of an equation: a claim that holds for one of them does not pin the equation down.
 *
 * No two have the same structure and none has the structure of the original; some may still be equal to it
 * in value (`max(x)` subtracted or not gives the same softmax).
 * An equation that is too large to compile (see `equationProblem`) has none.
 */
export function mutateEquation<M extends EquationMathematics>(
  model: M,
  { limit = DEFAULT_LIMIT }: MutationOptions = {},
): EquationMutant<M>[] {
  if (termProblem(model.body) !== null) return [];
  const seen = new Set([termKey(model.body)]);
  const mutants: EquationMutant<M>[] = [];
  for (const candidate of evenly(candidatesOf(model), limit)) {
    const body = candidate.body();
    const key = termKey(body);
    if (seen.has(key)) continue;
    seen.add(key);
    mutants.push({ id: candidate.id, model: { ...model, body } });
  }
  return mutants;
}

function candidatesOf(model: EquationMathematics): Candidate[] {
  const names = [...model.parameters.map(({ name }) => name), ...model.sizes];
  const idOf = countedIds();
  const drops = model.parameters.flatMap(({ name }) =>
    ([0, 1] as const).map((value): Candidate => ({
      id: idOf(`${name} → ${value}`),
      body: () => dropParameter(model.body, name, value),
    })),
  );
  const edits = sitesOf(model.body).flatMap((site) =>
    replacementsAt(site).map((replacement): Candidate => ({
      id: idOf(changeAt(site, replacement, names)),
      body: () => replaceAt(model.body, pathOf(site), replacement),
    })),
  );
  return [...drops, ...edits];
}

/** Shifts that only reorder a sum or a maximum compute the same: they are not mistakes. */
function replacementsAt(site: Site): readonly Term[] {
  const shifts = shiftsOf(site.term).filter(({ axis }) => !isOrderFree(site, axis));
  return [...shifts.map(({ replacement }) => replacement), ...editsOf(site.term)];
}

/** A constant alone (`1 → 2`) says little: it is shown in the operation that it is part of. */
function changeAt({ term, parent, position }: Site, replacement: Term, names: readonly string[]): string {
  if (term.kind !== 'number' || parent?.term.kind !== 'call') return editText(term, replacement, names);
  return editText(parent.term, replaceAt(parent.term, [position], replacement), names);
}

function countedIds(): (change: string) => string {
  const counts = new Map<string, number>();
  return (change) => {
    const count = (counts.get(change) ?? 0) + 1;
    counts.set(change, count);
    return `equation:${change}${count === 1 ? '' : ` #${count}`}`;
  };
}
