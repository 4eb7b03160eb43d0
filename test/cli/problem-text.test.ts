import { expect, it } from 'vitest';
import { problemText } from '../../src/cli/problem-text.ts';

it('a problem shows as much of a stranger’s words as a person reads, and none that steer the terminal', () => {
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
