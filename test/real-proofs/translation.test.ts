/** Generated Gallina and the interpreter say the same of random terms over the reals: the value, and whether there is one. */
import type { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Arithmetic } from '../../src/math/evaluate/arithmetic.ts';
import { decimalArithmetic } from '../../src/math/evaluate/exact.ts';
import { interpret } from '../../src/math/evaluate/interpret.ts';
import type { Term } from '../../src/math/term/term.ts';
import type { Workshop } from '../../src/real-proofs/check-proof.ts';
import { makeWriter, type Refusal } from '../../src/real-proofs/gallina/make-writer.ts';
import { bind, emptyScope, type Scope } from '../../src/real-proofs/gallina/scope.ts';
import { fit, level } from '../../src/real-proofs/gallina/text.ts';
import {
  drawInputs,
  environmentOf,
  numberTerm,
  parameters,
  sizes,
  topScope,
  type Functions,
  type Inputs,
} from '../math/random-term.ts';
import { closeWorkshop, compiled, hasRocq, workshopFor } from '../support/rocq.ts';

/** What linear arithmetic over rational numbers decides. */
const decidable: Functions = {
  unary: ['negate', 'absolute', 'sign'],
  binary: ['add', 'subtract', 'multiply', 'divide', 'minimum', 'maximum'],
  questions: false,
};

const digits = 60;
const wanted = 24;

/** Rational arithmetic that notes where a number has no value. */
function watched(): { readonly arithmetic: Arithmetic<Decimal>; readonly isClean: () => boolean } {
  const plain = decimalArithmetic(digits);
  let clean = true;
  const seen = (values: readonly Decimal[]): void => {
    if (!values.every((value) => value.isFinite())) clean = false;
  };
  return {
    isClean: () => clean,
    arithmetic: {
      ...plain,
      // What lies outside of a vector enters as NaN.
      fromNumber: (value) => {
        seen([plain.fromNumber(value)]);
        return plain.fromNumber(value);
      },
      numeric: (row, operands, integral) => {
        const value = plain.numeric(row, operands, integral);
        seen([...operands, value]);
        return value;
      },
      predicate: (row, operands) => {
        seen(operands);
        return plain.predicate(row, operands);
      },
      equal: (a, b) => {
        seen([a, b]);
        return plain.equal(a, b);
      },
    },
  };
}

/** Names of the inputs, whose definitions `given` writes. */
const scope: Scope = [...sizes, ...parameters.map(({ name }) => name)].reduce<Scope>(
  (outer, name) => bind(outer, name)[1],
  emptyScope,
);

const fraction = (value: number): string => `(${value * 512} / 512)`;

/** The inputs as definitions. */
function given({ sizes: extents, values }: Inputs): string {
  const [n = 0, m = 0] = extents;
  const table = (data: Iterable<number>, write: (value: number) => string, zero: string): string =>
    Array.from(data, (value, i) => `if Z.eqb i ${i} then ${write(value)} else `).join('') + zero;
  const lines = parameters.map(({ name, type }, k) => {
    const value = values[k] ?? 0;
    if (typeof value === 'number') {
      if (type.kind === 'boolean') return `Definition ${name} : bool := ${value === 1}.`;
      return type.kind === 'integer'
        ? `Definition ${name} : Z := (${value})%Z.`
        : `Definition ${name} : R := ${fraction(value)}.`;
    }
    if (value instanceof Int32Array)
      return `Definition ${name} (i : Z) : Z := (${table(value, (one) => `(${one})`, '0')})%Z.`;
    if (name !== 'A') return `Definition ${name} (i : Z) : R := ${table(value, fraction, '0')}.`;
    return `Definition A (r s : Z) : R := let i := (r * ${m} + s)%Z in ${table(value, fraction, '0')}.`;
  });
  return [`Definition n : Z := ${n}%Z.`, `Definition m : Z := ${m}%Z.`, ...lines].join('\n');
}

interface Case {
  readonly hasValue: boolean;
  readonly goal: string;
}

/** What the interpreter says of `term`, to be proved of its translation; null where it says nothing that can be compared. */
function caseOf(term: Term, inputs: Inputs): Case | null {
  const refusals: Refusal[] = [];
  const writer = makeWriter(refusals);
  const text = fit(writer.real(term, scope), level.sum);
  const condition = writer.defined(term, scope);
  const defined = condition === null ? 'True' : fit(condition, level.open);
  if (refusals.length > 0 || text.length + defined.length > 800) return null;
  const { arithmetic, isClean } = watched();
  const result = interpret(term, environmentOf(inputs), arithmetic);
  if (!result.ok || typeof result.value !== 'object' || 'data' in result.value) return null;
  const value = result.value;
  if (value.isFinite() && isClean()) {
    const near = `(${value.times(`1e${digits}`).toFixed(0)} / 1${'0'.repeat(digits)})`;
    const within = `(1 / 1${'0'.repeat(digits - 20)})`;
    return { hasValue: true, goal: `(${defined}) /\\ ${near} - ${within} <= ${text} <= ${near} + ${within}` };
  }
  return value.isFinite() ? null : { hasValue: false, goal: `~ (${defined})` };
}

function drawCases(): readonly { readonly term: Term; readonly inputs: Inputs; readonly found: Case }[] {
  const cases: { readonly term: Term; readonly inputs: Inputs; readonly found: Case }[] = [];
  const left = { with: wanted, without: wanted / 3 };
  fc.assert(
    fc.property(fc.gen(), (draw) => {
      const inputs = drawInputs(draw, false);
      const term = numberTerm(topScope(draw, decidable), 3);
      const found = term.kind === 'number' || term.kind === 'variable' ? null : caseOf(term, inputs);
      if (!found || left[found.hasValue ? 'with' : 'without']-- <= 0) return;
      cases.push({ term, inputs, found });
    }),
    // The tactics decide nearly every case, not every one: elsewhere than at this seed a refusal has to be looked at.
    { numRuns: 600, seed: fc.readConfigureGlobal().seed ?? 20_261_120 },
  );
  return cases;
}

const head = `From Coq Require Import Bool ZArith Reals Lra Lia.
From PV Require Import Pv.
Open Scope R_scope.
Ltac known t := lazymatch t with
  | context [Rlt_dec] => fail | context [Rle_dec] => fail | context [Req_EM_T] => fail | context [Rcase_abs] => fail | _ => idtac end.
Ltac branch d := destruct d; try (exfalso; lra).
Ltac decided := repeat match goal with
  | |- context [Rlt_dec ?a ?b] => known a; known b; branch (Rlt_dec a b)
  | |- context [Rle_dec ?a ?b] => known a; known b; branch (Rle_dec a b)
  | |- context [Req_EM_T ?a ?b] => known a; known b; branch (Req_EM_T a b)
  | |- context [Rcase_abs ?a] => known a; branch (Rcase_abs a)
  | _ : context [Rlt_dec ?a ?b] |- _ => known a; known b; branch (Rlt_dec a b)
  | _ : context [Rle_dec ?a ?b] |- _ => known a; known b; branch (Rle_dec a b)
  | _ : context [Req_EM_T ?a ?b] |- _ => known a; known b; branch (Req_EM_T a b)
  | _ : context [Rcase_abs ?a] |- _ => known a; branch (Rcase_abs a)
  end.
Ltac compute_goal := cbv -[Rplus Rminus Rmult Rdiv Ropp Rinv IZR Rlt_dec Rle_dec Req_EM_T Rcase_abs Rlt Rle Rgt Rge not
  Z.le Z.lt Z.gt Z.ge iff].
Ltac compute_in H := cbv -[Rplus Rminus Rmult Rdiv Ropp Rinv IZR Rlt_dec Rle_dec Req_EM_T Rcase_abs Rlt Rle Rgt Rge not
  Z.le Z.lt Z.gt Z.ge iff] in H.
(* lra reads no opposites below a fraction's bar. *)
Ltac inverse_of b := lazymatch b with
  | IZR _ => fail | context [/ (_ + _)] => fail | context [/ (_ - _)] => fail | context [/ (_ * _)] => fail | context [/ - _] => fail
  | _ => idtac end.
Ltac without_inverses := unfold Rdiv in *; repeat match goal with
  | |- context [/ ?b] => inverse_of b; let t := fresh "t" in let E := fresh in
      assert (E : b * / b = 1) by (apply Rinv_r; let F := fresh in intro F; lra); set (t := / b) in *; clearbody t
  end.
Ltac fact := solve [decided; first [lra | lia | congruence | let E := fresh in intro E; decided; lra | without_inverses; lra]].
Ltac decide_goal := first [ fact
  | match goal with
    | |- _ /\\ _ => split; decide_goal
    | |- _ <-> _ => split; decide_goal
    | |- ~ _ => let H := fresh in intro H; refute H
    | |- _ \\/ _ => first [left; decide_goal | right; decide_goal]
    | |- forall i : Z, (?a <= i < ?b)%Z -> _ => in_turn
    | |- exists i : Z, (?a <= i < ?b)%Z /\\ _ => some_from a b
    | |- ?P -> _ => let H := fresh in intro H; first [decide_goal | refute H]
    end ]
with in_turn := let i := fresh "i" in let H := fresh in intros i H; each i H
with each i H := lazymatch type of H with (?a <= _ < ?b)%Z =>
    first [ exfalso; lia
          | let N := fresh in let E := fresh in destruct (Z.eq_dec i a) as [E|N];
            [ clear H; subst i; compute_goal; decide_goal
            | let H2 := fresh in assert (H2 : (a + 1 <= i < b)%Z) by lia; clear H N; compute_in H2; each i H2 ] ] end
with some_from a b :=
    first [ exists a; compute_goal; decide_goal
          | let M := eval compute in (a + 1)%Z in let C := eval compute in (M <? b)%Z in
            lazymatch C with true => some_from M b end ]
with each_false i R A := lazymatch type of R with (?a <= _ < ?b)%Z =>
    first [ exfalso; lia
          | let N := fresh in let E := fresh in destruct (Z.eq_dec i a) as [E|N];
            [ clear R; subst i; compute_in A; refute A
            | let R2 := fresh in assert (R2 : (a + 1 <= i < b)%Z) by lia; clear R N; compute_in R2; each_false i R2 A ] ] end
with refute H := first [ solve [exfalso; decided; first [lra | lia | congruence]] | lazymatch type of H with
    | _ <-> _ => let A := fresh in let B := fresh in destruct H as [A B]; first [refute A | refute B]
    | _ /\\ _ => let A := fresh in let B := fresh in destruct H as [A B]; first [refute A | refute B]
    | _ \\/ _ => let A := fresh in destruct H as [A|A]; refute A
    | exists i : Z, (?a <= i < ?b)%Z /\\ _ =>
        let i := fresh "i" in let R := fresh in let A := fresh in destruct H as [i [R A]]; each_false i R A
    | forall i : Z, (?a <= i < ?b)%Z -> _ => from_first H a b
    | ~ ?P => let A := fresh in assert (A : P) by first [decided; lra | decide_goal]; exact (False_ind _ (H A))
    | ?P -> ?Q => let A := fresh in assert (A : P) by decide_goal; specialize (H A); refute H
    end ]
with from_first H a b :=
    let A := fresh in assert (A : (a <= a < b)%Z) by lia;
    let I := fresh in pose proof (H a A) as I; clear A; compute_in I;
    first [ refute I | clear I; let M := eval compute in (a + 1)%Z in
            let T := fresh in
            lazymatch type of H with forall i : Z, _ -> @?P i =>
              assert (T : forall i : Z, (M <= i < b)%Z -> P i) by (intros; apply H; lia) end;
            clear H; cbv beta in T; from_first T M b ].
`;

describe.runIf(hasRocq)('the translation to Gallina', () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await workshopFor();
  });
  afterAll(() => closeWorkshop(workshop));

  it('gives random terms the value that the interpreter gives them', async () => {
    const cases = drawCases();
    const modules = cases.map(
      ({ inputs, found }, k) =>
        `Module M${k}.\n${given(inputs)}\nGoal ${found.goal}.\nProof. compute_goal. decide_goal. Qed.\nEnd M${k}.\n`,
    );
    expect(cases.length).toBeGreaterThan(24);
    expect(await compiled(workshop, 'random', head + modules.join(''), 200_000)).toMatchObject({ code: 0, output: '' });
  });
});
