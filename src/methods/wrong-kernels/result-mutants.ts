/**
 * Mutants of a kernel's result as a whole: the same number with the other sign, one more, or none.
 *
 * Small mistakes inside of a kernel may all respect a claim about its range or its order (`x·x ≥ 1` of x ≥ 1 is true of x + x,
 * too). These mutants show whether anything would break it.
 */
import type { KernelExpression, KernelStatement } from '../../subject/kernel-syntax.ts';
import type { KernelProgram } from '../../subject/kernel.ts';
import { printKernel } from '../../subject/print-kernel.ts';
import { mutated, type KernelMutant } from './kernel-mutants.ts';

type OfResult = (value: KernelExpression) => KernelExpression;

const one = (place: KernelExpression['place'], value: number): KernelExpression => ({ kind: 'number', value, place });

const changes: readonly (readonly [string, OfResult])[] = [
  ['-result', (operand) => ({ kind: 'unary', operator: '-', operand, place: operand.place })],
  ['0', ({ place }) => one(place, 0)],
  ['result + 1', (left) => ({ kind: 'binary', operator: '+', left, right: one(left.place, 1), place: left.place })],
];

/** `result → -result`, `result → 0` and `result → result + 1`, at every return; none for a plain function. */
export function resultMutants(program: KernelProgram): readonly KernelMutant[] {
  const { syntax } = program;
  const [first] = syntax?.body ?? [];
  if (!syntax || !first) return [];
  return changes.flatMap(([to, change]) => {
    const mutant = { ...syntax, body: inReturns(syntax.body, change) };
    return printKernel(mutant) === program.source
      ? []
      : [{ id: `kernel: result → ${to}`, place: first.place, program: mutated(program, mutant) }];
  });
}

function inReturns(body: readonly KernelStatement[], change: OfResult): readonly KernelStatement[] {
  return body.map((statement): KernelStatement => {
    switch (statement.kind) {
      case 'return':
        return { ...statement, value: change(statement.value) };
      case 'if': {
        const { otherwise } = statement;
        return {
          ...statement,
          then: inReturns(statement.then, change),
          otherwise: otherwise && inReturns(otherwise, change),
        };
      }
      case 'for':
      case 'while':
        return { ...statement, body: inReturns(statement.body, change) };
      default:
        return statement;
    }
  });
}
