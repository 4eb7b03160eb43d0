/**
 * Generic wrong kernels: a contract whose claims do not refute one of these is too weak.
 *
 * Most wrap the correct kernel and spoil its arguments or its output; a few ignore it.
 */
import { invariant } from '../../base/invariant.ts';
import type { KernelCall, KernelOutcome } from '../../backends/backend.ts';
import { elementsOf } from '../../backends/check-call.ts';
import type { BoundSubject } from '../../subject/bound-subject.ts';
import type { KernelParameter, KernelValue, OutputKind, Rank } from '../../subject/kernel.ts';
import { nothing, saboteur, spoiling, type Saboteur } from './saboteur.ts';
import { sequenceSaboteurs, textSaboteurs } from './sequence-saboteurs.ts';

/** What saboteurs need to know about a subject. */
export interface Sabotaged {
  readonly parameters: readonly KernelParameter[];
  readonly outputRank: Rank;
  /** Absent: numbers. */
  readonly output?: OutputKind | undefined;
  /** Names of the parameters that carry the equation's inputs; the others are sizes, which are never spoiled. */
  readonly inputs: readonly string[];
}

/** A bound kernel as saboteurs see it. */
export function sabotaged({ program, arguments: sources }: BoundSubject): Sabotaged {
  const inputs = program.parameters.filter((_, i) => sources[i]?.kind === 'parameter').map(({ name }) => name);
  return { parameters: program.parameters, outputRank: program.outputRank, output: program.output, inputs };
}

/**
 * Every saboteur that makes sense for a kernel with these parameters.
 *
 * Some may be indistinguishable from the correct kernel for a given equation (reversing a vector of length 1, swapping
 * the factors of a commutative product); the caller decides that by comparing outputs.
 */
export function saboteursFor(subject: Sabotaged): readonly Saboteur[] {
  const inputs = subject.parameters.flatMap((parameter, index) =>
    subject.inputs.includes(parameter.name) ? [{ ...parameter, index }] : [],
  );
  const kind = subject.output ?? 'numbers';
  const own = kind === 'numbers' ? [...constants, ...identities(inputs), ...outputs(subject.outputRank)] : [];
  return [
    ...own,
    ...(kind === 'sequence' ? sequenceSaboteurs(inputs) : kind === 'text' ? textSaboteurs(inputs) : []),
    ...inputs.flatMap(ignored),
    ...swaps(inputs),
  ];
}

type Input = KernelParameter & { readonly index: number };
type Output = Float32Array | Float64Array;

/** A kernel that ignores the correct one. */
function instead(
  id: string,
  description: string,
  compute: (call: KernelCall, length: number) => Float32Array,
): Saboteur {
  return saboteur(id, description, (kernel) => {
    const runSync = (call: KernelCall): KernelOutcome => ({
      ok: true,
      output: compute(call, elementsOf(call.outputShape)),
    });
    return { ...kernel, runSync, run: (calls) => Promise.resolve(calls.map(runSync)), close: nothing };
  });
}

/** A kernel whose correct output is spoiled afterwards: `spoil` changes a copy of it. */
function afterwards(id: string, description: string, spoil: (output: Output, call: KernelCall) => void): Saboteur {
  const spoiled = (outcome: KernelOutcome | undefined, call: KernelCall): KernelOutcome => {
    invariant(outcome, 'a kernel answers every call');
    if (!outcome.ok) return outcome;
    const output = outcome.output.slice();
    spoil(output, call);
    return { ok: true, output };
  };
  return spoiling(id, description, spoiled);
}

/** A kernel that is correct for the wrong arguments. */
function before(id: string, description: string, spoil: (call: KernelCall) => KernelCall): Saboteur {
  return saboteur(id, description, ({ ran, run, runSync }) => ({
    ran,
    runSync: runSync && ((call) => runSync(spoil(call))),
    run: (calls) => run(calls.map(spoil)),
    close: nothing,
  }));
}

const constants: readonly Saboteur[] = [
  instead('zero', 'every output is 0', (_, length) => new Float32Array(length)),
  instead('one', 'every output is 1', (_, length) => new Float32Array(length).fill(1)),
  instead('nan', 'every output is NaN', (_, length) => new Float32Array(length).fill(Number.NaN)),
];

/** The identity of each tensor input whose size is the output's. */
function identities(inputs: readonly Input[]): readonly Saboteur[] {
  return inputs
    .filter(({ rank }) => rank > 0)
    .map(({ name, index }) =>
      instead(`returns ${name}`, `the output is ${name}, truncated or zero-padded to its size`, (call, length) => {
        const value = call.arguments[index];
        const output = new Float32Array(length);
        if (typeof value === 'object') output.set(value.subarray(0, length));
        return output;
      }),
    );
}

function outputs(rank: Rank): readonly Saboteur[] {
  const moved = [
    afterwards('shifted', 'every output element is its left neighbour, the first the last', (output) => {
      const last = output.at(-1);
      output.copyWithin(1, 0);
      if (last !== undefined) output[0] = last;
    }),
    afterwards('reversed', 'the output elements are in reverse order', (output) => void output.reverse()),
    afterwards('last dropped', 'the last output element is 0', (output) => void (output[output.length - 1] = 0)),
  ];
  const scaled = [
    afterwards('scaled 1.01', 'every output is 1 % too large', (output) => scale(output, 1.01)),
    afterwards('scaled 2', 'every output is twice as large', (output) => scale(output, 2)),
    afterwards('negated', 'every output has the wrong sign', (output) => scale(output, -1)),
  ];
  const transposed = afterwards('transposed', 'the last two axes of the output are exchanged in memory', transpose);
  return [...scaled, ...(rank > 0 ? moved : []), ...(rank >= 2 ? [transposed] : [])];
}

function scale(output: Output, factor: number): void {
  for (let i = 0; i < output.length; i++) output[i] = Math.fround((output[i] ?? 0) * factor);
}

/** Writes the elements in column-major order, like a kernel that uses x as the row. */
function transpose(output: Output, { outputShape }: KernelCall): void {
  const rows = outputShape.at(-2) ?? 1;
  const columns = outputShape.at(-1) ?? 1;
  const right = output.slice();
  for (let at = 0; at < output.length; at++) {
    const page = at - (at % (rows * columns));
    const within = at - page;
    output[at] = right[page + (within % rows) * columns + Math.floor(within / rows)] ?? 0;
  }
}

/** One input replaced by zeros and by ones, like a kernel that ignores it. */
function ignored(input: Input): readonly Saboteur[] {
  const { name, index } = input;
  if (input.text) return ignoredText(input);
  return [0, 1].map((constant) =>
    before(`${name} := ${constant}`, `${name} is ignored: the kernel always sees ${constant} instead`, (call) => ({
      ...call,
      arguments: call.arguments.map((value, i) => (i === index ? filled(value, constant) : value)),
    })),
  );
}

function filled(value: KernelValue, constant: number): KernelValue {
  return typeof value === 'object' ? value.slice().fill(constant) : constant;
}

/** One string replaced by the empty one, like a kernel that ignores it. */
function ignoredText({ name, index }: Input): readonly Saboteur[] {
  return [
    before(`${name} := ""`, `${name} is ignored: the kernel sees the empty string in its place`, (call) => ({
      ...call,
      arguments: call.arguments.map((value, i) => (i === index ? '' : value)),
    })),
  ];
}

/** Two inputs of the same kind exchanged; calls in which their shapes differ are unchanged. */
function swaps(inputs: readonly Input[]): readonly Saboteur[] {
  return inputs.flatMap((first, i) =>
    inputs
      .slice(i + 1)
      .filter((second) => second.rank === first.rank && second.integer === first.integer && second.text === first.text)
      .map((second): Saboteur => ({
        ...before(`${first.name} ↔ ${second.name}`, `${first.name} and ${second.name} are exchanged`, (call) => {
          const sameShape = call.shapes[first.index]?.join() === call.shapes[second.index]?.join();
          return sameShape ? { ...call, arguments: exchanged(call.arguments, first.index, second.index) } : call;
        }),
        exchanges: [first.index, second.index],
      })),
  );
}

function exchanged<T>(values: readonly T[], i: number, j: number): readonly T[] {
  return values.map((value, at) => (at === i ? (values[j] ?? value) : at === j ? (values[i] ?? value) : value));
}
