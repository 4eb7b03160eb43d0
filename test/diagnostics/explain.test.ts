/** Holds src/diagnostics/codes.ts. */
import { describe, expect, it } from 'vitest';
import { explainCode, pageName, parseCode } from '../../src/diagnostics/explain.ts';

describe('parseCode', () => {
  it.each(['PV-2004', 'pv-2004', 'PV2004', '2004', ' 2004 '])('understands %j', (text) => {
    expect(parseCode(text)).toBe('PV-2004');
  });

  it.each(['', '204', 'PV-9999', 'PV-20040', 'toString', '__proto__'])('knows no %j', (text) => {
    expect(parseCode(text)).toBeNull();
  });
});

describe('explainCode', () => {
  it('gives the page', () => {
    expect(explainCode('2004', (name) => (name === pageName('PV-2004') ? 'the page' : null))).toEqual({
      ok: true,
      value: 'the page',
    });
  });

  it('gives the title when the page is not there', () => {
    expect(explainCode('PV-2004', () => null)).toEqual({
      ok: true,
      value: '# PV-2004: A value is not one of those allowed\n',
    });
  });

  it('suggests a near code', () => {
    expect(explainCode('PV-204', () => null)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/Did you mean PV-2\d\d\d\?$/),
    });
    expect(explainCode('softmax', () => null)).toEqual({
      ok: false,
      error: 'There is no code softmax. Codes look like PV-2004.',
    });
  });

  it.each(['CFG-003', 'SM-INV-001', 'FALSIFY-STABLE-046'])('knows the id of a claim from a code: %s', (id) => {
    expect(explainCode(id, () => null)).toEqual({
      ok: false,
      error: `There is no code ${id}. Such ids belong to claims: the contract that the report names says what they ask.`,
    });
  });
});
