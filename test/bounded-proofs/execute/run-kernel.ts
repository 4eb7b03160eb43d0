import { invariant } from '../../../src/base/invariant.ts';
import { executeKernel } from '../../../src/bounded-proofs/execute/execute-kernel.ts';
import type { Executed, KernelArgument, Unsupported } from '../../../src/bounded-proofs/execute/kernel-call.ts';
import { Graph } from '../../../src/bounded-proofs/expression.ts';
import type { Reading } from '../../../src/bounded-proofs/problem.ts';
import { fromFloat } from '../../../src/numeric/rational.ts';
import { kernelFromText } from '../../support/kernels.ts';

/** A parameter is an array of a shape, a known number, or a variable. */
export type Shapes = Readonly<Record<string, readonly number[] | number | 'whole' | 'number'>>;

export interface Run {
  readonly graph: Graph;
  readonly result:
    { readonly ok: true; readonly value: Executed } | { readonly ok: false; readonly error: Unsupported };
}

/** The kernel with this body, executed on variables. */
export async function run(
  body: string,
  parameters: Shapes,
  outputShape: readonly number[] = [1],
  { reading = 'float32', loopMax = 1000 }: { readonly reading?: Reading; readonly loopMax?: number } = {},
): Promise<Run> {
  const types = [
    'number',
    'readonly number[]',
    'readonly (readonly number[])[]',
    'readonly (readonly (readonly number[])[])[]',
  ];
  const list = Object.entries(parameters).map(
    ([name, shape]) => `${name}: ${types[typeof shape === 'object' ? shape.length : 0] ?? ''}`,
  );
  const program = await kernelFromText(
    `export function kernel(this: { thread: { x: number; y: number; z: number }; output: { x: number; y: number } }, ${list.join(', ')}): number {\n${body}\n}`,
  );
  invariant(program.syntax, 'it is a gpu.js kernel');
  const graph = new Graph();
  const whole: string[] = [];
  const args = Object.entries(parameters).map(([name, shape]): KernelArgument => {
    if (typeof shape === 'number') return { kind: 'scalar', value: graph.constant(fromFloat(shape)) };
    if (shape === 'whole') whole.push(name);
    if (typeof shape === 'string') return { kind: 'scalar', value: graph.variable(name) };
    const count = shape.reduce((product, size) => product * size, 1);
    const elements = Array.from({ length: count }, (_, i) => graph.variable(`${name}${i}`));
    return { kind: 'array', shape, elements };
  });
  const call = { arguments: args, outputShape, wholeVariables: new Set(whole) };
  return { graph, result: executeKernel(graph, program.syntax, call, { reading, loopMax }) };
}
