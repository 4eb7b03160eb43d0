import { describe, expect, test } from 'vitest';
import { pythonConfigs } from '../../../../src/data/read/syntax/python-configs.ts';
import { keyedScalars } from '../../../../src/data/read/syntax/tree.ts';

const read = (text: string): Readonly<Record<string, unknown>> => {
  const { configs, unread } = pythonConfigs({ path: 'c.py', text });
  const values = configs.map(({ name, root }) => [
    name,
    Object.fromEntries(keyedScalars(root).map(({ key, value, unread: why }) => [key, why === undefined ? value : '?'])),
  ]);
  return { ...(Object.fromEntries(values) as object), unread };
};

const base = 'def base():\n    return Config(training=Training(steps=10, lr=1e-3), seed=1)\n\n';

describe('each function of a file is a config of its own', () => {
  test('with names of the file and of itself', () => {
    expect(
      read(
        'import x\nSTEPS = 100\n\ndef a():\n    """One."""\n    lr = 2e-4\n    return Config(steps=STEPS * 2, lr=lr)\n\ndef b():\n    return dict(steps=STEPS)\n',
      ),
    ).toEqual({ a: { steps: 200, lr: 2e-4 }, b: { steps: 100 }, unread: [] });
  });

  test('which may build on one above it, and change parts without changing that one', () => {
    expect(
      read(
        `${base}def more():\n    config = base()\n    config.training.steps = 20  # longer\n    config.training.batch = 4\n    config.metrics.freq = 5\n    return config\n`,
      ),
    ).toEqual({
      base: { 'training.steps': 10, 'training.lr': 1e-3, seed: 1 },
      more: { 'training.steps': 20, 'training.lr': 1e-3, 'training.batch': 4, 'metrics.freq': 5, seed: 1 },
      unread: [],
    });
  });

  test('or be set attribute by attribute', () => {
    expect(
      read('def get_config():\n    c = mlc.ConfigDict()\n    c.lr = 0.1\n    c.run = str(now())\n    return c\n'),
    ).toEqual({
      get_config: { lr: 0.1, run: '?' },
      unread: [],
    });
  });
});

describe('what a function computes is not taken for what it returns', () => {
  test.each([
    ['a condition', 'config = base()\n    if BIG:\n        config.training.steps = 99\n    return config'],
    ['a loop', 'config = base()\n    for i in range(3):\n        config.seed = i\n    return config'],
    ['a call on it', 'config = base()\n    config.training.update(steps=99)\n    return config'],
    ['a call of another function', 'return other()'],
    ['a return in a branch', 'if BIG:\n        return Config(steps=1)\n    return Config(steps=2)'],
    ['a change of an unknown object', 'config = load()\n    config.steps = 3\n    return config'],
    ['a second name', 'config = base()\n    other = config\n    other.seed = 2\n    return config'],
    ['a name of a part', 'config = base()\n    t = config.training\n    t.steps = 2\n    return config'],
    ['an object of the file', 'SHARED.steps = 3\n    return SHARED'],
    ['a function within', 'def inner():\n        return 1\n    return Config(steps=2)'],
  ])('%s', (_, body) => {
    expect(read(`SHARED = Config(steps=1)\n${base}def other_one():\n    ${body}\n`)).toMatchObject({
      unread: ['other_one'],
    });
  });

  test('a part that is changed by an operator, or replaced by a call, is unknown', () => {
    expect(
      read(
        `${base}def more():\n    config = base()\n    config.training.steps *= 2\n    config.seed = draw()\n    return config\n`,
      ),
    ).toMatchObject({ more: { 'training.steps': '?', seed: '?', 'training.lr': 1e-3 } });
  });

  test('methods of classes, and statements below the top, belong to no function', () => {
    expect(read(`${base}class A:\n    def f(self):\n        return Config(steps=1)\n\nif X:\n    steps = 5\n`)).toEqual(
      {
        base: { 'training.steps': 10, 'training.lr': 1e-3, seed: 1 },
        unread: [],
      },
    );
  });

  test('a program with very many functions is none', () => {
    expect(read(Array.from({ length: 200 }, (_, i) => `def f${i}():\n    return C(a=1)\n`).join(''))).toEqual({
      unread: [],
    });
  });
});
