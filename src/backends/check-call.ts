import { count } from '../base/text.ts';
import type { KernelParameter } from '../subject/kernel.ts';
import type { KernelCall, KernelFailure, KernelProgram, KernelValue } from './backend.ts';

/** Output elements of one call beyond which a backend refuses rather than exhaust memory. */
const maxElements = 2 ** 26;

/** Why a call does not fit its program; null if it does. A misfit is a failure of the check, never of pv. */
export function misfit(program: KernelProgram, call: KernelCall): KernelFailure | null {
  if (call.arguments.length !== program.parameters.length) {
    return unsupported(
      `${program.name} has ${count(program.parameters.length, 'parameter')} but was called with ${count(call.arguments.length, 'value')}`,
    );
  }
  const numbersOnly = (program.output ?? 'numbers') === 'numbers' && !program.parameters.some(({ text }) => text);
  if (program.language === 'gpu.js' && !numbersOnly)
    return unsupported(`${program.name} is a gpu.js kernel, which takes numbers and gives one per thread`);
  for (const [i, parameter] of program.parameters.entries()) {
    const problem = valueMisfit(program, parameter, call.arguments[i], call.shapes[i] ?? []);
    if (problem !== null) return problem;
  }
  if (call.outputShape.length > 3)
    return unsupported(`an output of rank ${call.outputShape.length} has more than three axes`);
  if (call.outputShape.some((size) => !Number.isInteger(size) || size < 0))
    return unsupported(`[${call.outputShape.join(', ')}] is not a shape`);
  if (elementsOf(call.outputShape) > maxElements)
    return unsupported(`an output of ${elementsOf(call.outputShape)} elements is more than ${maxElements}`);
  return null;
}

function valueMisfit(
  { language }: KernelProgram,
  { name, rank, text = false }: KernelParameter,
  value: KernelValue | undefined,
  shape: readonly number[],
): KernelFailure | null {
  if ((typeof value === 'string') !== text)
    return unsupported(`\`${name}\` is ${text ? 'a string' : 'no string'} but was given ${text ? 'none' : 'one'}`);
  if (typeof value === 'string') return null;
  const isScalar = typeof value === 'number';
  if (isScalar !== (rank === 0))
    return unsupported(
      `\`${name}\` is ${rank === 0 ? 'a number' : 'an array'} but was given ${isScalar ? 'a number' : 'an array'}`,
    );
  if (value === undefined || isScalar) return null;
  if (language === 'gpu.js' && shape.length !== rank)
    return unsupported(`\`${name}\` has rank ${rank} but was given the shape [${shape.join(', ')}]`);
  return value.length === elementsOf(shape)
    ? null
    : unsupported(`\`${name}\` has ${value.length} elements, which is not the shape [${shape.join(', ')}]`);
}

/** A failure of the backend, not of the kernel: what it was asked to run lies outside its range. */
export function unsupported(message: string): KernelFailure {
  return { kind: 'unsupported', message };
}

/** The failure for anything that a kernel or a library threw. */
export function threw(problem: unknown): KernelFailure {
  return { kind: 'threw', message: messageOf(problem) };
}

/** The message of whatever was thrown, which may also refuse to become text. */
export function messageOf(problem: unknown): string {
  try {
    return String(problem instanceof Error ? problem.message : problem);
  } catch {
    return 'something that has no text';
  }
}

/** The number of elements of a tensor; 1 for a scalar, whose shape is empty. */
export function elementsOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** The number of threads along x, y and z for an output shape. */
export function threadsOf(shape: readonly number[]): readonly [number, number, number] {
  return [shape.at(-1) ?? 1, shape.at(-2) ?? 1, shape.at(-3) ?? 1];
}
