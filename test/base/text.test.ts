import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closest, compareText, count, displayWidth, listOf, quoted, visible } from '../../src/base/text.ts';

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['σ ∈ ℝ⁺', 6],
    ['漢字', 4],
    ['e\u0301', 1],
    ['\u{1F600}', 2],
    ['x\u0302_i', 3],
    ['', 0],
  ])('%j takes %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('visible', () => {
  it('leaves no control character but tab', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => !/[\u0000-\u0008\u000A-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/.test(visible(text)),
      ),
    );
  });

  it('leaves mathematics alone', () => {
    expect(visible('σ(x)_i ≤ 1 ⟹ ‖x‖₂ ∈ ℝ⁺\t漢')).toBe('σ(x)_i ≤ 1 ⟹ ‖x‖₂ ∈ ℝ⁺\t漢');
  });
});

describe('closest', () => {
  it.each([
    ['propery', ['property', 'formal'], 'property'],
    ['monotonicty', ['monotonicity', 'invariant'], 'monotonicity'],
    ['id', ['if', 'is'], null],
    ['note', ['notes'], 'notes'],
    ['weather', ['property'], null],
    ['', ['a'], null],
    ['x'.repeat(100_000), ['x'.repeat(99_999)], null],
  ])('of %.20s', (word, candidates, expected) => {
    expect(closest(word, candidates)).toBe(expected);
  });
});

describe('words', () => {
  it('agree in number', () => {
    expect([count(1, 'test'), count(0, 'test'), count(2, 'harness', 'harnesses')]).toEqual([
      '1 test',
      '0 tests',
      '2 harnesses',
    ]);
  });

  it('are listed', () => {
    expect([
      listOf([]),
      listOf(['a']),
      listOf(['a', 'b']),
      listOf(['a', 'b', 'c']),
      listOf(['a', 'b', 'c'], 2),
    ]).toEqual(['', 'a', 'a and b', 'a, b and c', 'a, b and 1 more']);
  });

  it('are quoted on one line and cut', () => {
    expect(quoted(' a\n  b ')).toBe("'a b'");
    expect(quoted('\u{1F600}'.repeat(10), 4)).toBe(`'${'\u{1F600}'.repeat(3)}…'`);
  });

  it('are compared by code units', () => {
    expect(['b', 'a', 'B', 'ä'].toSorted(compareText)).toEqual(['B', 'a', 'b', 'ä']);
  });
});
