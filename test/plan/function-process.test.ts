import { deserialize, serialize } from 'node:v8';
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

/** A thread's side of a process that answers every list of requests with what `answer` makes of each. */
function answering(answer: (request: FunctionRequest) => unknown) {
  const asked: (readonly FunctionRequest[])[] = [];
  const functions = functionProcess((bytes) => {
    const requests = deserialize(bytes) as readonly FunctionRequest[];
    asked.push(requests);
    functions.receive(serialize(requests.map((request) => ({ id: request.id, answer: answer(request) }))));
  });
  return { ...functions, asked };
}

/** One that opens every function. */
const saying = (say: (request: FunctionRequest) => unknown) =>
  answering((request) => (request.kind === 'open' ? { ok: true } : say(request)));

async function run(answer: unknown, output?: 'sequence' | 'text') {
  const opened = await saying(() => answer).backend.open(program(output));
  if (!opened.ok) throw new Error('it did not open');
  return opened.kernel.run([call]);
}

const foreign = 'it sent a message to pv';

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

  it('fail in one line that controls no terminal, whatever they throw', async () => {
    const message = `\u001b[2J\n✓ correct${'x'.repeat(2000)}`;
    const [outcome] = await run([{ ok: false, failure: { kind: 'threw', message } }]);
    expect(outcome).toEqual({
      ok: false,
      failure: { kind: 'threw', message: `␛[2J␊✓ correct${'x'.repeat(985)}…` },
    });
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
    ['a malformed shape', [{ ok: false, failure: { kind: 'wrong-shape', expected: [-1], actual: '' } }]],
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

  it('end their check if the process sends what pv has not requested', () => {
    const { receive } = functionProcess(() => undefined);
    const lists = [null, 7, {}, [null], [{ id: 1, answer: 1 }], [{ ok: true, result: {} }]].map((list) =>
      serialize(list),
    );
    for (const message of [null, 7, 'text', {}, { ok: true, result: {} }, new Uint8Array(9), ...lists])
      expect(() => receive(message)).toThrow(foreign);
  });

  it('take one answer to each question', async () => {
    const { backend, receive } = saying(() => undefined);
    await backend.open(program());
    expect(() => receive(serialize([{ id: 1, answer: { ok: true } }]))).toThrow(foreign);
  });

  it('do not open when the process says why', async () => {
    const failure = { kind: 'threw', message: 'at load' };
    const { backend } = answering(() => ({ ok: false, failure }));
    expect(await backend.open(program())).toEqual({ ok: false, failure });
  });

  it('are asked in one message for what is asked in one turn', async () => {
    const { backend, asked } = saying(({ id }) => [{ ok: true, output: Float32Array.of(2, id) }]);
    const opened = await backend.open(program());
    if (!opened.ok) throw new Error('it did not open');
    const outcomes = await Promise.all([1, 2, 3].map(() => opened.kernel.run([call])));
    expect(asked.map(({ length }) => length)).toEqual([1, 3]);
    expect(outcomes).toEqual([2, 3, 4].map((id) => [{ ok: true, output: Float32Array.of(2, id) }]));
  });

  it('are called over and over where they run, until a count or a time', async () => {
    const limits = { most: 30, enoughMs: 1000 };
    const { backend, repeat, asked } = saying(() => ({ made: 32, odd: 1 }));
    await backend.open(program());
    expect(await repeat([call], limits)).toEqual({ made: 32, odd: 1 });
    expect(asked.at(-1)).toEqual([{ id: 2, kind: 'repeat', opened: 1, calls: [call], ...limits }]);
    await expect(saying(() => ({ made: -1, odd: 0 })).repeat([call], limits)).rejects.toThrow(foreign);
  });

  it('say what they have read when their job is over', async () => {
    const inputs = { closed: [{ kind: 'file', name: '/a', answer: 'missing' }], open: ['the clock'] };
    const conduct = { replaced: 'Math.exp', changed: '', changedInput: '', disguised: '' };
    const report = { inputs, stray: null, conduct };
    expect(await saying(() => report).finish()).toEqual(report);
    await expect(saying(() => ({ ...report, conduct: { ...conduct, replaced: 7 } })).finish()).rejects.toThrow(foreign);
    await expect(saying(() => ({ ...report, inputs: {} })).finish()).rejects.toThrow(foreign);
  });
});
