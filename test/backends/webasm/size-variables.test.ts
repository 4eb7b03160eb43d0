/**
 * One module for all sizes: where sizes stand as constants they become variables, and where they do anything else there is no such module.
 *
 * Holds src/backends/webasm/instructions.ts.
 */
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import { loadGpujs } from '../../../src/backends/gpujs.ts';
import type { Layout } from '../../../src/backends/gpujs-module.ts';
import { stagesOf } from '../../../src/backends/stages/lift.ts';
import {
  CODE_SECTION,
  instructionsOf,
  sectionsOf,
  signedAt,
  unsigned,
  unsignedAt,
} from '../../../src/backends/webasm/instructions.ts';
import { withSizeVariables, type CodeSizes } from '../../../src/backends/webasm/size-variables.ts';
import { translateKernel, type TranslatedKernel } from '../../../src/backends/webasm/translated-kernel.ts';
import { webAssembly } from '../../../src/host/web-assembly.ts';
import { kernelFromText } from '../../support/kernels.ts';

const module = await loadGpujs();
invariant(module, 'gpu.js is installed here');
const gpu = new module.GPU({ mode: 'webasm' });
afterAll(() => gpu.destroy());
const settings = {
  precision: 'single',
  dynamicOutput: true,
  dynamicArguments: true,
  immutable: true,
  loopMaxIterations: 1000,
} as const;

async function translated(): Promise<TranslatedKernel> {
  const { syntax } = await kernelFromText(
    'export function kernel(this: KernelThread, x: readonly number[][], n: number): number { let s = 0; for (let j = 0; j < n; j++) { s += x[this.thread.y]![j]!; } return s * x[this.thread.y]![this.thread.x]! * this.output.x; }',
  );
  const [stage] = syntax ? stagesOf(syntax, 2).slice(-1) : [];
  const made = stage && module && translateKernel(module, gpu, stage, 2, settings);
  invariant(made, 'gpu.js translates it');
  return made;
}

const ranksOf = ({ names }: TranslatedKernel): readonly number[] => names.map((name) => (name === 'n' ? 0 : 2));

/** Every parameter at a place of its own, with the sizes that `change` makes of the real ones. */
function layout({ names }: TranslatedKernel, { arrays }: CodeSizes, change: (x: number) => number): Layout {
  const places = names.map((name, index) => ({ name, index, offset: 4096 * index, dims: arrays[index] ?? [] }));
  return {
    arrays: Object.fromEntries(
      places
        .filter(({ dims }) => dims.length > 0)
        .map(({ name, index, offset, dims: [x = 1, y = 1] }) => [
          name,
          { index, offset, dims: [change(x), y, 1], flatLength: change(x) * y },
        ]),
    ),
    scalars: Object.fromEntries(
      places
        .filter(({ dims }) => dims.length === 0)
        .map(({ name, index, offset }) => [name, { index, offset, type: 'Number' as const }]),
    ),
    constantArrays: {},
    outputOffset: 65_536,
    totalBytes: 131_072,
  };
}

describe('a module for all sizes', () => {
  it('has a variable for each number of the sizes that the code needs', async () => {
    const kernel = await translated();
    const made = withSizeVariables(ranksOf(kernel), 2, (sizes) =>
      kernel.assemble(
        layout(kernel, sizes, (x) => x),
        sizes.output,
      ),
    );
    invariant(made, 'sizes stand in constants alone');
    expect(webAssembly.validate(made.bytes)).toBe(true);
    const arrays = ranksOf(kernel).map((rank) => (rank === 0 ? [] : [7, 5]));
    const values = made.valuesFor({ arrays, output: [7, 5] });
    expect(values).toHaveLength(made.variables.length);
    expect(values).toContain(7);
    expect(values.every((value) => [7, 5, 34, 35].includes(value))).toBe(true);
  });

  it.each([
    ['a number that is none of theirs', (x: number) => 2 * x],
    ['a number that takes more bytes in some', (x: number) => (x > 400 ? 1e6 : 1)],
  ])('is none where the code has %s', async (_, change) => {
    const kernel = await translated();
    const made = withSizeVariables(ranksOf(kernel), 2, (sizes) =>
      kernel.assemble(layout(kernel, sizes, change), sizes.output),
    );
    expect(made).toBeNull();
  });

  it('does not exist where memory is read at a place that depends on sizes', async () => {
    const kernel = await translated();
    const made = withSizeVariables(ranksOf(kernel), 2, (sizes) =>
      kernel.assemble(
        { ...layout(kernel, sizes, (x) => x), outputOffset: 65_536 + 16 * (sizes.output[0] ?? 0) },
        sizes.output,
      ),
    );
    expect(made).toBeNull();
  });

  it('does not exist where there are more axes than lengths to tell apart', () => {
    expect(withSizeVariables(Array<number>(20).fill(2), 1, () => expect.fail('it is not assembled'))).toBeNull();
  });
});

describe('the code of a module', () => {
  it('consists of its instructions, one after the other', async () => {
    const kernel = await translated();
    const sizes = { arrays: ranksOf(kernel).map((rank) => (rank === 0 ? [] : [3, 4])), output: [3, 4] };
    const { bytes } = kernel.assemble(
      layout(kernel, sizes, (x) => x),
      sizes.output,
    );
    const code = sectionsOf(bytes).find(({ id }) => id === CODE_SECTION);
    const instructions = code && instructionsOf(bytes, code);
    invariant(code && instructions, 'a kernel has code');
    expect(instructions.at(-1)).toMatchObject({ opcode: 0x0b, to: code.to });
    // gpu.js has no instruction 0x1c; of what is unknown, nobody knows how long it is.
    const unknown = bytes.slice();
    unknown[instructions[0]?.from ?? 0] = 0x1c;
    expect(instructionsOf(unknown, code)).toBeNull();
  });

  it('has numbers that are read as they are written', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 5 }), (value, width) => {
        const bytes = Uint8Array.from([0, ...unsigned(value, width)]);
        expect(unsignedAt(bytes, 1)).toEqual({ value, to: bytes.length });
        expect(bytes.length - 1).toBeGreaterThanOrEqual(width);
      }),
    );
    for (const [bytes, value] of [
      [[0x7f], -1],
      [[0x80, 0x7f], -128],
      [[0xcb, 0x02], 331],
      [[0x80, 0x80, 0x80, 0x80, 0x78], -(2 ** 31)],
    ] as const)
      expect(signedAt(Uint8Array.from(bytes), 0)).toBe(value);
  });
});
