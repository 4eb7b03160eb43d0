import { afterEach, describe, expect, it } from 'vitest';
import { inOwnRealm } from '../../src/runtime/replaced-built-ins.ts';

const { exp } = Math;
const own = Object.getOwnPropertyNames(Array.prototype);
afterEach(() => {
  Math.exp = exp;
  for (const name of Object.getOwnPropertyNames(Array.prototype))
    if (!own.includes(name)) Reflect.deleteProperty(Array.prototype, name);
});

describe('a test in the realm of its kernel', () => {
  it('fails when a kernel has replaced a function, whatever the test found', async () => {
    const run = (): Promise<void> => {
      Math.exp = () => 1;
      return Promise.resolve();
    };
    await expect(inOwnRealm('SM-EQV-001', run)).rejects.toThrow(/SM-EQV-001 was not tested: .* replaced Math\.exp/u);
  });

  it('names what was replaced beside what it found', async () => {
    const run = (): Promise<void> => {
      Object.assign(Array.prototype, { verdict: 'tested' });
      return Promise.reject(new Error('left = 1, right = 2'));
    };
    await expect(inOwnRealm('A', run)).rejects.toThrow(/Array\.prototype\.verdict[\s\S]*left = 1, right = 2/u);
  });

  it('says what the test says where nothing was replaced', async () => {
    await expect(inOwnRealm('A', () => Promise.resolve())).resolves.toBeUndefined();
    await expect(inOwnRealm('A', () => Promise.reject(new Error('as it is')))).rejects.toThrow(/^as it is$/u);
  });
});
