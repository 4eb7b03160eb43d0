import { describe, expect, it } from 'vitest';
import type { Granularity, Onset, Violation } from '../../../src/data/diagnose/diagnosis.ts';
import {
  compareOnset,
  couldCause,
  depthOf,
  firstSymptomOf,
  isEarlier,
} from '../../../src/data/diagnose/onset-order.ts';

function violation(
  when: Onset['when'],
  step: number | null = null,
  granularity: Granularity = 'loop',
  seenBy: number | null = null,
): Violation {
  return {
    contract: 'c-v1',
    id: `${when} ${step ?? ''}`,
    source: { path: 'c.yaml', position: 'line', at: 1, column: null },
    property: 'p',
    formal: 'f',
    path: 'run.jsonl',
    numbers: [],
    places: [],
    ifFails: null,
    mends: [],
    brick: { granularity, scope: null, because: '', nature: when === 'before' ? 'static' : 'dynamic' },
    onset: { when, step, seenBy },
    failing: [],
    alsoIn: [],
    command: 'pv check',
  };
}

const [before, early, late, unknown] = [
  violation('before'),
  violation('step', 3),
  violation('step', 9),
  violation('unknown'),
];

it('what can be known before the run shows first, then steps in their order, then what has none', () => {
  expect([unknown, late, before, early].toSorted(compareOnset)).toEqual([before, early, late, unknown]);
  expect(isEarlier(early, late)).toBe(true);
  expect(isEarlier(late, early)).toBe(false);
  expect(isEarlier(early, early)).toBe(false);
});

it('of two that show at once the smaller brick comes first', () => {
  const [loop, kernel, block] = [early, violation('step', 3, 'kernel'), violation('step', 3, 'block')];
  expect([loop, block, kernel].toSorted(compareOnset)).toEqual([kernel, block, loop]);
  expect([kernel, block, violation('step', 3, 'transfer'), loop].map(depthOf)).toEqual([0, 1, 2, 3]);
});

it('the first symptom is one of the run itself, if there is any', () => {
  expect(firstSymptomOf([before, late, unknown, early])).toBe(early);
  expect(firstSymptomOf([before, unknown])).toBe(unknown);
  expect(firstSymptomOf([before])).toBe(before);
  expect(firstSymptomOf([])).toBeNull();
});

describe('what could cause what', () => {
  it.each([
    ['before the run, anything', before, early, true],
    ['of no known time, anything', unknown, early, true],
    ['anything, what has no known time', late, unknown, true],
    ['a step, nothing before the run', early, before, false],
    ['a step, a later one', early, late, true],
    ['a step, one at once', early, violation('step', 3), true],
    ['a step, not an earlier one', late, early, false],
    ['a step, an earlier one that was seen only later', late, violation('step', 3, 'loop', 9), true],
    ['a step, not one that was seen before it', late, violation('step', 3, 'loop', 8), false],
  ])('%s', (_, cause, effect, expected) => expect(couldCause(cause, effect)).toBe(expected));
});
