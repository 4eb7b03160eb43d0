(* exp(a) / s = exp(b) / s * exp(a - b). *)

Theorem witness : some_input.
Proof. exists 1%Z, (fun _ => 0). lia. Qed.

Lemma sum_exp_pos : forall n x m, (1 <= n)%Z -> 0 < sum_over 0 n (fun j => exp (x j - m)).
Proof. intros. apply sum_pos; [lia|]. intros. apply exp_pos. Qed.

Lemma has_value : forall n x, (1 <= n)%Z -> softmax_defined n x.
Proof. intros n x H. split; [lia|]. cbv zeta. intros i Hi. apply Rgt_not_eq, sum_exp_pos, H. Qed.

Theorem proof : claim.
Proof.
  intros n x H. split; [apply has_value, H|].
  intros i Hi j Hj. unfold softmax. cbv zeta beta.
  set (m := max_over 0 n (fun i0 => x i0)).
  replace (x i - m) with ((x j - m) + (x i - x j)) by ring. rewrite exp_plus. unfold Rdiv. ring.
Qed.
