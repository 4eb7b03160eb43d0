/** Names that could pass for others, or control a terminal, are refused where they enter. */
import { expect, it } from 'vitest';
import { custom } from '../../../src/training/invariants/custom.ts';
import { gradientOf, trainerWith } from '../invariants/fixture.ts';

const names = ['a\n.weight', 'a\u202egnp', 'a\u0000', 'a\u200b', 'a\u2028b', 'a\u001b[31m'];

it.each(names)('a parameter is not named %j', (name) => {
  expect(() => trainerWith([], { parameters: { [name]: Float32Array.of(1) } })).toThrow(
    /^PV-8401: The name of parameter/,
  );
});

it.each(names)('a layer is not named %j', (name) => {
  expect(() => trainerWith([], { layers: { [name]: ['a.weight'] } })).toThrow(/^PV-8401: The name of layer/);
});

it.each(names)('an invariant is not named %j, and no message contains the characters', (name) => {
  const make = () => custom({ name, complexity: 1, phase: 'before', check: () => [] });
  expect(make).toThrow(/^PV-8403: name is/);
  expect(make).not.toThrow(/[\p{Cc}\p{Cf}]/u);
});

it('names in other scripts are fine', async () => {
  const trainer = trainerWith([], { parameters: { 'слой.вес': Float32Array.of(1), '层.権重': Float32Array.of(1) } });
  const gradients = { 'слой.вес': Float32Array.of(1), '层.権重': Float32Array.of(1) };
  expect((await trainer.step({ loss: 1, gradients })).verdict).toBe('committed');
  await expect(
    trainer.step({ loss: 1, gradients: { ...gradients, ...gradientOf(1), 'x\u202e': Float32Array.of(1) } }),
  ).rejects.toThrow(/^PV-8402: [^\u202e]*$/);
});
