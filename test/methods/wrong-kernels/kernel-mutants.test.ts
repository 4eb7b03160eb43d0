/** Holds src/subject/kernel-depths.ts, src/subject/visit-kernel.ts. */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import type { KernelOutcome } from '../../../src/backends/backend.ts';
import { gpujsWebasm } from '../../../src/backends/gpujs.ts';
import { ref32 } from '../../../src/backends/ref32.ts';
import { kernelMutants } from '../../../src/methods/wrong-kernels/kernel-mutants.ts';
import type { KernelCall, KernelProgram } from '../../../src/subject/kernel.ts';
import { kernelCases, kernelFromText, randomSource, shippedKernel } from '../../support/kernels.ts';

const header = "import type { KernelThread } from 'provable-contracts/runtime';\n";

async function run(program: KernelProgram, calls: readonly KernelCall[]): Promise<readonly KernelOutcome[]> {
  const opened = await ref32.open(program);
  invariant(opened.ok, `opens: ${program.source}`);
  return opened.kernel.run(calls);
}

/** Whether two answers differ by more than rounding can explain. */
function differ(a: KernelOutcome | undefined, b: KernelOutcome | undefined): boolean {
  if (!a?.ok || !b?.ok) return a?.ok !== b?.ok;
  return a.output.some(
    (value, i) => !(Math.abs(value - (b.output[i] ?? Number.NaN)) <= 1e-5 * Math.max(1, Math.abs(value))),
  );
}

describe('the mutants of a kernel', () => {
  it('of softmax are these kinds, named by line, column and change', async () => {
    const ids = kernelMutants(await shippedKernel('softmax', 'softmax')).map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        'kernel:3:19 j < n → j <= n',
        'kernel:3:19 j < n → j < (n - 1)',
        'kernel:4:5 drop largest = Math.max(largest, x[j])',
        'kernel:4:15 Math.max(largest, x[j]) → Math.min(largest, x[j])',
        'kernel:4:33 x[j] → x[j + 1]',
        'kernel:6:13 0 → 1',
        'kernel:8:5 += → -= in sum',
        'kernel:8:21 x[j_2] - largest → x[j_2]',
        'kernel:10:10 Math.exp(x[this.thread.x] - largest) / sum → Math.exp(x[this.thread.x] - largest)',
      ]),
    );
    expect(ids.length).toBeGreaterThanOrEqual(30);
  });

  it.each([
    [
      'if (n > 1) { return 2; }\nreturn 3;',
      [
        'kernel:2:3 if (n > 1) → if (true)',
        'kernel:2:3 if (n > 1) → if (false)',
        'kernel:2:7 n > 1 → n >= 1',
        'kernel:2:7 n > 1 → n > 2',
        'kernel:2:11 1 → 0',
        'kernel:3:12 2 → 0',
        'kernel:3:12 2 → 4',
        'kernel:5:10 3 → 0',
        'kernel:5:10 3 → 6',
      ],
    ],
    [
      'let i = -Infinity;\nwhile (i < n) { i += 1; if (i === 9) { break; } }\nreturn i;',
      [
        'kernel:2:11 -Infinity → Infinity',
        'kernel:2:12 Infinity → 0',
        'kernel:4:5 drop i += 1',
        'kernel:6:7 drop break',
      ],
    ],
    [
      'return n > 0 && n < 9 ? Math.exp(n) : Math.sqrt(n);',
      [
        'kernel:2:11 (n > 0) && (n < 9) → (n > 0) || (n < 9)',
        'kernel:2:33 Math.exp(n) → n',
        'kernel:2:47 Math.sqrt(n) → n',
      ],
    ],
    [
      'return Math.sin(Math.floor(n)) * Math.PI;',
      [
        'kernel:2:10 Math.sin(Math.floor(n)) → Math.cos(Math.floor(n))',
        'kernel:2:19 Math.floor(n) → Math.ceil(n)',
        'kernel:2:36 Math.PI → 1',
      ],
    ],
  ])('of %j contain %j', async (body, expected) => {
    const program = await kernelFromText(
      `${header}export function kernel(this: KernelThread, n: number): number {\n${body}\n}`,
    );
    expect(kernelMutants(program).map(({ id }) => id)).toEqual(expect.arrayContaining(expected));
  });

  it('change a condition in place, and leave what it governs', async () => {
    const sourcesOf = async (body: string) => {
      const text = `${header}export function kernel(this: KernelThread, n: number): number {\n${body}\n}`;
      return kernelMutants(await kernelFromText(text)).map(({ program }) => program.source.replace(/\s+/gu, ' '));
    };
    const loop = await sourcesOf('let i = 0;\nwhile (i < n) { i += 2; }\nreturn i;');
    expect(loop).toContainEqual(expect.stringContaining('while (i <= n) { i += 2; } return i;'));
    expect(loop).toContainEqual(expect.stringContaining('while (i < n) { i -= 2; } return i;'));
    const counted = await sourcesOf('let s = 0;\nfor (let i = 0; i < n; i++) { s += 2; }\nreturn s;');
    expect(counted).toContainEqual(expect.stringMatching(/for \(let i = 0; i <= n; i.*\) \{ s \+= 2; \} return s;/u));
    expect(counted).toContainEqual(expect.stringMatching(/for \(let i = 1; i < n; i.*\) \{ s \+= 2; \} return s;/u));
  });

  it('exchange the indices of a matrix', async () => {
    const ids = kernelMutants(await shippedKernel('matmul', 'matmul')).map(({ id }) => id);
    expect(ids).toContain('kernel:4:12 A[this.thread.y][l] → A[l][this.thread.y]');
  });

  it('keep their names when comments, types and layout change, and say where they are in the file', async () => {
    const start = 'export function kernel(this: KernelThread, n: number): number {';
    const [one, two] = await Promise.all([
      kernelFromText(`${header}${start}\n  return n + 1;\n}`),
      kernelFromText(`${header}\n/** More. */\n${start} // and more\n\n\n      return (n as number) + 1 }`),
    ]);
    expect(kernelMutants(one).map(({ id }) => id)).toEqual([
      'kernel:2:10 n + 1 → n - 1',
      'kernel:2:10 n + 1 → n',
      'kernel:2:10 n + 1 → 1',
      'kernel:2:14 1 → 0',
      'kernel:2:14 1 → 2',
    ]);
    expect(kernelMutants(two).map(({ id }) => id)).toEqual(kernelMutants(one).map(({ id }) => id));
    expect(kernelMutants(two)[0]?.place).toEqual({ line: 7, column: 14 });
  });

  it('of a plain function do not exist', async () => {
    expect(
      kernelMutants(await kernelFromText('export function kernel(x: Float32Array): Float32Array { return x; }')),
    ).toEqual([]);
  });

  it.each(kernelCases)(
    'of $name differ in text from it and each other, keep what the equation knows, and run',
    async ({ family, name, call }) => {
      const read = await shippedKernel(family, name);
      const program = {
        ...read,
        loopMaxIterations: 123,
        parameters: read.parameters.map((parameter) => ({ ...parameter, integer: true })),
      };
      const mutants = kernelMutants(program);
      const random = randomSource(11);
      const calls = Array.from({ length: 12 }, () => call(random));
      const right = await run(program, calls);
      let seen = 0;
      for (const mutant of mutants) {
        expect(mutant.program).toMatchObject({
          name: program.name,
          parameters: program.parameters,
          outputRank: program.outputRank,
          loopMaxIterations: 123,
        });
        const wrong = await run(mutant.program, calls);
        if (wrong.some((outcome, i) => differ(outcome, right[i]))) seen += 1;
      }
      expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
      expect(new Set([program.source, ...mutants.map((mutant) => mutant.program.source)]).size).toBe(
        mutants.length + 1,
      );
      expect(new Set(mutants.map((mutant) => mutant.program.sourceHash)).size).toBe(mutants.length);
      // The rest are right by chance: a shift by another constant, a loop that starts one early in a maximum.
      expect(seen / mutants.length, `${name}: ${seen} of ${mutants.length} answer differently`).toBeGreaterThan(0.75);
    },
  );

  it('compile on gpu.js too', async () => {
    const random = randomSource(3);
    const [softmax] = kernelCases;
    invariant(softmax, 'the first case');
    for (const { program, id } of kernelMutants(await shippedKernel('softmax', 'softmax'))) {
      const opened = await gpujsWebasm.open(program);
      invariant(opened.ok, id);
      const outcome = opened.kernel.runSync?.(softmax.call(random));
      expect(outcome?.ok === true || outcome?.failure.kind === 'threw', id).toBe(true);
      if (outcome?.ok === false)
        expect(outcome.failure, id).toMatchObject({ message: expect.stringMatching(/memory access out of bounds/u) });
      await opened.kernel.close();
    }
  });
});
