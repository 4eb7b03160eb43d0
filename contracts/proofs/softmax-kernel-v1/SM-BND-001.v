(* An exponential is positive, and no more than the sum in which it stands. *)

Theorem witness : some_input.
Proof. exists 1%Z, (fun _ => 0). lia. Qed.

Lemma sum_exp_pos : forall n x m, (1 <= n)%Z -> 0 < sum_over 0 n (fun j => exp (x j - m)).
Proof. intros. apply sum_pos; [lia|]. intros. apply exp_pos. Qed.

Lemma has_value : forall n x, (1 <= n)%Z -> softmax_defined n x.
Proof. intros n x H. split; [lia|]. cbv zeta. intros i Hi. apply Rgt_not_eq, sum_exp_pos, H. Qed.

Theorem proof : claim.
Proof.
  intros n x H. split; [apply has_value, H|].
  intros i Hi. unfold softmax. cbv zeta beta.
  set (m := max_over 0 n (fun i0 => x i0)).
  assert (P := sum_exp_pos n x m H).
  assert (L : exp (x i - m) <= sum_over 0 n (fun j => exp (x j - m))).
  { apply (sum_ge_term 0 n (fun j => exp (x j - m))); [exact Hi|]. intros. apply Rlt_le, exp_pos. }
  split.
  - apply Rlt_le, Rdiv_lt_0_compat; [apply exp_pos|exact P].
  - apply Rmult_le_reg_r with (sum_over 0 n (fun j => exp (x j - m))); [exact P|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
