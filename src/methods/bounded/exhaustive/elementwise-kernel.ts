/**
 * Whether output i of a kernel depends on its inputs at i alone, decided from its syntax.
 */
import type { EquationModel } from '../../../contract/goal.ts';
import type { BoundSubject } from '../../../subject/bound-subject.ts';
import type { KernelExpression, KernelFunction, KernelStatement } from '../../../subject/kernel-syntax.ts';
import { expressionsIn, partsOf, statementsIn } from '../../../subject/visit-kernel.ts';

/**
 * Why some element of the output may depend on more than the elements of the inputs at the same index; null if none can.
 *
 * Elements must be read only at `this.thread.x`, and neither the index, nor the number of elements, nor a size used as a
 * number. Then a call on k elements equals k calls on one element.
 */
export function notElementwise(
  { program, arguments: sources, output }: Pick<BoundSubject, 'program' | 'arguments' | 'output'>,
  model: EquationModel,
): string | null {
  const { syntax } = program;
  if (!syntax) return `${program.name} is not a gpu.js kernel, whose syntax would show it`;
  if (output !== null || model.result.kind !== 'tensor' || model.result.shape.length !== 1)
    return `${program.name} does not give one number for each index`;
  const unread = new Set<string>();
  for (const [i, { name, rank }] of syntax.parameters.entries()) {
    const source = sources[i];
    if (rank > 1) return `${name} has more than one axis`;
    if (rank === 0 && source?.kind !== 'parameter') unread.add(name);
    if (rank === 1 && source?.kind !== 'parameter') return `${name} is not an input of the equation`;
  }
  return reads(syntax, unread);
}

function reads({ body }: KernelFunction, unread: ReadonlySet<string>): string | null {
  for (const expression of body.flatMap(outermost)) {
    const why = readsElsewhere(expression, unread);
    if (why !== null) return why;
  }
  return null;
}

/** The expressions in a statement at any depth, without their parts. */
function outermost(statement: KernelStatement): readonly KernelExpression[] {
  return [...expressionsIn(statement), ...statementsIn(statement).flatMap(outermost)];
}

function readsElsewhere(expression: KernelExpression, unread: ReadonlySet<string>): string | null {
  switch (expression.kind) {
    case 'element': {
      const [index] = expression.indices;
      const own = expression.indices.length === 1 && index?.kind === 'thread' && index.axis === 'x';
      return own ? null : `${expression.array} is read at other places than this.thread.x`;
    }
    case 'thread':
      return `this.thread.${expression.axis} is read as a number`;
    case 'output':
      return `this.output.${expression.axis} is read`;
    case 'name':
      return unread.has(expression.name) ? `${expression.name}, which is not an input, is read` : null;
    default: {
      for (const part of partsOf(expression)) {
        const why = readsElsewhere(part, unread);
        if (why !== null) return why;
      }
      return null;
    }
  }
}
