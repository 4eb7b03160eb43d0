/** Which level a replay is held to, and when a band says too little: both sides of every limit. */
import { describe, expect, it } from 'vitest';
import { chooseLevel, leastSketch, leastSteps, levels, weakBand, type Level } from '../../../src/trace/verify/level.ts';

const recording = (profile: string, sketch: number, vocabSize: number | null = 512) => ({ profile, sketch, vocabSize });

/** The level that is chosen, or the code of why none is. */
function chosen(asked: Level | null, of: ReturnType<typeof recording>): string {
  const level = chooseLevel(asked, of, 'mine');
  return level.ok ? level.value : level.error.code;
}

describe('the level', () => {
  it.each<[Level | null, ReturnType<typeof recording>, string]>([
    [null, recording('mine', 0), 'exact'],
    [null, recording('mine', 8), 'exact'],
    [null, recording('unspecified', 0), 'exact'],
    [null, recording('unspecified', 8), 'PV-8067'],
    [null, recording('theirs', 0), 'PV-8067'],
    [null, recording('theirs', 8), 'PV-8067'],
    ['exact', recording('theirs', 0), 'exact'],
    ['exact', recording('theirs', 8), 'exact'],
    ['float band', recording('theirs', 0), 'PV-8067'],
    ['float band', recording('mine', 0), 'PV-8067'],
    ['float band', recording('theirs', 3), 'PV-8093'],
    ['float band', recording('theirs', 4), 'float band'],
    ['float band', recording('mine', 1), 'float band'],
    ['engine band', recording('theirs', 0), 'PV-8067'],
    ['engine band', recording('theirs', 7), 'PV-8093'],
    ['engine band', recording('theirs', 8), 'engine band'],
    ['engine band', recording('mine', 1), 'engine band'],
    ['engine band', recording('theirs', 5, 5), 'engine band'],
    ['engine band', recording('theirs', 4, 5), 'PV-8093'],
    ['engine band', recording('theirs', 7, null), 'PV-8093'],
    ['engine band', recording('theirs', 8, null), 'engine band'],
  ])('asked for %s of %j is %s', (asked, of, level) => expect(chosen(asked, of)).toBe(level));

  it('says what is requested and what is present', () => {
    expect(chooseLevel('engine band', recording('theirs', 1), 'mine')).toMatchObject({
      error: {
        check: 'level',
        expected: '8 or more',
        actual: '1',
        message: expect.stringMatching(/keeps 1 logit, .* engine band/),
      },
    });
    expect(chooseLevel(null, recording('theirs', 0), 'mine')).toMatchObject({
      error: { expected: 'theirs', actual: 'mine', message: expect.stringMatching(/required \(exact\)\.$/) },
    });
    expect(chooseLevel(null, recording('theirs', 1), 'mine')).toMatchObject({
      error: { message: expect.stringMatching(/required \(exact or a band of it\)\.$/) },
    });
  });

  it('requires more of a sketch the more it allows', () => {
    expect(levels.map((level) => leastSketch[level])).toEqual([0, 4, 8]);
  });
});

describe('a band that compared too little', () => {
  it.each([
    [leastSteps, leastSteps, 0, null],
    [leastSteps, leastSteps, leastSteps, null],
    [leastSteps - 1, 100, 0, '8 or more'],
    [1, 1, 0, '8 or more'],
    [leastSteps, leastSteps, leastSteps + 1, 'at most 8'],
    [leastSteps, 20, 21, 'at most 20'],
    [leastSteps, 20, 20, null],
  ])('of %d steps compared, %d kept and %d hidden', (compared, kept, hidden, expected) => {
    const problem = weakBand('engine band', compared, kept, hidden);
    expect(problem?.expected ?? null).toBe(expected);
    if (problem) expect(problem).toMatchObject({ code: 'PV-8093', check: 'level' });
  });

  it('says how many there are', () => {
    expect(weakBand('float band', 1, 1, 0)).toMatchObject({ actual: '1', message: expect.stringContaining('1 step ') });
    expect(weakBand('float band', 8, 8, 9)).toMatchObject({
      actual: '9',
      message: expect.stringContaining('9 positions'),
    });
  });
});
