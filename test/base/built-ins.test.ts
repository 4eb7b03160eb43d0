import { afterEach, describe, expect, it } from 'vitest';
import { recordBuiltIns } from '../../src/base/built-ins.ts';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const one of undo.splice(0)) one();
});

function define(owner: object, key: PropertyKey, value: unknown): void {
  const before = Object.getOwnPropertyDescriptor(owner, key);
  Object.defineProperty(owner, key, { value, configurable: true, writable: true });
  undo.push(() => (before ? Object.defineProperty(owner, key, before) : Reflect.deleteProperty(owner, key)));
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
    const replaced = recordBuiltIns();
    define(owner, key, () => 0);
    expect(replaced()).toBe(name);
  });

  it('does not rely on what may be replaced', () => {
    const replaced = recordBuiltIns();
    define(Object, 'is', () => true);
    define(Reflect, 'ownKeys', () => []);
    define(Array.prototype, Symbol.iterator, () => ({ next: () => ({ done: true }) }));
    define(Function.prototype, 'call', () => '');
    expect(replaced()).toBe('Object.is, Function.prototype.call, Array.prototype[Symbol.iterator], Reflect.ownKeys');
  });

  it('watches other objects too, and leaves out what it is told', () => {
    const own = { send: () => 1 };
    const replaced = recordBuiltIns([{ name: 'own', value: own }], new Set(['Math']));
    define(Math, 'exp', () => 0);
    own.send = () => 2;
    expect(replaced()).toBe('own.send');
  });
});
