import { expect, it } from 'vitest';
import { problemText } from '../../src/cli/problem-text.ts';

it('a problem quotes only as much foreign text as one reads, without control characters', () => {
  const words = `\u009b2J${'x'.repeat(1_000_000)}`;
  const text = problemText(
    { code: 'PV-8059', check: 'origin', message: `It names ${words}.`, expected: 'a'.repeat(400), actual: words },
    null,
    null,
  );
  expect(text.length).toBeLessThan(3000);
  expect(text).not.toContain('\u009b');
  expect(text).toContain(`expected  ${'a'.repeat(400)}\n`);
  expect(text).toMatch(/ {4}actual {4}\ufffd2Jx+…\n/);
});
