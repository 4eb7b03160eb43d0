import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  closest,
  codePointWidth,
  compareText,
  count,
  displayWidth,
  listOf,
  quoted,
  shortened,
  visible,
} from '../../src/base/text.ts';

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

  it('of a text is the sum of its characters', () => {
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const character = String.fromCodePoint(point);
      if (displayWidth(character) !== codePointWidth(character))
        expect.fail(`U+${point.toString(16)}: ${displayWidth(character)}, ${codePointWidth(character)}`);
    }
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

  it('is the first of those with the fewest edits, as the table of all distances has them', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_'), maxLength: 9 });
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 6 }), (given, candidates) => {
        const distances = candidates.map((candidate) => distance(given, candidate));
        const near = candidates.map((candidate, i) => {
          const edits = distances[i] ?? Infinity;
          return edits <= 2 && edits * 3 <= Math.max(given.length, candidate.length) ? edits : Infinity;
        });
        const fewest = Math.min(...near);
        const expected = fewest === Infinity ? null : (candidates[near.indexOf(fewest)] ?? null);
        expect(closest(given, candidates)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });
});

/** Levenshtein's distance by Wagner and Fischer's table. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

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

  it('are shortened where they are longer than a message may be', () => {
    expect(shortened('abcd', 4)).toBe('abcd');
    expect(shortened('abcde', 4)).toBe('abc…');
  });

  it('are quoted on one line and cut', () => {
    expect(quoted(' a\n  b ')).toBe("'a b'");
    expect(quoted('\u{1F600}'.repeat(10), 4)).toBe(`'${'\u{1F600}'.repeat(3)}…'`);
    expect(quoted('\u{1F600}'.repeat(4), 4)).toBe(`'${'\u{1F600}'.repeat(4)}'`);
    expect(quoted('a'.repeat(150_000_000), 4)).toBe("'aaa…'");
  });

  it('are compared by code units', () => {
    expect(['b', 'a', 'B', 'ä'].toSorted(compareText)).toEqual(['B', 'a', 'b', 'ä']);
  });
});
