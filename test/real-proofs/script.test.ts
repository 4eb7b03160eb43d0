import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultOf } from '../../src/real-proofs/script.ts';
import { repositoryRoot } from '../support/built.ts';

const right = `(* a comment (* in a comment *) with a " no, none *)`.replace(' with a " no, none', '');
const script = (body: string): string => `${right}
${body}
Theorem witness : some_input.
Proof. exists 1%Z. lia. Qed.
Theorem proof : claim.
Proof.
  intros x H. split; [|split].
  - { apply H. }
  - 1: { lra. }
Qed.
`;

describe('a proof script', () => {
  it('may state and prove lemmas, and define functions and tactics', () => {
    const body =
      'Lemma a : 1.5 <= 2. Proof. lra. Qed.\nDefinition d := 1%Z.\nLtac t := lra.\nFixpoint f (n : nat) := match n with O => O | S m => f m end.';
    expect(faultOf(script(body))).toBeNull();
  });

  it.each([
    ['Axiom cheat : claim.', 'Axiom'],
    ['Parameter cheat : claim.', 'Parameter'],
    ['Hypothesis cheat : claim.', 'Hypothesis'],
    ['Variable cheat : claim.', 'Variable'],
    ['Conjecture cheat : claim.', 'Conjecture'],
    ['Context (cheat : claim).', 'Context'],
    ['Section S. End S.', 'Section'],
    ['Module M. End M.', 'Module'],
    ['Lemma a : False. Proof. Admitted.', 'Admitted'],
    ['Lemma a : False. Proof. admit. Qed.', 'admit'],
    ['Lemma a : False. Proof. give_up. Qed.', 'give_up'],
    ['Lemma a : False. Proof. {Admitted. }', 'Admitted'],
    ['Lemma a : False. Proof. -Admitted.', 'Admitted'],
    ['Lemma a : False. Proof. 1:{Admitted. }', 'Admitted'],
    ['Unset Guard Checking.', 'Unset'],
    ['Set Universe Polymorphism.', 'Set'],
    ['Load "file".', 'strings'],
    ['Load file.', 'Load'],
    ['Declare ML Module x.', 'Declare'],
    ['Extraction f.', 'Extraction'],
    ['Redirect file Print nat.', 'Redirect'],
    ['Cd here.', 'Cd'],
    ['Drop.', 'Drop'],
    ['Quit.', 'Quit'],
    ['Require Import Classical.', 'Require'],
    ['Import Statement.', 'Import'],
    ['Export Statement.', 'Export'],
    ['Notation claim := True.', 'Notation'],
    ['Infix ++ := plus.', 'Infix'],
    ['Instance i : c.', 'Instance'],
    ['Canonical c.', 'Canonical'],
    ['Coercion c : a >-> b.', 'Coercion'],
    ['Register x as y.', 'Register'],
    ['Primitive x := y.', 'Primitive'],
    ['Inductive False_again : Prop := yes.', 'Inductive'],
    ['Local Definition a := 1.', 'Local'],
    ['Time Lemma a : True.', 'Time'],
    ['Fail Lemma a : True.', 'Fail'],
    ['Hint Resolve a : core.', 'Hint'],
    ['Obligation Tactic := idtac.', 'Obligation'],
    ['Program Definition a := 1.', 'Program'],
    ['Scheme a := b.', 'Scheme'],
    ['Let a := 1.', 'Let'],
    ['#[bypass_check(guard)] Fixpoint f (n : nat) : nat := f n.', '"#"'],
    ['Lemma a : True. Proof. native_compute. Qed.', 'native_compute'],
    ['Lemma a : True. Proof. psatz R 2. Qed.', 'psatz'],
    ['Lemma a : True. Proof. vm_cast_no_check I. Qed.', 'vm_cast_no_check'],
    ['Lemma é : True. Proof. exact I. Qed.', 'é'],
    ['(* never closed', 'does not end'],
    ['(* " *) Axiom a : False. (* " *)', 'strings'],
  ])('may not say %s', (body, named) => {
    expect(faultOf(script(body))?.message).toContain(named);
  });

  it('is not read past the place of the fault', () => {
    const text = script('Axiom cheat : claim.');
    const fault = faultOf(text);
    expect(text.slice(fault?.offset, (fault?.offset ?? 0) + (fault?.length ?? 0))).toBe('Axiom');
  });

  it('has its fault at its place, after comments and other sentences', () => {
    const at = (text: string) => {
      const { offset = 0, length = 0 } = faultOf(text) ?? {};
      return [offset, text.slice(offset, offset + length)];
    };
    expect(at('"')).toEqual([0, '"']);
    expect(at('(* a (* b *) *) Quit.')).toEqual([16, 'Quit']);
    expect(at('Lemma a : True.\n  Quit')).toEqual([18, 'Quit']);
    expect(at('Lemma a : 1.5 = 1.5. (* c *) Quit.')).toEqual([29, 'Quit']);
    expect(at('x *) Quit. (* never closed')).toEqual([11, '(*']);
    // A closing sign that nothing opens stays, for Rocq to refuse.
    expect(at('*) Quit.')).toEqual([0, '']);
    expect(at('*). Quit.')).toEqual([4, 'Quit']);
    // Rocq looks names up with the modules before them: what follows a period without space starts no sentence.
    expect(at('Lemma a : x. Proof. exact Nat.Quit. Qed.')).toEqual([0, '']);
  });

  it('is not misled by what a comment says', () => {
    expect(faultOf(script('(* Axiom a. Admitted. é # *)'))).toBeNull();
  });

  it('has to prove the claim and that it is about something', () => {
    expect(faultOf('Theorem proof : claim. Proof. exact I. Qed.')?.message).toContain('witness');
    expect(faultOf('Theorem witness : some_input. Proof. exact I. Qed.')?.message).toContain('claim');
    expect(faultOf('(* Theorem proof : claim. Theorem witness : some_input. *)')).not.toBeNull();
  });

  it('is short', () => {
    expect(faultOf(script(' '.repeat(200_001)))?.message).toContain('longer');
  });

  it('of every contract here passes', async () => {
    const folder = join(repositoryRoot, 'contracts/proofs');
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.v'));
    expect(files.length).toBeGreaterThan(20);
    for (const name of files) expect(faultOf(await readFile(join(folder, name), 'utf8')), name).toBeNull();
  });
});
