/**
 * Random gpu.js kernels over two vectors and a scalar, as syntax.
 */
import * as fc from 'fast-check';
import type { KernelExpression, KernelFunction, KernelStatement } from '../../src/subject/kernel-syntax.ts';

const place = { line: 1, column: 1 };
const name = (text: string): KernelExpression => ({ kind: 'name', name: text, place });
const binary = (
  operator: Extract<KernelExpression, { kind: 'binary' }>['operator'],
  left: KernelExpression,
  right: KernelExpression,
): KernelExpression => ({ kind: 'binary', operator, left, right, place });

/** `i` is the loop's variable where there is one. */
const leaf = (inLoop: boolean): fc.Arbitrary<KernelExpression> =>
  fc.oneof(
    fc.constantFrom<KernelExpression>(
      { kind: 'element', array: 'x', indices: [{ kind: 'thread', axis: 'x', place }], place },
      { kind: 'element', array: 'y', indices: [inLoop ? name('i') : { kind: 'thread', axis: 'x', place }], place },
      name('scale'),
      name('total'),
      { kind: 'math-constant', name: 'PI', place },
    ),
    fc
      .constantFrom(0, 1, 2, 3, 0.1, 0.5, 1.7, 1e-8, 1234567.5, 16777216)
      .map((value): KernelExpression => ({ kind: 'number', value, place })),
    ...(inLoop ? [fc.constant(name('i'))] : []),
  );

const condition = (value: fc.Arbitrary<KernelExpression>): fc.Arbitrary<KernelExpression> =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom('<', '<=', '>', '>=', '===', '!=='), value, value)
      .map(([operator, left, right]) => binary(operator, left, right)),
    fc.tuple(value, value, fc.constantFrom('&&', '||')).map(([left, right, operator]): KernelExpression => ({
      kind: 'logical',
      operator,
      left: binary('>', left, right),
      right: binary('<', right, left),
      place,
    })),
  );

/** A number-valued expression. */
const expression = (inLoop: boolean): fc.Arbitrary<KernelExpression> =>
  fc.letrec<{ value: KernelExpression }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'value' },
      leaf(inLoop),
      fc
        .tuple(fc.constantFrom('+', '-', '*', '/'), tie('value'), tie('value'))
        .map(([operator, left, right]) => binary(operator, left, right)),
      fc
        .tuple(
          fc.constantFrom('sqrt', 'exp', 'tanh', 'floor', 'ceil', 'abs', 'sin', 'log', 'trunc', 'round', 'sign'),
          tie('value'),
        )
        .map(([fn, argument]): KernelExpression => ({ kind: 'call', fn, arguments: [argument], place })),
      fc
        .tuple(fc.constantFrom('min', 'max', 'pow', 'atan2'), tie('value'), tie('value'))
        .map(([fn, a, b]): KernelExpression => ({ kind: 'call', fn, arguments: [a, b], place })),
      tie('value').map((operand): KernelExpression => ({ kind: 'unary', operator: '-', operand, place })),
      fc
        .tuple(condition(leaf(inLoop)), tie('value'), tie('value'))
        .map(([test, then, otherwise]): KernelExpression => ({
          kind: 'conditional',
          condition: test,
          then,
          otherwise,
          place,
        })),
    ),
  })).value;

const assign = (value: KernelExpression, operator: '' | '+' | '*'): KernelStatement => ({
  kind: 'assign',
  name: 'total',
  operator,
  value,
  place,
});

/** A loop that gathers, perhaps a branch, and a result: the shape of real kernels. */
export const randomKernel: fc.Arbitrary<KernelFunction> = fc
  .record({
    start: fc.constantFrom(0, 1, 0.1),
    inLoop: expression(true),
    operator: fc.constantFrom<'' | '+' | '*'>('', '+', '*'),
    test: condition(leaf(false)),
    inBranch: expression(false),
    result: expression(false),
  })
  .map(({ start, inLoop, operator, test, inBranch, result }): KernelFunction => {
    const number = (value: number): KernelExpression => ({ kind: 'number', value, place });
    const loop: KernelStatement = {
      kind: 'for',
      initial: { kind: 'declare', constant: false, name: 'i', value: number(0), place },
      condition: binary('<', name('i'), name('n')),
      update: { kind: 'step', name: 'i', by: 1, place },
      body: [assign(inLoop, operator)],
      place,
    };
    const body: readonly KernelStatement[] = [
      { kind: 'declare', constant: false, name: 'total', value: number(start), place },
      loop,
      { kind: 'if', condition: test, then: [assign(inBranch, '')], otherwise: null, place },
      { kind: 'return', value: result, place },
    ];
    const parameters = (['x', 'y'] as const).map((array) => ({ name: array, rank: 1 as const }));
    return { name: 'kernel', parameters: [...parameters, { name: 'scale', rank: 0 }, { name: 'n', rank: 0 }], body };
  });
