/**
 * Holds src/math/print/big.ts, src/math/print/levels-of.ts, src/math/print/print.ts, src/math/print/shared-rules.ts,
 * src/math/print/text-product.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNotation } from '../../../src/math/notation/read.ts';
import type { Expression } from '../../../src/math/notation/syntax.ts';
import { printText } from '../../../src/math/print/text.ts';
import { expression, proposition } from '../notation/arbitrary-trees.ts';
import { bareTree } from '../notation/trees.ts';

function readBack(tree: Expression, role: 'expression' | 'proposition'): unknown {
  const text = printText(tree);
  const read = readNotation(text, role);
  expect(read.status, `${text}\n${JSON.stringify(read.problem)}`).toBe('math');
  return { text, tree: bareTree(read.statements.map((s) => s.body)) };
}

describe('printText', () => {
  it('reads back to the same expression', () => {
    fc.assert(
      fc.property(
        expression.filter((e) => e.kind !== 'string'),
        (tree) => {
          expect(readBack(tree, 'expression')).toEqual({ text: printText(tree), tree: [bareTree(tree)] });
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('reads a difference of sets back next to the power of a set', () => {
    const [tree] = readNotation('{{y | x = 1}^n | x ∈ A ∖ B}', 'expression').statements.map(({ body }) => body);
    if (!tree) throw new Error('the text is an expression');
    expect(readBack(tree, 'expression')).toEqual({ text: printText(tree), tree: [bareTree(tree)] });
  });

  it('reads back to the same proposition', () => {
    fc.assert(
      fc.property(proposition, (tree) => {
        expect(readBack(tree, 'expression')).toEqual({ text: printText(tree), tree: [bareTree(tree)] });
      }),
      { numRuns: 3000 },
    );
  });
});
