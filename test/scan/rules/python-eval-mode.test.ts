/** Holds src/scan/python/mode-flow.ts, src/scan/python/module.ts, src/scan/python/syntax.ts. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { scanCode } from '../../support/scan-code.ts';

const codesOf = async (text: string): Promise<readonly string[]> => {
  const { findings } = await scanCode({ 'train.py': text });
  return findings.map(({ diagnostic }) => diagnostic.code);
};
const stale = ['PV-9128'];

const step = `loss = model(x)
        loss.backward()
        optimizer.step()`;
const evaluate = `
def evaluate(model, xs):
    model.eval()
    with torch.no_grad():
        return sum(model(x) for x in xs)
`;
const restoring = `
def evaluate(model, xs):
    model.eval()
    total = sum(model(x) for x in xs)
    model.train()
    return total
`;
const train = (inside: string, before = 'model.train()', top = 'pass'): string => `
def train(model, xs, optimizer):
    ${before}
    for i, x in enumerate(xs):
        ${top}
        ${step}
        ${inside}
`;
const caught = (handler: string): string =>
  train(`try:
            evaluate(model, xs)
        except ${handler}`);

describe('python-eval-mode finds', () => {
  it.each([
    ['an evaluation in the loop that never restores', train('model.eval()')],
    ['one in a function of the file', evaluate + train('evaluate(model, xs)')],
    ['one under a condition', evaluate + train('if i % 100 == 0: evaluate(model, xs)')],
    ['a named argument', evaluate + train('evaluate(xs=xs, model=model)')],
    ['train(False)', train('model.train(False)')],
    ['a wrapped model', evaluate + train('evaluate(model.module, xs)')],
    ['a walrus and an f-string', evaluate + train("print(f'{(l := evaluate(model, xs)):.3f}')")],
    [
      'a match statement',
      evaluate +
        train(
          'match i:\n            case 1 | 2:\n                evaluate(model, xs)\n            case _:\n                pass',
        ),
    ],
    [
      'an early return before the restore',
      `
def evaluate(model, xs):
    model.eval()
    if not xs:
        return 0
    model.train()
` + train('evaluate(model, xs)'),
    ],
    ['a caught failure', restoring + caught('RuntimeError:\n            print("skipped")')],
    ['any caught failure', restoring + caught(':\n            continue')],
    ['an evaluation before the loop', evaluate + train('pass', 'evaluate(model, xs)') + 'model.train()\n'],
    [
      'methods',
      `
class Trainer:
    def validate(self):
        self.model.eval()
        return self.loss()
    def fit(self):
        self.model.train()
        for x in self.xs:
            self.loss(x).backward()
            self.optimizer.step()
            self.validate()
`,
    ],
    [
      'train() at the top of the run, not of the epoch',
      `
model.train()
for epoch in range(9):
    for x in xs:
        model(x).backward()
        optimizer.step()
    model.eval()
    test(model)
`,
    ],
    ['an async loop', evaluate + train('evaluate(model, xs)').replace('def train', 'async def train')],
  ])('%s', async (_name, text) => {
    expect(await codesOf(text)).toEqual(stale);
    expect(await codesOf(text.replaceAll('\n', '\r\n'))).toEqual(stale);
    expect(await codesOf(`\uFEFF${text.replaceAll('    ', '\t')}`)).toEqual(stale);
  });
});

describe('python-eval-mode leaves alone', () => {
  it.each([
    ['a restore', restoring + train('evaluate(model, xs)')],
    [
      'a restore in finally',
      `
def evaluate(model, xs):
    model.eval()
    try:
        return f(model, xs)
    finally:
        model.train()
` + caught('Exception:\n            continue'),
    ],
    [
      'the mode that was there',
      `
def evaluate(model, xs):
    was_training = model.training
    model.eval()
    f(model, xs)
    model.train(was_training)
` + train('evaluate(model, xs)'),
    ],
    [
      'a conditional restore of it',
      `
def evaluate(model, xs):
    was_training = model.training
    model.eval()
    f(model, xs)
    if was_training:
        model.train()
` + train('evaluate(model, xs)'),
    ],
    ['train() at the top of each step', evaluate + train('evaluate(model, xs)', 'pass', 'model.train()')],
    [
      'train() at the top of each epoch',
      evaluate + train('pass') + '\nfor epoch in range(3):\n    train(model, xs, optimizer)\n    evaluate(model, xs)\n',
    ],
    ['a restore by the caller', evaluate + train('evaluate(model, xs); model.train()')],
    ['a script that only evaluates', `${evaluate}\nmodel.train()\nevaluate(model, xs)\n`],
    ['an evaluation after training', evaluate + train('pass') + '\ntrain(model, xs, optimizer)\nevaluate(model, xs)\n'],
    ['a failure that is raised again', restoring + caught('RuntimeError:\n            raise')],
    ['an interrupt', restoring + caught('KeyboardInterrupt:\n            print("stopped")')],
    ['a failure that ends the loop', restoring + caught('Exception:\n            break')],
    ['a restore in the handler', restoring + caught('Exception:\n            model.train()')],
    [
      'phases',
      `
for epoch in range(3):
    for phase in ['train', 'val']:
        if phase == 'train':
            model.train()
        else:
            model.eval()
        for x in xs[phase]:
            with torch.set_grad_enabled(phase == 'train'):
                loss = model(x)
                if phase == 'train':
                    loss.backward()
                    optimizer.step()
`,
    ],
    [
      'one function for both',
      `
def run(model, xs, is_train):
    if is_train: model.train()
    else: model.eval()
    for x in xs:
        if is_train:
            model(x).backward()
            optimizer.step()
for epoch in range(3):
    run(model, xs, True)
    run(model, xs, False)
`,
    ],
    ['a teacher', train('teacher.eval()')],
    ['a model without training', train('other.eval()')],
    [
      'a fixed model',
      'judge.requires_grad_(False)\n' + train('judge.eval(); judge.train()').replace('; judge.train()', ''),
    ],
    ['evaluation mode set on purpose in each step', train('pass', 'model.train()', 'model.eval()')],
    ['a restore in another file', evaluate + train('evaluate(model, xs)', 'pass', 'set_train_mode(model)')],
    ['a context manager', train('with evaluating(model):\n            f(model)')],
    ['an evaluation of pandas', train("df.eval('a + b')")],
    [
      'hooks of a framework',
      `
class Net(LightningModule):
    def training_step(self, batch): return self.model(batch)
    def validation_step(self, batch):
        self.model.eval()
        return self.model(batch)
`,
    ],
    ['what a comment sets aside', train('# pv-scan-ignore python-eval-mode: frozen statistics\n        model.eval()')],
  ])('%s', async (_name, text) => {
    expect(await codesOf(text)).toEqual([]);
  });
});

describe('a Python file that cannot be read is reported', () => {
  it.each([
    ['Python 2', "print 'loss', loss\n"],
    ['NUL', 'x = 1\0\n'],
    ['deep parentheses', `${'('.repeat(1e5)}1${')'.repeat(1e5)}\n`],
    ['a broken definition', 'def f(:\n  pass\n'],
    ['20 MB', 'x = 1\n'.repeat(3_500_000)],
    ['another language', '{"a": [1, 2'],
  ])(
    '%s',
    async (_name, text) => {
      expect(await codesOf(text)).toEqual(['PV-9110']);
    },
    20_000,
  );

  it.each(['x = 1./n\n', 'def f():\n    yield\n', 'match x:\n    case A() | B():\n        f()\n', ''])(
    'valid: %j',
    async (text) => {
      expect(await codesOf(text)).toEqual([]);
    },
  );

  it('reports a suppression without a reason, and one without effect', async () => {
    expect(await codesOf('# pv-scan-ignore python-eval-mode\nx = 1\n')).toEqual(['PV-9111']);
    expect(await codesOf("# pv-scan-ignore python-eval-mode: a reason\nx = '# pv-scan-ignore x'\n")).toEqual([
      'PV-9112',
    ]);
  });

  it('is bounded for deep blocks of functions that call each other', async () => {
    const deep = (inside: string): string =>
      Array.from({ length: 99 }, (_, i) => `${' '.repeat(i + 1)}if x${i}:\n`).join('') +
      `${' '.repeat(100)}${inside}\n`;
    const text = Array.from({ length: 8 }, (_, i) => `def g${i}(model):\n${deep(`g${i + 1}(model)`)}`).join('');
    expect(await codesOf(`${text}model.eval()\n`)).toEqual([]);
  });

  it('is bounded for functions that call each other', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `f${i}`);
    const text = names.map((name) => `def ${name}(model):\n${names.map((other) => `    ${other}(model)\n`).join('')}`);
    expect(await codesOf(`${text.join('')}${evaluate}${train('model.train()')}`)).toEqual([]);
  });
});

it('the page shows a wrong and a correct script', async () => {
  const page = await readFile(new URL('../../../docs/codes/PV-9128.md', import.meta.url), 'utf8');
  const scripts = [...page.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map((block) => block[1] ?? '');
  expect(await Promise.all(scripts.map(codesOf))).toEqual([stale, []]);
});
