import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import { readContracts } from '../../src/contract/validate.ts';
import type { Workshop } from '../../src/real-proofs/check-proof.ts';
import { exactGoal } from '../../src/real-proofs/exact-goal.ts';
import { statementOf } from '../../src/real-proofs/statement.ts';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../support/built.ts';
import { checked, closeWorkshop, compiled, hasRocq, prelude, workshopFor } from '../support/rocq.ts';

const witness = 'Theorem witness : some_input.\nProof. exists 1%Z, (fun _ => 0). split_all; try lia; lra. Qed.\n';
const proof = (body: string): string => `${witness}Theorem proof : claim.\nProof. ${body} Qed.\n`;
const doubled = { formal: 'f(x)_i = x_i + x_i' };
const byUnfolding = proof('intros n x Hn Hx i Hi. unfold f. lra.');

describe('the prelude', () => {
  it('assumes nothing', () => {
    const code = prelude.replace(/\(\*[^]*?\*\)/g, '');
    expect(code).not.toMatch(/Admitted|admit\b|Axiom|Parameter|Hypothesis|Conjecture|Unset/);
  });
});

// Without Rocq these do not run, and the last test says so; where CI is set, they run or fail.
describe.runIf(hasRocq)('Rocq', () => {
  let workshop: Workshop;
  let count = 0;
  const check = (claimed: typeof doubled, script: string) =>
    checked(workshop, `claim-${(count += 1)}`, claimed, script);
  beforeAll(async () => {
    workshop = await workshopFor();
  });
  afterAll(() => closeWorkshop(workshop));

  it('accepts a proof', async () => {
    expect(await check(doubled, byUnfolding)).toMatchObject({ kind: 'proved' });
  });

  it('refuses the same script for a claim that is false', async () => {
    expect(await check({ formal: 'f(x)_i = x_i + x_i + 1e-30' }, byUnfolding)).toMatchObject({
      kind: 'refused',
      why: 'script',
    });
  });

  it('refuses a proof of something weaker, whatever it is called', async () => {
    const weaker = `${witness}Theorem proof : claim \\/ True.\nProof. right. exact I. Qed.\n`;
    expect(await check(doubled, weaker)).toMatchObject({ kind: 'refused', why: 'claim' });
    const renamed = `${witness}Definition claim := True.\nTheorem proof : claim.\nProof. exact I. Qed.\n`;
    expect(await check(doubled, renamed)).toMatchObject({ kind: 'refused', why: 'claim' });
    const hollow = `Definition some_input := True.\nTheorem witness : some_input.\nProof. exact I. Qed.\n${byUnfolding.slice(witness.length)}`;
    expect(await check(doubled, hollow)).toMatchObject({ kind: 'refused', why: 'claim' });
  });

  it('refuses a proof that stops half-way, and says where', async () => {
    const refused = await check(doubled, proof('intros.\n  idtac.\n'));
    expect(refused).toMatchObject({ kind: 'refused', why: 'script' });
    expect(refused.kind === 'refused' && refused.line).toBeGreaterThan(2);
  });

  it('refuses a claim about no input, whose proof would be easy', async () => {
    const nothing = { formal: 'f(x)_i = 0', requires: ['x_i ≥ 20'] };
    const easy = proof('intros n x Hn Hx i Hi. specialize (Hx i Hi). lra.');
    expect(await check(nothing, easy)).toMatchObject({ kind: 'refused', why: 'script' });
  });

  it('demands that every part of the claim has a value', async () => {
    // Rocq's own x / 0 is some number, so the equation alone could be proved.
    const undefined_ = { formal: 'f(x)_i - 1 / (x_i - x_i) = x_i + x_i - 1 / (x_i - x_i)' };
    const alone = proof('split; [|intros n x Hn Hx i Hi; unfold f; lra]. intros. lra.');
    expect(await check(undefined_, alone)).toMatchObject({ kind: 'refused', why: 'script' });
  });

  it('refuses an axiom that the standard reals do not need', async () => {
    const assuming = await workshopFor(`${prelude}\nAxiom cheat : forall P : Prop, P.\n`);
    const script = `Theorem witness : some_input.\nProof. apply cheat. Qed.\nTheorem proof : claim.\nProof. apply cheat. Qed.\n`;
    const refused = await checked(assuming, 'claim', { formal: 'f(x)_i = 7' }, script);
    await closeWorkshop(assuming);
    expect(refused).toMatchObject({ kind: 'refused', why: 'axiom' });
    expect(refused.kind === 'refused' && refused.reason).toContain('cheat');
  });

  it('is stopped when a proof takes too long', async () => {
    const hurried: Workshop = { ...workshop, timeoutMs: 3_000 };
    const endless = proof('do 1000000000 (pose proof I as H; clear H).');
    expect(await checked(hurried, 'endless', doubled, endless)).toMatchObject({ kind: 'refused', why: 'limit' });
  });

  it('gives the definitions of the prelude the meaning of the notation', async () => {
    const examples = [
      ['zsum_over 1 4 (fun i => i) = 6%Z', 'reflexivity.'],
      ['zsum_over 4 1 (fun i => i) = 0%Z', 'reflexivity.'],
      ['sum_over 1 4 (fun i => IZR i) = 6', 'values; lra.'],
      ['sum_over 4 1 (fun i => IZR i) = 0', 'values; lra.'],
      ['prod_over 2 5 (fun i => IZR i) = 24', 'values; lra.'],
      ['prod_over 5 2 (fun i => IZR i) = 1', 'values; lra.'],
      ['max_over (-1) 3 (fun i => IZR (i * (2 - i))) = 1', 'values; largest.'],
      ['min_over (-1) 3 (fun i => IZR (i * (2 - i))) = -3', 'values; largest.'],
      ['zmax_over 0 3 (fun i => 2 - i)%Z = 2%Z', 'reflexivity.'],
      ['zmin_over 0 3 (fun i => 2 - i)%Z = 0%Z', 'reflexivity.'],
      ['all_over 0 3 (fun i => Z.ltb i 3) = true', 'reflexivity.'],
      ['all_over 0 4 (fun i => Z.ltb i 3) = false', 'reflexivity.'],
      ['any_over 0 3 (fun i => Z.eqb i 2) = true', 'reflexivity.'],
      ['any_over 0 0 (fun _ => true) = false', 'reflexivity.'],
      // Of several extrema the first.
      ['argmax_over 2 6 (fun i => if Z.ltb i 4 then 0 else 1) = 4%Z', 'values; compared; reflexivity.'],
      ['argmin_over 2 6 (fun i => if Z.ltb i 4 then 1 else 0) = 4%Z', 'values; compared; reflexivity.'],
      ['max_where 0 4 Z.even (fun i => IZR i) = 2', 'values; largest.'],
      ['min_where 1 4 Z.even (fun i => IZR i) = 2', 'values; reflexivity.'],
      ['recurrence_over 3 (fun s i => if Z.eqb i 0 then 1 else 2 * s (i - 1)%Z) 2%Z = 4', 'values; lra.'],
      // Ties go to the even integer.
      ['Zround (5 / 2) = 2%Z', 'rounds 2%Z.'],
      ['Zround (7 / 2) = 4%Z', 'rounds 3%Z.'],
      ['Zround (- 1 / 2) = 0%Z', 'rounds (-1)%Z.'],
      ['Zfloor (- 1 / 2) = (-1)%Z', 'apply Zfloor_unique; lra.'],
      ['(-7 mod 3 = 2 /\\ -7 / 3 = -3)%Z', 'split; reflexivity.'],
    ].map(([text, tactic]) => `Goal ${text}. ${tactic} Qed.\n`);
    const head = `From Coq Require Import Bool ZArith Reals Lra Lia.
From PV Require Import Pv.
Open Scope R_scope.
Ltac values := unfold argmin_over, sum_over, prod_over, max_over, min_over, argmax_over, max_where, min_where,
  recurrence_over, count_of, nth_from; simpl.
Ltac largest := unfold Rmax, Rmin; repeat destruct Rle_dec; lra.
Ltac compared := unfold Rltb; repeat (destruct Rlt_dec; simpl in *; try lra).
Ltac rounds k := unfold Zround; cbv zeta; replace (Zfloor _) with k by (symmetry; apply Zfloor_unique; lra);
  compared; reflexivity.
`;
    expect(await compiled(workshop, 'examples', head + examples.join(''))).toMatchObject({ code: 0, output: '' });
  });

  it('reads the statements of every contract', async () => {
    const folder = join(repositoryRoot, 'contracts');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml') && name !== 'binding.yaml');
    const sources = await Promise.all(
      names.map(async (path) => ({ path, text: await readFile(join(folder, path), 'utf8') })),
    );
    const { value } = readContracts(sources, { elsewhere: new Set() });
    const byId = new Map(elaborateAll(value).map((one) => [one.contract.id, one]));
    const released = { unbounded: new Set<string>(), above: new Set<string>() };
    const texts = value.flatMap((contract) => {
      const stated = contract.obligations.slice(0, 4).flatMap((obligation) => {
        const goal = exactGoal(contract, obligation, byId);
        if (!goal.ok) return [];
        const { statement, refusals } = statementOf({ goal: goal.value, released });
        return refusals.length === 0 && statement.text.length < 2_500 ? [statement.text] : [];
      });
      // The longest says most of what is written in a contract's own way.
      return stated.toSorted((a, b) => b.length - a.length).slice(0, 1);
    });
    expect(texts.length).toBeGreaterThan(30);
    const modules = texts.map((text, i) => `Module M${i}.\n${text.split('\n').slice(3).join('\n')}End M${i}.\n`);
    const head = 'From Coq Require Import Bool ZArith Reals.\nFrom PV Require Import Pv.\nOpen Scope R_scope.\n';
    expect(await compiled(workshop, 'all', head + modules.join(''))).toMatchObject({ code: 0, output: '' });
  });
});

describe.runIf(!hasRocq)('without Rocq', () => {
  it('no proof is checked here: install coq to run these tests', () => {
    expect(hasRocq).toBe(false);
  });
});
