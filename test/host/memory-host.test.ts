import { expect, it } from 'vitest';
import { createMemoryHost } from '../../src/host/memory-host.ts';

it('has a clock that moves when told to', () => {
  const host = createMemoryHost();
  const [start, seconds] = [host.monotonicMs(), host.posixSeconds()];
  host.advance(1500);
  expect([host.monotonicMs() - start, host.posixSeconds() - seconds]).toEqual([1500, 1]);
});

it('has a root before it has files', async () => {
  const host = createMemoryHost();
  expect(await host.kindOf('/')).toBe('directory');
  expect(await host.list('/')).toEqual({ ok: true, value: [] });
  expect(await host.kindOf('/nothing')).toBe('missing');
});
