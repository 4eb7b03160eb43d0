import { describe, expect, it } from 'vitest';
import type { OpenKernel } from '../../../src/backends/backend.ts';
import { saboteursFor, type Sabotaged } from '../../../src/methods/wrong-kernels/saboteurs.ts';
import type { KernelValue } from '../../../src/subject/kernel.ts';

const kernelOf = (output: readonly number[], text?: string): OpenKernel => {
  const outcome = { ok: true, output: Float64Array.from(output), ...(text === undefined ? {} : { text }) } as const;
  return {
    ran: { backend: 'function', device: 'node', arithmetic: 'f64' },
    runSync: () => outcome,
    run: (calls) => Promise.resolve(calls.map(() => outcome)),
    close: () => Promise.resolve(),
  };
};

/** What each saboteur makes of a right kernel's result. */
async function spoiled(subject: Sabotaged, kernel: OpenKernel, argument: KernelValue): Promise<Map<string, unknown>> {
  const call = { arguments: [argument], shapes: [[]], outputShape: [] };
  const made = saboteursFor(subject).map(async ({ id, wrap }): Promise<readonly [string, unknown]> => {
    const [outcome] = await wrap(kernel).run([call]);
    return [id, outcome?.ok ? (outcome.text ?? [...outcome.output]) : null];
  });
  return new Map(await Promise.all(made));
}

describe('wrong tokenizers', () => {
  it('give wrong sequences', async () => {
    const s = { name: 's', rank: 0, integer: false, text: true } as const;
    const subject: Sabotaged = { parameters: [s], outputRank: 1, output: 'sequence', inputs: ['s'] };
    expect(Object.fromEntries(await spoiled(subject, kernelOf([7, 7, 9]), 'abc'))).toEqual({
      'saboteur:empty': [],
      'saboteur:constant': [0],
      'saboteur:first dropped': [7, 9],
      'saboteur:last dropped': [7, 7],
      'saboteur:last repeated': [7, 7, 9, 9],
      'saboteur:shifted': [9, 7, 7],
      'saboteur:reversed': [9, 7, 7],
      'saboteur:off by one': [8, 8, 10],
      'saboteur:all first': [7, 7, 7],
      'saboteur:duplicates dropped': [7, 9],
      'saboteur:cut at 8': [7, 7, 9],
      'saboteur:s := ""': [7, 7, 9],
    });
  });

  it('give wrong strings', async () => {
    const ids = { name: 'ids', rank: 1, integer: true } as const;
    const subject: Sabotaged = { parameters: [ids], outputRank: 0, output: 'text', inputs: ['ids'] };
    const made = await spoiled(subject, kernelOf([], ' Ae\u0301😀'), Int32Array.of(1));
    expect(Object.fromEntries(made)).toMatchObject({
      'saboteur:empty': '',
      'saboteur:constant': 'a',
      'saboteur:first dropped': 'Ae\u0301😀',
      'saboteur:last dropped': ' Ae\u0301',
      'saboteur:reversed': '😀\u0301eA ',
      'saboteur:spaces dropped': 'Ae\u0301😀',
      'saboteur:ASCII only': ' Ae??',
      'saboteur:lower case': ' ae\u0301😀',
      'saboteur:composed': ' Aé😀',
      'saboteur:starts with a space': '  Ae\u0301😀',
    });
  });
});
