/**
 * Generic wrong kernels whose result is a string or a sequence of integers: typical mistakes of tokenizers.
 */
import { invariant } from '../../base/invariant.ts';
import type { KernelOutcome } from '../../backends/backend.ts';
import type { KernelParameter, KernelValue } from '../../subject/kernel.ts';
import { nothing, saboteur, spoiling, type Saboteur } from './saboteur.ts';

type Input = KernelParameter & { readonly index: number };

/** Wrong sequences. */
export function sequenceSaboteurs(inputs: readonly Input[]): readonly Saboteur[] {
  const returned = inputs
    .filter(({ rank, integer }) => rank === 1 && integer)
    .map(({ name, index }) =>
      constant(`returns ${name}`, `the result is ${name}`, (values) => {
        const value = values[index];
        return typeof value === 'object' ? Float64Array.from(value) : new Float64Array(0);
      }),
    );
  return [
    constant('empty', 'the result is always empty', () => new Float64Array(0)),
    constant('constant', 'the result is always [0]', () => Float64Array.of(0)),
    ...returned,
    changed('first dropped', 'the first element is missing', (ids) => ids.slice(1)),
    changed('last dropped', 'the last element is missing', (ids) => ids.slice(0, -1)),
    changed('last repeated', 'the last element comes twice', (ids) => [...ids, ...ids.slice(-1)]),
    changed('shifted', 'the last element comes first', (ids) => [...ids.slice(-1), ...ids.slice(0, -1)]),
    changed('reversed', 'the elements are in reverse order', (ids) => ids.toReversed()),
    changed('off by one', 'every element is too large by 1', (ids) => ids.map((id) => id + 1)),
    changed('all first', 'every element is the first', (ids) => ids.map(() => ids[0] ?? 0)),
    changed('duplicates dropped', 'an element that repeats the one before is missing', (ids) =>
      ids.filter((id, i) => i === 0 || id !== ids[i - 1]),
    ),
    changed('cut at 8', 'elements after the eighth are missing', (ids) => ids.slice(0, 8)),
  ];
}

/** Wrong strings. */
export function textSaboteurs(inputs: readonly Input[]): readonly Saboteur[] {
  const returned = inputs
    .filter(({ text }) => text)
    .map(({ name, index }) =>
      constantText(`returns ${name}`, `the result is ${name}`, (values) => String(values[index] ?? '')),
    );
  return [
    constantText('empty', 'the result is always the empty string', () => ''),
    constantText('constant', 'the result is always "a"', () => 'a'),
    ...returned,
    changedText('first dropped', 'the first character is missing', (characters) => characters.slice(1)),
    changedText('last dropped', 'the last character is missing', (characters) => characters.slice(0, -1)),
    changedText('reversed', 'the characters are in reverse order', (characters) => characters.toReversed()),
    changedText('spaces dropped', 'every white space is missing', (characters) =>
      characters.filter((character) => !/\s/u.test(character)),
    ),
    changedText('trimmed', 'white space at both ends is missing', (characters) => [...characters.join('').trim()]),
    changedText('ASCII only', 'every character outside ASCII is "?"', (characters) =>
      characters.map((character) => (character > '\u007f' ? '?' : character)),
    ),
    changedText('lower case', 'capitals are missing', (characters) => [...characters.join('').toLowerCase()]),
    changedText('composed', 'the string is in normalization form C', (characters) => [
      ...characters.join('').normalize('NFC'),
    ]),
    changedText('starts with a space', 'a space comes first', (characters) => [' ', ...characters]),
  ];
}

function constant(id: string, description: string, output: (values: readonly KernelValue[]) => Float64Array): Saboteur {
  return instead(id, description, (values) => ({ ok: true, output: output(values) }));
}

function constantText(id: string, description: string, text: (values: readonly KernelValue[]) => string): Saboteur {
  return instead(id, description, (values) => ({ ok: true, output: new Float64Array(0), text: text(values) }));
}

function instead(
  id: string,
  description: string,
  compute: (values: readonly KernelValue[]) => KernelOutcome,
): Saboteur {
  return saboteur(id, description, (kernel) => ({
    ...kernel,
    runSync: (call) => compute(call.arguments),
    run: (calls) => Promise.resolve(calls.map((call) => compute(call.arguments))),
    close: nothing,
  }));
}

function changed(id: string, description: string, change: (ids: readonly number[]) => readonly number[]): Saboteur {
  return spoiling(id, description, (outcome) => {
    invariant(outcome, 'a kernel answers every call');
    return outcome.ok ? { ok: true, output: Float64Array.from(change([...outcome.output])) } : outcome;
  });
}

function changedText(
  id: string,
  description: string,
  change: (characters: readonly string[]) => readonly string[],
): Saboteur {
  return spoiling(id, description, (outcome) => {
    invariant(outcome, 'a kernel answers every call');
    return outcome.ok ? { ...outcome, text: change([...(outcome.text ?? '')]).join('') } : outcome;
  });
}
