(* Gibbs' inequality, from ln x <= x - 1, for two distributions that sum to one. *)

Theorem witness : some_input.
Proof. exists 1%Z, 1%Z, (fun _ _ => 0), (fun _ _ => 0), 1. split_all; try lia; lra. Qed.

Definition part (v : Z) (u : Z -> R) (tau : R) (j : Z) : R := exp (u j / tau) / sum_over 0 v (fun l => exp (u l / tau)).

Lemma part_pos : forall v u tau j, (1 <= v)%Z -> 0 < part v u tau j.
Proof. intros. apply Rdiv_lt_0_compat; [apply exp_pos|sum_of_exponentials]. Qed.

Lemma parts_one : forall v u tau, (1 <= v)%Z -> sum_over 0 v (part v u tau) = 1.
Proof. intros v u tau Hv. unfold part. rewrite sum_div. apply Rinv_r. sum_of_exponentials. Qed.

Theorem proof : claim.
Proof.
  intros r v t s tau Hr Hv Ht. assert (T : tau <> 0) by lra.
  split_all; try exact T; try sum_of_exponentials.
  - apply Rgt_not_eq, (part_pos v (s b) tau j Hv).
  - apply Rdiv_lt_0_compat; [apply (part_pos v (t b) tau j Hv)|apply (part_pos v (s b) tau j Hv)].
  - apply Rle_ge, (gibbs 0 v (part v (t b) tau) (part v (s b) tau)).
    + intros. apply part_pos, Hv.
    + intros. apply part_pos, Hv.
    + rewrite !parts_one by exact Hv. reflexivity.
Qed.
