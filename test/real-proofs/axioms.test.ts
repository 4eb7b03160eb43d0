import { describe, expect, it } from 'vitest';
import { readAssumptions, strangeAxioms } from '../../src/real-proofs/axioms.ts';

const printed = `Axioms:
ClassicalDedekindReals.sig_forall_dec
  : forall P : nat -> Prop,
    (forall n : nat, {P n} + {~ P n}) -> {n : nat | ~ P n} + {forall n : nat, P n}
FunctionalExtensionality.functional_extensionality_dep : forall (A : Type) (B : A -> Type), True
`;

describe('what a proof rests on', () => {
  it('is read from what Rocq prints', () => {
    expect(readAssumptions(printed)).toEqual({
      ok: true,
      value: ['ClassicalDedekindReals.sig_forall_dec', 'FunctionalExtensionality.functional_extensionality_dep'],
    });
    expect(readAssumptions('Closed under the global context\n')).toEqual({ ok: true, value: [] });
  });

  it('is unknown when Rocq says nothing, or something else', () => {
    expect(readAssumptions('').ok).toBe(false);
    expect(readAssumptions('Axioms:\nloop is assumed to be guarded.\n')).toEqual({
      ok: false,
      error: 'loop is assumed to be guarded.',
    });
  });

  it('may be the standard reals and nothing else', () => {
    expect(strangeAxioms(['ClassicalDedekindReals.sig_not_dec', 'Classical_Prop.classic'])).toEqual([]);
    expect(strangeAxioms(['Script.cheat', 'constructor'])).toEqual(['Script.cheat', 'constructor']);
  });
});
