import { expect, test } from 'vitest';
import { createLimiter } from '../../src/host/limited-time.ts';

const limitMs = 100;

test('work that ends is done, and the limiter can be used again', () => {
  const limiter = createLimiter();
  const done: number[] = [];
  expect([limiter(() => done.push(1), 60_000), limiter(() => done.push(2), 60_000), done]).toEqual([
    true,
    true,
    [1, 2],
  ]);
});

test.each([
  [
    'a loop',
    () => {
      for (;;);
    },
  ],
  ['one match of a regular expression', () => /(?:a+)+b/.test('a'.repeat(64))],
] as const)('%s that does not end is stopped', (_, work) => {
  expect(createLimiter()(work, limitMs)).toBe(false);
});

test('what the work throws is thrown', () => {
  const work = (): never => {
    throw new RangeError('too deep');
  };
  expect(() => createLimiter()(work, 60_000)).toThrow(new RangeError('too deep'));
});
