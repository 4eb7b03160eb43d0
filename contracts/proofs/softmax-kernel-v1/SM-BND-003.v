(* A quotient of positive numbers. *)

Theorem witness : some_input.
Proof. exists 1%Z, (fun _ => 0). lia. Qed.

Lemma sum_exp_pos : forall n x m, (1 <= n)%Z -> 0 < sum_over 0 n (fun j => exp (x j - m)).
Proof. intros. apply sum_pos; [lia|]. intros. apply exp_pos. Qed.

Lemma has_value : forall n x, (1 <= n)%Z -> softmax_defined n x.
Proof. intros n x H. split; [lia|]. cbv zeta. intros i Hi. apply Rgt_not_eq, sum_exp_pos, H. Qed.

Theorem proof : claim.
Proof.
  intros n x H. split; [apply has_value, H|].
  intros i Hi. apply Rdiv_lt_0_compat; [apply exp_pos|apply sum_exp_pos, H].
Qed.
