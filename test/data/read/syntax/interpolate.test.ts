/** References of a config to its own keys. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { interpolated } from '../../../../src/data/read/syntax/interpolate.ts';
import { keyedScalars } from '../../../../src/data/read/syntax/tree.ts';
import { parseJson } from '../../../../src/data/read/syntax/json.ts';

function valuesOf(config: object): Readonly<Record<string, unknown>> {
  const { value } = parseJson({ path: 'a.json', text: JSON.stringify(config) });
  if (!value) throw new Error('not read');
  return Object.fromEntries(
    interpolated(keyedScalars(value)).map((one) => [one.key, one.unread === undefined ? one.value : undefined]),
  );
}

describe('a reference has the value of its key', () => {
  test.each<readonly [string, object, unknown]>([
    ['a number', { x: '${a.b}', a: { b: 3 } }, 3],
    ['a text with references', { x: '${o}/logs/${n}', o: 'out', n: 4 }, 'out/logs/4'],
    ['an item of a list', { x: '${a[1]}', a: [1, 2] }, 2],
    ['a chain', { x: '${y}', y: '${z}', z: true }, true],
    ['a key that is not there', { x: '${WARMUP}' }, undefined],
    ['a section', { x: '${a}', a: { b: 1 } }, undefined],
    ['itself', { x: '${x}' }, undefined],
    ['a cycle', { x: '${y}', y: '${x}' }, undefined],
    ['a resolver', { x: '${oc.env:LR}', oc: { env: 1 } }, undefined],
    ['a text of which one part is unknown', { x: '${a}-${b}', a: 1 }, undefined],
    ['a template of another kind', { x: '{{ a }}', a: 1 }, undefined],
  ])('%s', (_, config, expected) => expect(valuesOf(config)['x']).toEqual(expected));

  test('texts that double themselves stay bounded', () => {
    const entries = Array.from({ length: 40 }, (_, i) => [
      `k${i}`,
      i === 0 ? 'x'.repeat(9) : `\${k${i - 1}}\${k${i - 1}}`,
    ]);
    const values = valuesOf(Object.fromEntries(entries) as object);
    expect(Math.max(...Object.values(values).map((one) => String(one).length))).toBeLessThanOrEqual(4096);
  });

  test('a text that many others repeat is made once', () => {
    const levels = Array.from({ length: 14 }, (_, i) => [`l${i}`, i === 13 ? 'x' : `\${l${i + 1}}`.repeat(12)]);
    const users = Array.from({ length: 20_000 }, (_, i) => [`u${i}`, '${l9}-${l0}']);
    const values = valuesOf(Object.fromEntries([...levels, ...users]) as object);
    expect([values['l12'], values['u7']]).toEqual(['x'.repeat(12), undefined]);
  });

  test('what refers to nothing is unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.oneof(fc.integer(), fc.string())), (config) => {
        const { value } = parseJson({ path: 'a.json', text: JSON.stringify(config) });
        if (!value) throw new Error('not read');
        const scalars = keyedScalars(value).filter(({ unread }) => unread === undefined);
        expect(interpolated(scalars)).toEqual(scalars);
      }),
    );
  });
});
