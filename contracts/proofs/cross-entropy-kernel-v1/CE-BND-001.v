(* The label's exponential is one term of the sum, so its logarithm is at most that of the sum. *)

Theorem witness : some_input.
Proof. exists 1%Z, 1%Z, (fun _ _ => 0), (fun _ => 0%Z). split_all; lia. Qed.

Theorem proof : claim.
Proof.
  intros r v z y Hr Hv Hy. split.
  - unfold cross_entropy_defined. split_all; [lia|sum_of_exponentials|apply Hy; assumption|apply Hy; assumption].
  - intros b Hb. unfold cross_entropy. cbv zeta beta. set (m := max_over 0 v (fun j => z b j)).
    destruct (Hy b Hb) as [L U].
    assert (E : exp (z b (y b) - m) <= sum_over 0 v (fun j => exp (z b j - m))).
    { apply (sum_ge_term 0 v (fun j => exp (z b j - m))); [lia|]. intros. apply Rlt_le, exp_pos. }
    assert (z b (y b) - m <= ln (sum_over 0 v (fun j => exp (z b j - m)))); [|lra].
    rewrite <- (ln_exp (z b (y b) - m)) at 1. destruct E as [E|E].
    + apply Rlt_le, ln_increasing; [apply exp_pos|exact E].
    + rewrite E. apply Rle_refl.
Qed.
