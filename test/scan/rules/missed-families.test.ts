/**
 * Forms that public projects use and that the rules did not see. Holds src/scan/sizes/operands.ts and
 * src/scan/kernels/kernels-in.ts.
 */
import { describe, expect, it } from 'vitest';
import { pointedAt } from '../../support/scan-code.ts';

const inTraining = 'function trainLoop(model: Model) { for (;;) { model.train(); evaluate(model); } }\n';
const helpers = 'function setEval(m: Model) { m.eval(); }\nconst setTrain = (m: Model) => m.train();\n';

describe('evaluation mode through helpers', () => {
  it.each([
    [
      'never restored',
      `${inTraining}${helpers}function evaluate(model: Model) { setEval(model); return loss(model); }`,
      'setEval(model)',
    ],
    [
      'an early return',
      `${inTraining}${helpers}function evaluate(model: Model) { setEval(model); if (n === 0) return 0; const l = loss(model); setTrain(model); return l; }`,
      'setEval(model)',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await pointedAt('eval-mode-restore', text)).toEqual([expected]);
  });

  it.each([
    [
      'restored in finally',
      `${inTraining}${helpers}function evaluate(model: Model) { setEval(model); try { return loss(model); } finally { setTrain(model); } }`,
    ],
    [
      'a pair of helpers that count',
      'function enter(module: M) { module.training = false; running.add(module); }\nfunction leave(module: M) { module.training = true; }',
    ],
    ['the helper itself', `${inTraining}${helpers}function evaluate(model: Model) { return loss(model); }`],
  ])('not %s', async (_name, text) => {
    expect(await pointedAt('eval-mode-restore', text)).toEqual([]);
  });
});

const gemm = 'function gemm(m: number, n: number, k: number, a: X, b: X, out: X) {}\n';
const sizes = 'const { seqLen, hidden, ffn } = config;\n';

describe('matrix products called with the sizes of the model', () => {
  it('finds an output that has the other two', async () => {
    const text = `${gemm}function f(config: C) { ${sizes}const y = new Float32Array(seqLen * ffn); gemm(seqLen, hidden, ffn, x, w, y); }`;
    expect(await pointedAt('gemm-argument-order', text)).toEqual(['y']);
  });

  it('finds an input that has the other two', async () => {
    const text = `${gemm}function f(config: C) { const x = new Float32Array(config.seqLen * config.hidden); gemm(config.seqLen, config.hidden, config.ffn, x, w, y); }`;
    expect(await pointedAt('gemm-argument-order', text)).toEqual(['x']);
  });

  it.each([
    ['in order', 'const y = new Float32Array(seqLen * ffn); gemm(seqLen, ffn, hidden, x, w, y);'],
    ['a larger buffer', 'const y = new Float32Array(2 * seqLen * ffn); gemm(seqLen, hidden, ffn, x, w, y);'],
    ['a square', 'const y = new Float32Array(seqLen * hidden); gemm(seqLen, hidden, hidden, x, w, y);'],
    ['a gradient', 'const dY = new Float32Array(seqLen * ffn); gemm(seqLen, hidden, ffn, x, w, dY);'],
  ])('not %s', async (_name, body) => {
    expect(await pointedAt('gemm-argument-order', `${gemm}function f(config: C) { ${sizes}${body} }`)).toEqual([]);
  });
});

const texture = (methods: string, options = 'pipeline: true'): string => `
class Net {
  constructor(gpu) { this.scale = gpu.createKernel(function (x) { return x[this.thread.x] * 2; }, { output: [4], ${options} }); }
  ${methods}
}`;

describe('textures kept in fields', () => {
  it.each([
    ['fed back', 'step() { this.state = this.scale(this.state); }', 'this.state'],
    [
      'the one before',
      'step(x) { const before = this.state; this.state = this.scale(x); return difference(before, this.state); }',
      'before',
    ],
    ['two fields', 'a(x) { this.first = this.scale(x); }\n  b(x) { this.second = this.scale(x); }', 'this.scale(x)'],
  ])('%s', async (_name, methods, expected) => {
    expect(await pointedAt('pipeline-texture-reuse', texture(methods))).toEqual([expected]);
  });

  it.each([
    ['immutable', texture('step() { this.state = this.scale(this.state); }', 'pipeline: true, immutable: true')],
    ['cloned', texture('step() { this.state = this.scale(this.input).clone(); }')],
    ['used before', texture('step(x) { const before = this.state; show(before); this.state = this.scale(x); }')],
  ])('not %s', async (_name, text) => {
    expect(await pointedAt('pipeline-texture-reuse', text)).toEqual([]);
  });
});

describe('kernels that settings, maps and wrappers name', () => {
  it.each([
    [
      'a wrapper',
      'const k = makeKernel(function (x) { return Math.tanh(x[this.thread.x]); }, { output });',
      'Math.tanh(x[this.thread.x])',
    ],
    [
      'functions of settings',
      'function act(x) { return Math.tanh(x); }\nconst k = makeKernel(predict, { functions: [act] });\nfunction predict(x) { return act(x[this.thread.x]); }',
      'Math.tanh(x)',
    ],
    [
      'a map',
      'const k = gpu.createKernelMap({ out: act }, function (x) { return act(x[this.thread.x]); });\nfunction act(x) { return Math.tanh(x); }',
      'Math.tanh(x)',
    ],
  ])('%s is looked at', async (_name, text, expected) => {
    expect(await pointedAt('kernel-unclamped-tanh', text)).toEqual([expected]);
  });

  it.each([
    ['functions: [f]', 'makeKernel(predict, { functions: [act] });'],
    ['functions: { f }', 'gpu.createKernel(predict, { functions: { act: function (x) { return x; } } });'],
    ['a map of outputs', 'makeKernelMap({ out: act }, predict, { output });'],
    ['an array of outputs', 'gpu.createKernelMap([act], predict);'],
    ['GPU.alias', "gpu.createKernelMap({ out: GPU.alias('act', other) }, predict);"],
    ['setFunctions', 'k.setFunctions([act]);'],
  ])('%s gives a kernel its names', async (_name, creation) => {
    const text = `function predict(x) { return act(x[this.thread.x]); }\n${creation}`;
    expect(await pointedAt('kernel-outside-names', text)).toEqual([]);
  });

  it('a name that nothing gives is still outside', async () => {
    const text = 'function predict(x) { return act(x[this.thread.x]); }\nmakeKernel(predict, { functions: [other] });';
    expect(await pointedAt('kernel-outside-names', text)).toEqual(['act']);
  });

  it('pixels may be bytes', async () => {
    const text = (types: string): string =>
      `gpu.createKernel(function (a) { return a[this.thread.x]; }, { precision: 'unsigned', argumentTypes: { a: '${types}' } });`;
    expect(await pointedAt('kernel-settings', text('HTMLImage'))).toEqual([]);
    expect(await pointedAt('kernel-settings', text('Array'))).toEqual(["precision: 'unsigned'"]);
  });
});
