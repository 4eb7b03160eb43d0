/** `lr(0) = 0` and `current_lr(0) = 0` where each of several equations gives a piece of lr. */
import { listOf } from '../../../base/text.ts';
import type { Problem } from '../context/context.ts';
import { childScope, type EquationEntry, type Scope } from '../context/scope.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';
import { joinedPieces } from '../equations/pieces.ts';
import { distinctNames } from '../expressions/rivals.ts';
import { unknownName, type FormalClaim } from './claim-reading.ts';
import { symbolReadings } from './shared-symbols.ts';

interface Whole {
  readonly equations: readonly ElaboratedEquation[];
  readonly globals: Scope;
  /** What is assumed. */
  readonly said: string;
}

/** The equations with the whole function in place of its pieces; null if that is not what the claim lacks. */
export function withPieces(
  claim: FormalClaim,
  problem: Problem,
  equations: readonly ElaboratedEquation[],
  globals: Scope,
): Whole | null {
  const unknown = unknownName(claim, problem) ?? blockedName(claim, problem);
  const [, current = null] = /^current_(\S+)$/u.exec(unknown ?? '') ?? [];
  const keys = new Set(
    problem.hint === distinctNames
      ? symbolReadings([claim.formal], equations, globals).map(({ meant }) => meant.name)
      : equations.flatMap(({ equation, symbol }) => (symbol !== null && symbol === current ? [equation.name] : [])),
  );
  const pieces = equations.filter(({ equation }) => keys.has(equation.name));
  const joined = pieces.length > 1 ? joinedPieces(pieces, globals) : null;
  if (!joined?.model || joined.symbol === null) return null;
  const { symbol, model } = joined;
  const entry: EquationEntry = { kind: 'equation', name: symbol, model: () => model, reference: true, inlined: true };
  const names = current === null || unknown === null ? [symbol] : [symbol, unknown];
  return {
    equations: [joined, ...equations.filter((one) => !pieces.includes(one))],
    globals: childScope(
      globals,
      names.map((name) => [name, entry] as const),
    ),
    said: `${listOf([...keys])} are read as pieces of one function`,
  };
}

/** The name of an equation that cannot be run, where the claim uses it. */
function blockedName({ formal }: FormalClaim, { kind, text, range }: Problem): string | null {
  if (kind !== 'blocked' || text.span !== formal.span) return null;
  return /^[\p{L}_][\p{L}\p{N}_]*/u.exec(text.text.slice(range.start, range.end))?.[0] ?? null;
}
