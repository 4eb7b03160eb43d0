(* In warm-up a part of the peak; after it the peak at most, and the floor and a part of the way to the peak. *)

Theorem witness : some_input.
Proof. exists 1%Z, (fun _ => 0%Z), 1, 0, 0%Z, 1%Z. split_all; try lia; lra. Qed.

Lemma has_value : forall n k eta rho w T, (forall i, (0 <= i < n)%Z -> (0 <= k i)%Z) -> (0 <= w)%Z -> (w < T)%Z ->
  learning_rate_defined n k eta rho w T.
Proof. intros n k eta rho w T Hk Hw HT i Hi. specialize (Hk i Hi). split; intros; lia. Qed.

(* The part of the way from the floor to the peak that is left lies between 0 and 1. *)
Lemma part_left : forall a, 0 <= 5 / 10 * (1 + cos a) <= 1.
Proof. intros a. assert (B := COS_bound a). lra. Qed.

Theorem proof : claim.
Proof.
  intros n k eta rho w T Hn Hk He Hr Hw HT. split; [apply has_value; assumption|].
  intros i Hi. specialize (Hk i Hi). unfold learning_rate. destruct (Z.ltb_spec (k i) w) as [L|L].
  - assert (W : 0 < IZR w) by (apply IZR_lt; lia).
    assert (0 <= IZR (k i)) by (apply IZR_le; exact Hk). assert (IZR (k i) <= IZR w) by (apply IZR_le; lia).
    assert (Q : 0 <= IZR (k i) / IZR w <= 1).
    { split.
      - apply Rmult_le_pos; [assumption|apply Rlt_le, Rinv_0_lt_compat, W].
      - apply Rmult_le_reg_r with (IZR w); [exact W|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    split; [apply Rmult_le_pos; lra|]. rewrite <- (Rmult_1_r eta) at 2. apply Rmult_le_compat_l; lra.
  - destruct (Z.eqb_spec (k i) w); [lra|]. split; [|apply Rmin_l].
    apply Rmin_glb; [lra|]. apply Rplus_le_le_0_compat; [lra|]. apply Rmult_le_pos; [lra|]. apply part_left.
Qed.
