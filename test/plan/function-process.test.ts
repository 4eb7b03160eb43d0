import { describe, expect, it } from 'vitest';
import { functionProcess } from '../../src/plan/function-process.ts';
import type { FunctionRequest } from '../../src/plan/function-protocol.ts';
import type { KernelCall, KernelProgram } from '../../src/subject/kernel.ts';

const program = (output?: 'sequence' | 'text'): KernelProgram => ({
  language: 'function',
  name: 'f',
  parameters: [{ name: 'x', rank: 1, integer: false }],
  source: '',
  sourceHash: '',
  loopMaxIterations: 0,
  outputRank: 1,
  syntax: null,
  ...(output ? { output } : {}),
});
const call: KernelCall = { arguments: [Float32Array.of(1, 2)], shapes: [[2]], outputShape: [2] };

/** A process that answers every question with what `say` makes of it. */
function saying(say: (request: FunctionRequest) => unknown) {
  const asked: FunctionRequest[] = [];
  const functions = functionProcess((requests) => {
    asked.push(...requests);
    functions.receive(
      requests.map((request) => ({
        id: request.id,
        answer: request.kind === 'open' ? { ok: true } : say(request),
      })),
    );
  });
  return { ...functions, asked };
}

async function run(answer: unknown, output?: 'sequence' | 'text') {
  const opened = await saying(() => answer).backend.open(program(output));
  if (!opened.ok) throw new Error('it did not open');
  return opened.kernel.run([call]);
}

const foreign = 'it sent pv a message of its own';

describe('functions in a process', () => {
  it('give what their process says of them', async () => {
    const output = Float32Array.of(2, 4);
    expect(await run([{ ok: true, output }])).toEqual([{ ok: true, output }]);
    expect(await run([{ ok: true, output: Float64Array.of(3, 4) }], 'sequence')).toEqual([
      { ok: true, output: Float64Array.of(3, 4) },
    ]);
    expect(await run([{ ok: true, text: 'ab', output: 0 }], 'text')).toEqual([
      { ok: true, text: 'ab', output: new Float64Array(0) },
    ]);
  });

  it.each([
    { kind: 'threw', message: 'm' },
    { kind: 'unsupported', message: 'm' },
    { kind: 'mutated-input', parameter: 'x' },
    { kind: 'wrong-shape', expected: [2], actual: 'nothing' },
    { kind: 'wrong-shape', expected: 'a string', actual: 'nothing' },
  ])('fail as their process says: $kind', async (failure) => {
    expect(await run([{ ok: false, failure }])).toEqual([{ ok: false, failure }]);
  });

  it.each([
    ['nothing', undefined],
    ['no list', { length: 1, 0: { ok: true, output: Float32Array.of(2, 4) } }],
    ['too many results', [1, 2]],
    ['too few results', []],
    ['another shape', [{ ok: true, output: Float32Array.of(2) }]],
    ['a plain array', [{ ok: true, output: [2, 4] }]],
    ['no output', [{ ok: true }]],
    ['null', [null]],
    ['a failure of no known kind', [{ ok: false, failure: { kind: 'device' } }]],
    ['a failure named after a member of objects', [{ ok: false, failure: { kind: 'toString' } }]],
    ['a failure without its message', [{ ok: false, failure: { kind: 'threw' } }]],
    ['a shape that is none', [{ ok: false, failure: { kind: 'wrong-shape', expected: [-1], actual: '' } }]],
  ])('end their check when the process answers with %s', async (_, answer) => {
    await expect(run(answer)).rejects.toThrow(foreign);
  });

  it.each([
    ['sequence', [{ ok: true, output: Float64Array.of(0.5) }]],
    ['sequence', [{ ok: true, text: 'a' }]],
    ['text', [{ ok: true, output: Float32Array.of(2, 4) }]],
  ] as const)('end their check when a %s is something else', async (output, answer) => {
    await expect(run(answer, output)).rejects.toThrow(foreign);
  });

  it('end their check when the process answers what nobody has asked', () => {
    const { receive } = functionProcess(() => undefined);
    for (const message of [
      null,
      7,
      'text',
      {},
      { id: 1, answer: 1 },
      [null],
      [{ id: 1, answer: 1 }],
      { ok: true, result: {} },
    ])
      expect(() => receive(message)).toThrow(foreign);
  });

  it('take one answer to each question', async () => {
    const { backend, receive } = saying(() => undefined);
    await backend.open(program());
    expect(() => receive([{ id: 1, answer: { ok: true } }])).toThrow(foreign);
  });

  it('do not open when the process says why', async () => {
    const failure = { kind: 'threw', message: 'at load' };
    const functions = functionProcess((requests) =>
      functions.receive(requests.map(({ id }) => ({ id, answer: { ok: false, failure } }))),
    );
    expect(await functions.backend.open(program())).toEqual({ ok: false, failure });
  });

  it('are asked in one message for what is asked in one turn', async () => {
    const sizes: number[] = [];
    const functions = functionProcess((requests) => {
      sizes.push(requests.length);
      functions.receive(requests.map(({ id }) => ({ id, answer: [{ ok: true, output: Float32Array.of(2, id) }] })));
    });
    const opened = await functions.backend.open(program());
    if (!opened.ok) throw new Error('it did not open');
    const outcomes = await Promise.all([1, 2, 3].map(() => opened.kernel.run([call])));
    expect(sizes).toEqual([1, 3]);
    expect(outcomes).toEqual([2, 3, 4].map((id) => [{ ok: true, output: Float32Array.of(2, id) }]));
  });

  it('get numbers without the buffer behind them', async () => {
    const { backend, asked } = saying(() => [{ ok: true, output: Float32Array.of(2, 4) }]);
    const opened = await backend.open(program());
    const storage = Float32Array.of(9, 1, 2, 9);
    if (opened.ok) await opened.kernel.run([{ ...call, arguments: [storage.subarray(1, 3)] }]);
    const [, request] = asked;
    const [given] = request?.kind === 'run' ? (request.calls[0]?.arguments ?? []) : [];
    expect(given).toEqual(Float32Array.of(1, 2));
    expect((given as Float32Array).buffer.byteLength).toBe(8);
  });

  it('say what they have read when their job is over', async () => {
    const inputs = { closed: [{ kind: 'file', name: '/a', answer: 'missing' }], open: ['the clock'] };
    expect(await saying(() => ({ inputs, stray: null })).finish()).toEqual({ inputs, stray: null });
    await expect(saying(() => ({ inputs: {}, stray: null })).finish()).rejects.toThrow(foreign);
  });
});
