(* The maximum moves with the inputs, so every difference to it stays. *)

Theorem witness : some_input.
Proof. exists 1%Z, (fun _ => 0), 0. lia. Qed.

Lemma sum_exp_pos : forall n x m, (1 <= n)%Z -> 0 < sum_over 0 n (fun j => exp (x j - m)).
Proof. intros. apply sum_pos; [lia|]. intros. apply exp_pos. Qed.

Lemma has_value : forall n x, (1 <= n)%Z -> softmax_defined n x.
Proof. intros n x H. split; [lia|]. cbv zeta. intros i Hi. apply Rgt_not_eq, sum_exp_pos, H. Qed.

Theorem proof : claim.
Proof.
  intros n x c H. split; [apply has_value, H|]. split; [apply has_value, H|].
  intros i Hi. unfold softmax. cbv zeta beta. rewrite (max_shift 0 n (fun i0 => x i0) c) by lia.
  set (m := max_over 0 n (fun i0 => x i0)).
  rewrite (sum_ext 0 n (fun j => exp (x j + c - (m + c))) (fun j => exp (x j - m))).
  - replace (x i + c - (m + c)) with (x i - m) by ring. reflexivity.
  - intros j Hj. f_equal. ring.
Qed.
