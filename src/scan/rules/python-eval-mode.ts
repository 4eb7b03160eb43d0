/**
 * A training loop in Python that an evaluation leaves in evaluation mode: every step after it trains without dropout and with
 * frozen statistics, and no metric says so.
 */
import { staleModes } from '../python/mode-flow.ts';
import type { PythonModule } from '../python/module.ts';
import type { PythonRule } from '../rule.ts';

export const pythonEvalMode: PythonRule = {
  language: 'python',
  code: 'PV-9128',
  words: /\.\s*(eval\s*\(\s*\)|train\s*\(\s*False)/,
  usesTypes: false,
  check: (module) =>
    staleModes(module)
      .filter(({ model }) => isTrained(module, model))
      .map(({ at, backward, caught }) => {
        const model = module.textOf(at).replace(/\.\s*(eval|train)\s*\([^()]*\)$/, '');
        return {
          range: { start: at.from, end: at.to },
          message: caught
            ? `if the evaluation fails, the exception is caught and training continues with \`${model}\` in evaluation mode`
            : `training continues with \`${model}\` in evaluation mode`,
          hint: `try: … finally: ${model}.train()`,
          related: [{ message: 'trained here', module, range: { start: backward.from, end: backward.to } }],
        };
      }),
};

/** Whether the script trains it: it is put into training mode, or its parameters go to an optimizer, and it is not a fixed copy. */
function isTrained({ source: { text } }: PythonModule, model: string): boolean {
  if (/teacher|reference|\bref_|frozen|ema\b|target|pretrained|vgg|lpips|vae|discriminator_eval/i.test(model))
    return false;
  const name = model.split('.').at(-1)?.split('@')[0] ?? model;
  const its = new RegExp(String.raw`\b${name}(\.module)?\.(train\(\s*(True\s*)?\)|parameters\(|named_parameters\()`);
  const isFixed = new RegExp(String.raw`\b${name}\.requires_grad_\(\s*False`);
  return its.test(text) && !isFixed.test(text) && /\.step\s*\(/.test(text);
}
