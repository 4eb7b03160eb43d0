import type { KernelExpression, KernelStatement } from './kernel-syntax.ts';
import { expressionsOf, statementsIn } from './visit-kernel.ts';

/** How many of the loops over z, y and x a statement must be inside: 0 runs once per call, 3 once per thread. */
export type Depth = 0 | 1 | 2 | 3;

/**
 * The depth of each statement of a kernel's body, so that work which does not depend on the thread is done once.
 *
 * Moving a statement out is safe because kernels have no effects: a statement stays inside the loops whose axes it
 * reads and inside those of every variable that it mentions. From the first statement that can return, all stay
 * where they are: what follows it may be guarded by it.
 */
export function depthsOf(body: readonly KernelStatement[]): readonly Depth[] {
  const firstReturn = body.findIndex(returns);
  const depths = body.map((statement, at): Depth => (at >= firstReturn && firstReturn >= 0 ? 3 : axisDepth(statement)));
  const mentioned = body.map(namesIn);
  const depthOfName = new Map<string, Depth>();
  const raise = (at: number): boolean => {
    const { used, set } = mentioned[at] ?? { used: [], set: [] };
    const own = depths[at] ?? 3;
    const depth = [...used, ...set].reduce<Depth>((most, name) => larger(most, depthOfName.get(name) ?? 0), own);
    const settled = depth === own && set.every((name) => depthOfName.get(name) === depth);
    depths[at] = depth;
    for (const name of set) depthOfName.set(name, depth);
    return !settled;
  };
  // Depths only rise, at most three times per name, so this ends.
  while (body.map((_, at) => raise(at)).some(Boolean));
  return depths;
}

const larger = (a: Depth, b: Depth): Depth => (a > b ? a : b);

function axisDepth(statement: KernelStatement): Depth {
  let depth: Depth = 0;
  for (const expression of expressionsOf([statement]))
    if (expression.kind === 'thread')
      depth = larger(depth, expression.axis === 'x' ? 3 : expression.axis === 'y' ? 2 : 1);
  return depth;
}

function returns(statement: KernelStatement): boolean {
  return statement.kind === 'return' || statementsIn(statement).some(returns);
}

/** Variables that a statement reads, and those that it declares or assigns. */
function namesIn(statement: KernelStatement): { readonly used: readonly string[]; readonly set: readonly string[] } {
  const used = [...expressionsOf([statement])].flatMap((expression: KernelExpression) =>
    expression.kind === 'name' ? [expression.name] : [],
  );
  const set: string[] = [];
  const visit = (inner: KernelStatement): void => {
    if (inner.kind === 'declare' || inner.kind === 'assign' || inner.kind === 'step') set.push(inner.name);
    statementsIn(inner).forEach(visit);
  };
  visit(statement);
  return { used, set };
}
