import { describe, expect, it } from 'vitest';
import { applyEdits, compatible } from '../../src/scan/edits.ts';

const edit = (start: number, end: number, text: string) => ({ range: { start, end }, text });

describe('edits', () => {
  it('apply in the order of the text, whatever their own', () => {
    expect(applyEdits('abcdef', [edit(4, 5, 'X'), edit(0, 1, ''), edit(2, 2, '--')])).toBe('b--cdXf');
  });

  it('of fixes that touch: the first stays', () => {
    const [first, second, third] = [[edit(0, 3, 'x')], [edit(2, 4, 'y')], [edit(3, 4, 'z')]];
    expect(compatible([first, second, third])).toEqual([first, third]);
    expect(compatible([[edit(1, 1, 'a')], [edit(1, 1, 'b')]])).toHaveLength(1);
  });

  it('of one fix stay together', () => {
    expect(compatible([[edit(0, 1, 'a')], [edit(5, 6, 'b'), edit(0, 2, 'c')], [edit(5, 6, 'd')]])).toEqual([
      [edit(0, 1, 'a')],
      [edit(5, 6, 'd')],
    ]);
  });
});
