import { describe, expect, it } from 'vitest';
import type { ClaimReport } from '../../src/report/report.ts';
import { audited, doublingContract, doublingKernel } from './audited.ts';

const shown = async (formal: string, kernels = [doublingKernel]): Promise<ClaimReport | undefined> =>
  (await audited('double-v1', doublingContract([[formal]]), kernels, 100)).claims[0];

describe('a claim of which only a part is understood', () => {
  it('runs as far as it is understood, and is still not green where it holds', async () => {
    const claim = await shown('D(x)_i = 2·x_i for all finite inputs that were measured');
    expect(claim).toMatchObject({ verdict: 'prose', level: 'L0', methods: [], asRead: { result: 'held', cases: 100 } });
    expect(claim?.reason).toMatch('as far as it is understood, it held on 100 inputs');
  });

  it('is not falsified where it breaks: the words may exclude the input, which is shown', async () => {
    const claim = await shown('D(x)_i > x_i for positive inputs');
    expect(claim).toMatchObject({ verdict: 'prose', counterexample: null, asRead: { result: 'broken' } });
    expect(claim?.asRead?.counterexample?.input).toMatchObject({ sizes: { n: 1 } });
    expect(claim?.reason).toMatch('its own equation breaks it');
  });

  it('shows nothing where the formula has no value', async () => {
    expect((await shown('D(x)_i / x_i ≥ 2 for typical inputs'))?.asRead).toMatchObject({ result: 'open' });
  });

  it('says nothing of a kernel: a wrong one changes nothing', async () => {
    const wrong = { ...doublingKernel, text: doublingKernel.text.replace('2 *', '3 *') };
    expect((await shown('D(x)_i = 2·x_i for any input', [wrong]))?.asRead).toMatchObject({ result: 'held' });
    expect((await shown('D(x)_i = 2·x_i for any input', []))?.asRead).toMatchObject({ result: 'held' });
  });

  it.each([
    ['adds a claim', 'D(x)_i = 2·x_i and also is fast'],
    ['turns it round', 'D(x)_i = x_i fails for large inputs'],
    ['is the only part', 'for all inputs it is fast'],
    ['says where it is otherwise', 'D(x)_i = 2·x_i for small inputs but not for large ones'],
    ['makes exceptions', 'D(x)_i = 2·x_i except for zero'],
  ])('does not run if the rest %s', async (_, formal) => {
    expect(await shown(formal)).not.toHaveProperty('asRead');
  });
});
