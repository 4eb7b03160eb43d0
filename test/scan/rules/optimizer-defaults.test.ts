import { describe, expect, it } from 'vitest';
import { pointedAt, scanCode } from '../../support/scan-code.ts';

const rule = 'optimizer-defaults';

describe('optimizer-defaults finds', () => {
  it.each([
    ['defaults by name', 'const o = AdamW.default(lr);', 'AdamW.default(lr)'],
    ['the bug of ALB-044', 'const o = AdamW.default_params(config.lr);', 'AdamW.default_params(config.lr)'],
    ['options with the learning rate alone', 'const o = new AdamW(params, { lr });', 'new AdamW(params, { lr })'],
    ['a factory with the learning rate alone', 'const o = adamw(lr);', 'adamw(lr)'],
    ['a number for the learning rate', 'const o = adamw(3e-4);', 'adamw(3e-4)'],
    ['tfjs', 'const o = tf.train.adam(config.learningRate);', 'tf.train.adam(config.learningRate)'],
    [
      'optax',
      'const o = optax.adamw({ learning_rate: 1e-3, b1: 0.9 });',
      'optax.adamw({ learning_rate: 1e-3, b1: 0.9 })',
    ],
    [
      'parameters alone',
      'const o = new torch.optim.AdamW(model.parameters());',
      'new torch.optim.AdamW(model.parameters())',
    ],
    [
      'a missing weight decay',
      'new AdamW(ps, { lr: c.lr, beta1: c.beta1, beta2: c.beta2, eps: 1e-8 });',
      'new AdamW(ps, { lr: c.lr, beta1: c.beta1, beta2: c.beta2, eps: 1e-8 })',
    ],
    [
      'a beta2 that the config does not decide',
      'f(new AdamW(config.lr, config.beta1, 0.999, 1e-8, config.weightDecay));',
      'new AdamW(config.lr, config.beta1, 0.999, 1e-8, config.weightDecay)',
    ],
    ['Lion', 'createLion({ lr: 1e-4 })', 'createLion({ lr: 1e-4 })'],
    [
      'RMSProp',
      'new RMSprop(model.parameters(), { lr: 0.01, momentum: 0.9 })',
      'new RMSprop(model.parameters(), { lr: 0.01, momentum: 0.9 })',
    ],
    ['SGD by name', 'new SGD(params, { lr: 0.1 });', 'new SGD(params, { lr: 0.1 })'],
    [
      'an optimizer by its name',
      "createOptimizer('adamw', { lr: config.lr });",
      "createOptimizer('adamw', { lr: config.lr })",
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await pointedAt(rule, text)).toEqual([expected]);
  });

  it('names what is left to defaults', async () => {
    const { findings } = await scanCode({ 'a.ts': 'new AdamW(params, { lr, betas: config.betas });' });
    expect(findings.map(({ diagnostic }) => diagnostic.message)).toEqual([
      '`AdamW` leaves epsilon and weight decay to defaults',
    ]);
  });

  it('follows the names of the parameters of a factory', async () => {
    const text = 'function adamw(lr: number, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, wd = 0.01) {}\nadamw(3e-4, a, b);';
    expect(await pointedAt(rule, text)).toEqual(['adamw(3e-4, a, b)']);
  });
});

describe('optimizer-defaults leaves alone', () => {
  it.each([
    ['every hyper-parameter by position', 'new AdamW(lr, beta1, beta2, epsilon, wd);'],
    ['every hyper-parameter by name', 'new AdamW(params, { lr, betas, eps, weightDecay });'],
    ['an epsilon of its own', 'new AdamW(c.lr, config.beta1, config.beta2, 1e-8, config.weightDecay);'],
    ['a whole config', 'new AdamW(config);'],
    ['a config beside the parameters', 'new AdamW(model.parameters(), optimizerConfig);'],
    ['a config spread into the options', 'new AdamW(params, { ...config.optimizer, lr });'],
    ['a spread list', 'adamw(...hyperParameters);'],
    ['a person', "const adam = new Adam('Smith'); adam(); greet(new Adam({ name: 'Adam' }));"],
    ['an animal', 'new Lion(); new Lamb({ age: 2 });'],
    ['the kernel itself', 'function adamw(w, g, m, v, lr, beta1, beta2, eps, wd, t) { return w; }'],
    ['a call of that kernel', 'adamw(w, g, m, v, lr, beta1, beta2, eps, wd, t);'],
    ['tfjs with everything', 'tf.train.adam(config.lr, config.beta1, config.beta2, config.epsilon);'],
    ['a test that writes all of them out', 'new AdamW(0.001, 0.9, 0.999, 1e-8, 0.01);'],
    ['another default', 'Logger.default(lr); settings.default(adam);'],
    ['text', "const help = 'AdamW.default(lr) hides beta2';"],
    ['tfjs without momentum', 'tf.train.sgd(config.lr);'],
    ['an own SGD', 'class SGD { constructor(o: { lr: number }) {} }\nnew SGD({ lr });'],
    ['an optimizer by its name with a config', "createOptimizer('adamw', config);"],
    ['a method of an object', 'const adam = { default() {} }; adam.default();'],
  ])('%s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});
