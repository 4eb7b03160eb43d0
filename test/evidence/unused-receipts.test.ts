import { describe, expect, it } from 'vitest';
import { diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { inOne, outdated } from '../../src/evidence/unused-receipts.ts';
import { untrusted } from '../../src/evidence/trust.ts';

const broken = diagnostic('PV-6001', null, 'the receipt is not whole', { subject: 'c' });

describe('records that are not used', () => {
  it('are reported one by one where there is one of a kind', () => {
    const each = [outdated(1, 'a'), broken, untrusted('PV-6060', 1, 'b'), untrusted('PV-6061', 1, 'd')];
    expect(inOne(each, 'folder')).toEqual(each);
  });

  it('are reported together where there are more of a kind, and nothing else is', () => {
    const all = [outdated(1, 'a'), broken, outdated(1, 'b'), untrusted('PV-6061', 1, 'd'), broken];
    expect(inOne(all, 'folder')).toEqual([broken, untrusted('PV-6061', 1, 'd'), broken, outdated(2, 'folder')]);
    const theirs = [1, 2, 3].flatMap(() => [untrusted('PV-6060', 1, 'a'), untrusted('PV-6061', 1, 'b')]);
    expect(inOne(theirs, 'folder')).toEqual([untrusted('PV-6060', 3, 'folder'), untrusted('PV-6061', 3, 'folder')]);
  });

  it('of another version say how to make them anew', () => {
    expect(outdated(2, 'folder')).toMatchObject({
      message: '2 receipts of another version of pv are not used',
      subject: 'folder',
      hint: 'their checks run again; pv audit --fresh writes all of them anew',
    });
  });
});
