/** Holds src/trace/serve/reading.ts. */
import { describe, expect, it, test } from 'vitest';
import { createPlaces, networkOf } from '../../../src/trace/serve/places.ts';
import { createReading } from '../../../src/trace/serve/reading.ts';

describe('places', () => {
  it('are limited in all, and for each address', () => {
    const places = createPlaces(3, 2);
    const [first, second] = [places.enter('192.0.2.1'), places.enter('192.0.2.1')];
    expect(places.enter('192.0.2.1')).toBeNull();
    const other = places.enter('192.0.2.2');
    expect([places.enter('192.0.2.3'), places.taken()]).toEqual([null, 3]);
    first?.();
    // A place is left once.
    first?.();
    expect(places.taken()).toBe(2);
    expect(places.enter('192.0.2.1')).not.toBeNull();
    for (const leave of [second, other]) leave?.();
    expect(places.taken()).toBe(1);
  });

  it('are not limited for an unknown address', () => {
    const places = createPlaces(3, 1);
    expect([1, 2, 3, 4].map(() => places.enter(null) !== null)).toEqual([true, true, true, false]);
  });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::1', '0:0:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::', '0:0:0:0'],
])('%s is of the network %s', (address, network) => expect(networkOf(address)).toBe(network));

it('bounds the bytes of bodies that are arriving, and releases those of a finished body', () => {
  const reading = createReading(10);
  const [one, other] = [reading.enter('a'), reading.enter('b')];
  expect([one?.hold(6), other?.hold(5), other?.hold(4)]).toEqual([true, false, true]);
  one?.leave();
  one?.leave();
  expect([other?.hold(6), other?.hold(1)]).toEqual([true, false]);
});
