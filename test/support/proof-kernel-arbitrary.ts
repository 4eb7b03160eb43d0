/**
 * Random gpu.js kernels over everything that kernels may contain: counters, merges, nested loops, early exits, guards at one
 * float, signed zeros, whole numbers beyond 2²⁴, casts, arrays of one and two axes; with inputs at which arithmetic is special.
 */
import * as fc from 'fast-check';
import { MAX_FLOAT32, nextDown32, nextUp32 } from '../../src/numeric/float.ts';
import type {
  ArithmeticOperator,
  ComparisonOperator,
  KernelExpression,
  KernelFunction,
  KernelStatement,
  MathFunction,
} from '../../src/subject/kernel-syntax.ts';
import { expressionsOf } from '../../src/subject/visit-kernel.ts';

const place = { line: 1, column: 1 };
const name = (text: string): KernelExpression => ({ kind: 'name', name: text, place });
const number = (value: number): KernelExpression => ({ kind: 'number', value, place });
const thread = (axis: 'x' | 'y'): KernelExpression => ({ kind: 'thread', axis, place });
const binary = (
  operator: ArithmeticOperator | ComparisonOperator,
  left: KernelExpression,
  right: KernelExpression,
): KernelExpression => ({ kind: 'binary', operator, left, right, place });
const negated = (operand: KernelExpression): KernelExpression => ({ kind: 'unary', operator: '-', operand, place });
const calling = (fn: MathFunction, ...args: readonly KernelExpression[]): KernelExpression => ({
  kind: 'call',
  fn,
  arguments: args,
  place,
});

/** Where float32 arithmetic is special: zeros, subnormals, ends, powers of two, the last whole numbers, ties. */
const specialNumbers: readonly number[] = [
  0,
  1,
  2 ** -149,
  2 ** -126 - 2 ** -149,
  2 ** -126,
  2 ** -24,
  2 ** -23,
  0.5,
  nextDown32(0.5),
  1.5,
  2,
  2.5,
  3,
  88.5,
  104,
  2 ** 23 - 0.5,
  2 ** 23 + 1,
  2 ** 24 - 1,
  2 ** 24,
  2 ** 24 + 2,
  2 ** 31,
  2 ** 64,
  2 ** 127,
  MAX_FLOAT32,
  Math.fround(0.1),
  Math.fround(Math.PI),
].flatMap((value) => [value, -value]);

const literal = fc.oneof(
  fc.constantFrom(0, 1, 2, 3, 0.5, 0.1, 7),
  fc.constantFrom(0, 16_777_215, 16_777_213, 16_777_216, 8_388_609, 4097, 1e-8, 1e-40, 3e38, 1234567.5),
  fc.constantFrom(...specialNumbers.filter((value) => Number.isFinite(value) && value >= 0 && !Object.is(value, -0))),
);

interface Names {
  /** Loop variables in scope. */
  readonly counters: readonly string[];
}

const operators: readonly ArithmeticOperator[] = ['+', '-', '*', '*', '/', '%', '**'];
const comparisons: readonly ComparisonOperator[] = ['<', '<=', '>', '>=', '===', '!=='];
const unaryFunctions: readonly MathFunction[] = [
  ...(['floor', 'ceil', 'trunc', 'round', 'sign', 'abs', 'fround', 'sqrt'] as const),
  ...(['floor', 'ceil', 'trunc', 'round', 'sign', 'abs', 'fround', 'sqrt'] as const),
  ...(['exp', 'log', 'log2', 'sin', 'cos', 'tan', 'tanh', 'atan', 'asin', 'acos', 'sinh', 'cosh'] as const),
];

/** Numbers that are whole however they are computed: loop variables, thread indices, literals. */
function wholeNumber({ counters }: Names): fc.Arbitrary<KernelExpression> {
  return fc.letrec<{ whole: KernelExpression }>((tie) => ({
    whole: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'whole' },
      fc.constantFrom(...counters.map(name), thread('x'), thread('y'), number(1), number(16_777_215), number(4097)),
      fc
        .tuple(fc.constantFrom('+', '-', '*', '*'), tie('whole'), tie('whole'))
        .map(([operator, left, right]) => binary(operator, left, right)),
    ),
  })).whole;
}

/** Zeros of either sign, in the ways in which they arise. */
function zero(value: fc.Arbitrary<KernelExpression>): fc.Arbitrary<KernelExpression> {
  return fc.oneof(
    fc.constantFrom(number(0), negated(number(0))),
    value.map((x) => binary('*', x, number(0))),
    value.map((x) => binary('*', negated(number(0)), x)),
    value.map((x) => binary('-', x, x)),
    value.map((x) => binary('/', number(0), x)),
    value.map((x) => calling('ceil', binary('*', x, number(2 ** -24)))),
    value.map((x) => binary('/', x, { kind: 'infinity', place })),
  );
}

function leaf(names: Names): fc.Arbitrary<KernelExpression> {
  const index = fc.constantFrom<KernelExpression>(thread('x'), ...names.counters.map(name));
  return fc.oneof(
    index.map((at): KernelExpression => ({ kind: 'element', array: 'x', indices: [at], place })),
    fc
      .tuple(index, fc.constantFrom(number(0), thread('y')))
      .map(([at, row]): KernelExpression => ({ kind: 'element', array: 'A', indices: [row, at], place })),
    fc.constantFrom('s', 'total', 'total', 'k', 'k').map(name),
    literal.map(number),
    wholeNumber(names),
    zero(fc.constantFrom(name('s'), name('total'))),
    fc.constantFrom<KernelExpression>({ kind: 'math-constant', name: 'PI', place }, name('n')),
  );
}

function expression(names: Names): fc.Arbitrary<KernelExpression> {
  const atom = leaf(names);
  return fc.letrec<{ value: KernelExpression; truth: KernelExpression }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'value' },
      atom,
      fc
        .tuple(fc.constantFrom(...operators), tie('value'), tie('value'))
        .map(([operator, left, right]) => binary(operator, left, right)),
      fc.tuple(fc.constantFrom(...unaryFunctions), tie('value')).map(([fn, argument]) => calling(fn, argument)),
      fc
        .tuple(fc.constantFrom('min', 'max', 'pow'), tie('value'), tie('value'))
        .map(([fn, left, right]) => calling(fn, left, right)),
      fc
        .tuple(
          zero(atom),
          fc.oneof(
            zero(atom),
            literal.map(number),
            literal.map((x) => negated(number(x))),
          ),
        )
        .map(([y, x]) => calling('atan2', y, x)),
      // Division of whole numbers.
      fc.tuple(tie('value'), literal).map(([value, by]) => calling('floor', binary('/', value, number(by)))),
      tie('value').map(negated),
      fc.tuple(tie('truth'), tie('value'), tie('value')).map(([condition, then, otherwise]): KernelExpression => ({
        kind: 'conditional',
        condition,
        then,
        otherwise,
        place,
      })),
    ),
    truth: condition(names),
  })).value;
}

function condition(names: Names): fc.Arbitrary<KernelExpression> {
  const atom = leaf(names);
  const comparison = fc
    .tuple(fc.constantFrom(...comparisons), atom, atom)
    .map(([operator, left, right]) => binary(operator, left, right));
  /** True at one float. */
  const guard = fc
    .tuple(fc.constantFrom('s', 'total'), fc.constantFrom(...specialNumbers))
    .map(([variable, at]) => binary('===', name(variable), at < 0 ? negated(number(-at)) : number(at)));
  return fc.oneof(
    comparison,
    guard,
    fc.tuple(comparison, guard, fc.constantFrom('&&', '||')).map(([left, right, operator]): KernelExpression => ({
      kind: 'logical',
      operator,
      left,
      right,
      place,
    })),
    comparison.map((operand): KernelExpression => ({ kind: 'unary', operator: '!', operand, place })),
    atom,
  );
}

/** Statements of a block; `depth` loops and branches may still be opened in it. */
function block(names: Names, depth: number, inLoop: boolean): fc.Arbitrary<readonly KernelStatement[]> {
  const value = expression(names);
  const target = fc.constantFrom('total', 'k');
  const assign = fc
    .tuple(target, fc.constantFrom('', '+', '-', '*', '/', '%'), fc.oneof(value, wholeNumber(names)))
    .map(([to, operator, assigned]): KernelStatement => ({
      kind: 'assign',
      name: to,
      operator,
      value: assigned,
      place,
    }));
  const simple = fc.oneof(
    { arbitrary: assign, weight: 4 },
    fc
      .tuple(target, fc.constantFrom<1 | -1>(1, -1))
      .map(([to, by]): KernelStatement => ({ kind: 'step', name: to, by, place })),
  );
  if (depth === 0) return fc.array(simple, { minLength: 1, maxLength: 2 });
  const inner = block(names, depth - 1, inLoop);
  const exits = fc.oneof(
    value.map((returned): KernelStatement => ({ kind: 'return', value: returned, place })),
    ...(inLoop ? [fc.constantFrom<KernelStatement>({ kind: 'break', place }, { kind: 'continue', place })] : []),
  );
  /** What is counted on one way alone: whole numbers that need not be float32 meet others where the ways do. */
  const wholeBranch = wholeNumber(names).map((counted): readonly KernelStatement[] => [
    { kind: 'assign', name: 'k', operator: '', value: counted, place },
  ]);
  const branch = fc
    .tuple(
      condition(names),
      fc.oneof(
        inner,
        wholeBranch,
        exits.map((exit) => [exit]),
      ),
      fc.option(inner),
    )
    .map(([test, then, otherwise]): KernelStatement => ({ kind: 'if', condition: test, then, otherwise, place }));
  return fc.array(fc.oneof({ arbitrary: simple, weight: 3 }, { arbitrary: branch, weight: 2 }, loop(names, depth)), {
    minLength: 1,
    maxLength: 3,
  });
}

/** Loops that count, loops by other steps, and loops whose end depends on the input. */
function loop({ counters }: Names, depth: number): fc.Arbitrary<KernelStatement> {
  const own = `i${counters.length}`;
  const body = block({ counters: [...counters, own] }, depth - 1, true);
  const initial = (value: number): Extract<KernelStatement, { kind: 'for' }>['initial'] => ({
    kind: 'declare',
    constant: false,
    name: own,
    value: number(value),
    place,
  });
  const below = fc.oneof(fc.constantFrom(number(2), number(3), name('n')), fc.constantFrom(name('s'), name('k')));
  const counting = fc.tuple(fc.constantFrom(0, 0, 1), below, body).map(([from, to, statements]): KernelStatement => ({
    kind: 'for',
    initial: initial(from),
    condition: binary('<', name(own), to),
    update: { kind: 'step', name: own, by: 1, place },
    body: statements,
    place,
  }));
  const stepping = fc
    .tuple(fc.constantFrom(0, 0.5, 16_777_215), fc.constantFrom(1, 1.5, 16_777_215), body)
    .map(([from, by, statements]): KernelStatement => ({
      kind: 'for',
      initial: initial(from),
      condition: binary('<', name(own), number(from + 3 * by)),
      update: { kind: 'assign', name: own, operator: '+', value: number(by), place },
      body: statements,
      place,
    }));
  return fc.oneof(counting, counting, stepping);
}

/** Over a vector `x`, a matrix `A`, a scalar `s` and the size `n` of all axes. */
export const proofKernel: fc.Arbitrary<KernelFunction> = fc
  .record({
    start: literal,
    count: fc.oneof(fc.constantFrom(number(0), negated(number(0)), number(1)), wholeNumber({ counters: [] })),
    statements: block({ counters: [] }, 3, false),
    result: fc.oneof(
      expression({ counters: [] }),
      fc.constantFrom(name('k'), negated(name('k')), calling('abs', name('k'))),
    ),
  })
  .map(({ start, count, statements, result }): KernelFunction => {
    const declared = (variable: string, value: KernelExpression): KernelStatement => ({
      kind: 'declare',
      constant: false,
      name: variable,
      value,
      place,
    });
    return {
      name: 'kernel',
      parameters: [
        { name: 'x', rank: 1 },
        { name: 'A', rank: 2 },
        { name: 's', rank: 0 },
        { name: 'n', rank: 0 },
      ],
      body: [
        declared('total', number(start)),
        declared('k', count),
        ...statements,
        { kind: 'return', value: result, place },
      ],
    };
  });

/** The numbers at which a kernel's branches change, and their neighbours. */
function turningPoints(kernel: KernelFunction): readonly number[] {
  return [...expressionsOf(kernel.body)]
    .flatMap((part) => (part.kind === 'number' ? [Math.fround(part.value)] : []))
    .filter(Number.isFinite)
    .flatMap((value) => [value, -value, nextUp32(value), nextDown32(value)])
    .filter(Number.isFinite);
}

/** Inputs for `kernel`: special numbers, numbers of the kernel, and any others. */
export function proofInput(kernel: KernelFunction): fc.Arbitrary<number> {
  const own = turningPoints(kernel);
  return fc.oneof(
    fc.constantFrom(...specialNumbers),
    ...(own.length > 0 ? [fc.constantFrom(...own)] : []),
    fc.integer({ min: -4, max: 4 }),
    fc.float({ noNaN: true, min: -8, max: 8 }),
    fc.float({ noNaN: true, noDefaultInfinity: true }),
  );
}
