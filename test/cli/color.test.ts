/** Holds src/cli/wants-color.ts. */
import { describe, expect, it } from 'vitest';
import { diagnosticPalette } from '../../src/cli/color.ts';
import { wantsColor } from '../../src/cli/wants-color.ts';

describe('wantsColor', () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: 'false' }, true, false],
    [{ TERM: 'dumb' }, true, false],
  ])('%j on a terminal: %s gives %s', (env, isTerminal, expected) => {
    expect(wantsColor(env, isTerminal)).toBe(expected);
  });
});

describe('diagnosticPalette', () => {
  it('is empty without colour, and writes escape codes with it', () => {
    expect(diagnosticPalette(false)).toBeNull();
    expect(diagnosticPalette(true)?.error('x')).toBe('\u001B[31m\u001B[1mx\u001B[22m\u001B[39m');
  });
});
