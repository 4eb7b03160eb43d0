import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createQueue } from '../../../src/training/robustness/queue.ts';

it('returns what was pushed by its key, and of equal keys in the order of pushing', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(-Infinity, -1, 0, 0.5, 3), { maxLength: 60 }), (keys) => {
      const queue = createQueue<number>();
      for (const [k, key] of keys.entries()) queue.push(key, k);
      expect(queue.size()).toBe(keys.length);
      expect(queue.values().toSorted((a, b) => a - b)).toEqual([...keys.keys()]);
      const popped = keys.map(() => queue.pop());
      expect(popped).toEqual([...keys.keys()].toSorted((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b));
      expect(queue.pop()).toBeUndefined();
    }),
  );
});

it('can be pushed to between pops', () => {
  const queue = createQueue<string>();
  queue.push(2, 'two');
  queue.push(1, 'one');
  expect(queue.pop()).toBe('one');
  queue.push(0, 'zero');
  queue.push(3, 'three');
  expect([queue.pop(), queue.pop(), queue.pop()]).toEqual(['zero', 'two', 'three']);
});
