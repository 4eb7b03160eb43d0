/** The rules of evaluation mode say the same of the same program in both languages, where they look at the same thing. */
import { describe, expect, it } from 'vitest';
import { scanCode } from '../../support/scan-code.ts';

const found = async (path: string, text: string): Promise<boolean> => {
  const { findings } = await scanCode({ [path]: text });
  return findings.some(({ diagnostic }) => /^PV-(9103|9128)$/.test(diagnostic.code));
};

const python = (evaluate: string, call = 'evaluate(model, xs)'): string => `
def evaluate(model, xs):
${evaluate}
def train(model, xs, optimizer):
    model.train()
    for x in xs:
        model(x).backward()
        optimizer.step()
        ${call}
`;
const typescript = (evaluate: string, call = 'evaluate(model, xs);'): string => `
function evaluate(model: Model, xs: Batch[]) {
${evaluate}
}
function train(model: Model, xs: Batch[], optimizer: Optimizer) {
  model.train();
  for (const x of xs) {
    model.loss(x).backward();
    optimizer.step();
    ${call}
  }
}
`;
const caught = {
  python: 'try: evaluate(model, xs)\n        except Exception: pass',
  typescript: 'try { evaluate(model, xs); } catch {}',
};

describe('Python and TypeScript', () => {
  it.each([
    [
      'no restore',
      python('    model.eval()\n    return f(model, xs)'),
      typescript('  model.eval();\n  return f(model, xs);'),
      true,
    ],
    [
      'an early return',
      python('    model.eval()\n    if not xs:\n        return 0\n    model.train()'),
      typescript('  model.eval();\n  if (xs.length === 0) return 0;\n  model.train();'),
      true,
    ],
    [
      'a caught failure',
      python('    model.eval()\n    f(model, xs)\n    model.train()', caught.python),
      typescript('  model.eval();\n  f(model, xs);\n  model.train();', caught.typescript),
      true,
    ],
    [
      'finally',
      python(
        '    model.eval()\n    try:\n        return f(model, xs)\n    finally:\n        model.train()',
        caught.python,
      ),
      typescript('  model.eval();\n  try { return f(model, xs); } finally { model.train(); }', caught.typescript),
      false,
    ],
    [
      'the mode that was there',
      python(
        '    was = model.training\n    model.eval()\n    try:\n        f(model, xs)\n    finally:\n        model.train(was)',
      ),
      typescript(
        '  const was = model.training;\n  model.eval();\n  try { f(model, xs); } finally { model.train(was); }',
      ),
      false,
    ],
    [
      'a teacher',
      python('    teacher.eval()\n    return f(teacher, xs)'),
      typescript('  teacher.eval();\n  return f(teacher, xs);'),
      false,
    ],
    [
      'one function for both modes',
      `def run(model, xs, is_train):
    if is_train:
        model.train()
    else:
        model.eval()
    for x in xs:
        if is_train:
            model(x).backward()
            optimizer.step()
for epoch in range(3):
    run(model, xs, True)
    run(model, xs, False)
`,
      `function run(model: Model, xs: Batch[], isTrain: boolean) {
  if (isTrain) model.train();
  else model.eval();
  for (const x of xs) {
    if (!isTrain) continue;
    model.loss(x).backward();
    optimizer.step();
  }
}
`,
      false,
    ],
  ])('agree on %s', async (_name, py, ts, expected) => {
    expect(await found('a.py', py)).toBe(expected);
    expect(await found('a.ts', ts)).toBe(expected);
  });

  it('differ where nothing fails in between: only the paths of Python are followed', async () => {
    const [py, ts] = [
      python('    model.eval()\n    f(model, xs)\n    model.train()'),
      typescript('  model.eval();\n  f(model, xs);\n  model.train();'),
    ];
    expect([await found('a.py', py), await found('a.ts', ts)]).toEqual([false, true]);
  });
});
