/** Claims that use a symbol which several equations of the contract define. */
import type { EquationEntry, Scope } from '../context/scope.ts';
import { childScope, lookup } from '../context/scope.ts';
import { textMentions } from '../context/syntax-parts.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';
import type { FormalText } from '../../contract.ts';

/** What the symbol means in one reading of the claim. */
export interface SymbolReading {
  readonly meant: EquationEntry;
  /** Without the other equations that define it, whose domains do not matter then. */
  readonly equations: readonly ElaboratedEquation[];
  readonly globals: Scope;
}

/** A reading for each equation that the first such symbol in `texts` may mean; none if there is no such symbol. */
export function symbolReadings(
  texts: readonly FormalText[],
  equations: readonly ElaboratedEquation[],
  globals: Scope,
): readonly SymbolReading[] {
  const shared = new Map<string, readonly EquationEntry[]>();
  const mentioned = new Set<string>();
  for (const text of texts)
    textMentions(text, (written) => {
      for (const name of stemsOf(written)) {
        const entry = lookup(globals, name);
        mentioned.add(name);
        if (entry?.kind !== 'equation' || !entry.rivals) continue;
        const { rivals, ...first } = entry;
        shared.set(name, [first, ...rivals]);
      }
      return false;
    });
  const [candidates = []] = shared.values();
  return candidates.map((meant) => {
    const isOther = (name: string): boolean =>
      name !== meant.name && candidates.some((one) => one.name === name) && (shared.has(name) || !mentioned.has(name));
    const fixed = [...shared].flatMap(([name, entries]) => {
      const entry = entries.find((one) => one.name === meant.name);
      return entry ? [[name, { ...entry, exact: true }] as const] : [];
    });
    return {
      meant,
      equations: equations.filter(({ equation }) => !isOther(equation.name)),
      globals: childScope(globals, fixed),
    };
  });
}

/** `A_i`, `A` and `A²` of `A_i`. */
function stemsOf(written: string): readonly string[] {
  const parts = written.split('_');
  return parts.flatMap((_, i) => {
    const stem = parts.slice(0, i + 1).join('_');
    return [stem, `${stem}²`];
  });
}
