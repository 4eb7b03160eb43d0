import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../src/scan/edits.ts';
import { pointedAt, scanCode } from '../../support/scan-code.ts';

const rule = 'eval-mode-restore';

describe('eval-mode-restore finds', () => {
  it.each([
    [
      'a restore that an exception skips',
      'function f() { model.eval(); const l = run(model); model.train(); return l; }',
      'model.eval()',
    ],
    [
      'an evaluation that never restores',
      'function evaluate(model) { model.eval(); return run(model); }',
      'model.eval()',
    ],
    [
      'a flag',
      'function validate(net) { net.training = false; run(net); net.training = true; }',
      'net.training = false',
    ],
    [
      'a setter',
      'async function evalLoss(m) { this.model.setTraining(false); await run(); this.model.setTraining(true); }',
      'this.model.setTraining(false)',
    ],
    [
      'an early return',
      'function evaluate(model, xs) { model.eval(); if (xs.length === 0) return 0; const l = f(xs); model.train(true); return l; }',
      'model.eval()',
    ],
    ['train(false)', 'function evaluate(net) { net.train(false); g(net); net.train(); }', 'net.train(false)'],
    [
      'a finally that restores something else',
      'function evaluate(model) { model.eval(); try { f(model); } finally { file.close(); } }',
      'model.eval()',
    ],
    [
      'another model in finally',
      'function evaluate(model, other) { model.eval(); try { f(model); } finally { other.train(); } }',
      'model.eval()',
    ],
    [
      'a finally around something else',
      'function evaluate(model) { try { a(); } finally { model.train(); } model.eval(); b(); }',
      'model.eval()',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await pointedAt(rule, text)).toEqual([expected]);
  });
});

describe('eval-mode-restore leaves alone', () => {
  it.each([
    [
      'a restore in finally',
      'function evaluate(model) { model.eval(); try { return f(model); } finally { model.train(); } }',
    ],
    [
      'a switch inside the try',
      'function evaluate(m) { const was = m.training; try { m.eval(); f(m); } finally { m.train(was); } }',
    ],
    [
      'a flag put back',
      'function evaluate(net) { const was = net.training; net.training = false; try { f(net); } finally { net.training = was; } }',
    ],
    [
      'a restoring function',
      'function evaluate(model) { const restore = enter(model); model.eval(); try { f(); } finally { restore(); } }',
    ],
    ['a model that is served', 'const model = load(); model.eval(); serve(model);'],
    ['a server', 'function predict(model, x) { model.eval(); return model.forward(x); }'],
    ['a teacher', 'function trainStudent(teacher, student) { teacher.eval(); student.train(); }'],
    [
      'the definition of the switch',
      'class Module { eval() { this.training = false; for (const m of this.children) m.eval(); } train() { this.training = true; } }',
    ],
    ['a choice of mode', 'function setMode(model, on) { on ? model.train() : model.eval(); }'],
    ['two branches', 'function enter(model, on) { if (on) model.train(); else model.eval(); }'],
    ['the state of a view', 'function onDone() { store.training = false; render(); }'],
    ['a script language', 'function evaluate(redis) { redis.eval(script, 1); parser.eval(); }'],
    [
      'a promise that restores',
      'function evaluate(model) { model.eval(); return run(model).finally(() => model.train()); }',
    ],
  ])('%s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});

describe('the fix of eval-mode-restore', () => {
  async function fixed(text: string): Promise<string | null> {
    const { findings } = await scanCode({ 'a.ts': text }, { rules: [rule] });
    const fix = findings[0]?.fix ?? null;
    return fix && applyEdits(text, fix);
  }

  it('puts the statements between into a try that ends with the restore', async () => {
    const text = 'function f(model: M) {\n  model.eval();\n  const l = run(model);\n  log(l);\n  model.train();\n}\n';
    const mended = await fixed(text);
    expect(mended).toBe(
      'function f(model: M) {\n  model.eval();\n  try {\n  const l = run(model);\n  log(l);\n  } finally {\n    model.train();\n  }\n}\n',
    );
    expect(await pointedAt(rule, mended ?? '')).toEqual([]);
  });

  it('is not offered where a declaration is used after it', async () => {
    expect(await fixed('function f(model) { model.eval(); const l = run(); model.train(); return l; }')).toBeNull();
  });
});
