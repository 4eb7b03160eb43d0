import { describe, expect, it } from 'vitest';
import { recordBuiltIns } from '../../src/base/built-ins.ts';

const { getOwnPropertyDescriptor, defineProperty, deleteProperty } = Reflect;

interface Replacement {
  readonly owner: object;
  readonly key: PropertyKey;
}

/** What is named while these are replaced; they are back before anything else runs, since the test itself needs them. */
function named(record: () => string, replacements: readonly Replacement[]): string {
  const before = replacements.map(({ owner, key }) => getOwnPropertyDescriptor(owner, key));
  const value = (): boolean => true;
  for (let i = 0; i < replacements.length; i++) {
    const one = replacements[i];
    if (one) defineProperty(one.owner, one.key, { value, configurable: true, writable: true });
  }
  const names = record();
  for (let i = 0; i < replacements.length; i++) {
    const one = replacements[i];
    const found = before[i];
    if (!one) continue;
    if (found) defineProperty(one.owner, one.key, found);
    else deleteProperty(one.owner, one.key);
  }
  return names;
}

const lengths: object = Object.getPrototypeOf(Float32Array.prototype);

describe('the record of built-ins', () => {
  it('names nothing when nothing has changed', () => {
    expect(recordBuiltIns()()).toBe('');
  });

  it.each<[string, object, PropertyKey]>([
    ['Math.exp', Math, 'exp'],
    ['Array.prototype.every', Array.prototype, 'every'],
    ['TypedArray.prototype.length', lengths, 'length'],
    ['TypedArray.prototype[Symbol.iterator]', lengths, Symbol.iterator],
    ['ArrayIterator.prototype.next', Object.getPrototypeOf([][Symbol.iterator]()), 'next'],
    ['JSON.stringify', JSON, 'stringify'],
    ['Object.prototype.polluted', Object.prototype, 'polluted'],
    ['Float32Array', globalThis, 'Float32Array'],
  ])('names %s', (name, owner, key) => {
    expect(named(recordBuiltIns(), [{ owner, key }])).toBe(name);
  });

  it('does not rely on what may be replaced', () => {
    const replacements = [
      { owner: Object, key: 'is' },
      { owner: Reflect, key: 'ownKeys' },
      { owner: Array.prototype, key: Symbol.iterator },
      { owner: Function.prototype, key: 'call' },
    ];
    expect(named(recordBuiltIns(), replacements)).toBe(
      'Object.is, Function.prototype.call, Array.prototype[Symbol.iterator], Reflect.ownKeys',
    );
  });

  it('watches other objects too, and leaves out what it is told', () => {
    const own = { send: () => 1 };
    const replaced = recordBuiltIns([{ name: 'own', value: own }], new Set(['Math']));
    own.send = () => 2;
    expect(named(replaced, [{ owner: Math, key: 'exp' }])).toBe('own.send');
  });
});
