import { describe, expect, it } from 'vitest';
import { palette, wantsColor } from '../../src/cli/color.ts';

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

describe('palette', () => {
  it('writes escape codes only when asked to', () => {
    expect(palette(false).red('x')).toBe('x');
    expect(palette(true).red('x')).toBe('\u001B[31mx\u001B[39m');
  });
});
