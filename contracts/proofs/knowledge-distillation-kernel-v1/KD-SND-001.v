(*
  With P and Q the softened distributions the terms of the loss are Q - P - P (ln Q - ln P), none of them negative. P and Q
  sum to one, so what is left of the sum of the terms is the sum of P ln (P / Q).
*)

Theorem witness : some_input.
Proof.
  exists 1%Z, 1%Z, (fun _ _ => 0), (fun _ _ => 0), (fun _ => 0%Z), 1. split_all; try lia; lra.
Qed.

(* The log-softmax shifted by any m, exponentiated, is the softmax that is not shifted. *)
Lemma soft : forall v u m tau, (1 <= v)%Z -> tau <> 0 -> forall j,
  exp ((u j - m) / tau - ln (sum_over 0 v (fun l => exp ((u l - m) / tau))))
  = exp (u j / tau) / sum_over 0 v (fun l => exp (u l / tau)).
Proof.
  intros v u m tau Hv Ht j. assert (P : 0 < sum_over 0 v (fun l => exp ((u l - m) / tau))) by sum_of_exponentials.
  assert (P0 : 0 < sum_over 0 v (fun l => exp (u l / tau))) by sum_of_exponentials.
  assert (S : forall l, exp ((u l - m) / tau) = exp (u l / tau) * exp (- (m / tau))).
  { intros l. rewrite <- exp_plus. f_equal. field. exact Ht. }
  assert (T : sum_over 0 v (fun l => exp ((u l - m) / tau)) = sum_over 0 v (fun l => exp (u l / tau)) * exp (- (m / tau))).
  { rewrite <- sum_scale_r. apply sum_ext. intros. apply S. }
  rewrite exp_sub, exp_ln by exact P. rewrite S, T. assert (0 < exp (- (m / tau))) by apply exp_pos. field. lra.
Qed.

Definition part (v : Z) (u : Z -> R) (tau : R) (j : Z) : R := exp (u j / tau) / sum_over 0 v (fun l => exp (u l / tau)).

Lemma part_pos : forall v u tau j, (1 <= v)%Z -> 0 < part v u tau j.
Proof. intros. apply Rdiv_lt_0_compat; [apply exp_pos|sum_of_exponentials]. Qed.

Lemma parts_one : forall v u tau, (1 <= v)%Z -> sum_over 0 v (part v u tau) = 1.
Proof.
  intros v u tau Hv. unfold part. rewrite sum_div. apply Rinv_r. sum_of_exponentials.
Qed.

(* One term, where f and g are the logarithms of p and q. *)
Lemma term : forall f g, Rmax (exp g - exp f - exp f * (g - f)) 0 = exp g - exp f + exp f * ln (exp f / exp g).
Proof.
  intros f g. replace (exp f / exp g) with (exp (f - g)) by apply exp_sub. rewrite ln_exp.
  assert (E : exp g = exp f * exp (g - f)) by (rewrite <- exp_plus; f_equal; ring).
  assert (0 < exp f) by apply exp_pos. assert (B := exp_ge_1_plus (g - f)).
  apply Rmult_le_compat_l with (r := exp f) in B; [|lra].
  rewrite Rmax_left by lra. ring.
Qed.

Theorem proof : claim.
Proof.
  intros r v t s y tau Hr Hv Hy Ht.
  assert (T : tau <> 0) by lra.
  split; [|split_all; try lia; try exact T; try sum_of_exponentials].
  - unfold distillation_loss_defined. split_all; try lia; try exact T; try sum_of_exponentials; apply Hy; assumption.
  - apply Rgt_not_eq, (part_pos v (s b) tau j Hv).
  - apply Rdiv_lt_0_compat; [apply (part_pos v (t b) tau j Hv)|apply (part_pos v (s b) tau j Hv)].
  - unfold distillation_loss. cbv zeta beta.
    match goal with |- 1 * (tau * tau * sum_over 0 v ?f) + _ = tau ^ 2 * sum_over 0 v ?g =>
      assert (E : sum_over 0 v f = sum_over 0 v (fun j => part v (s b) tau j - part v (t b) tau j + g j))
    end.
    { apply sum_ext. intros j Hj. cbv beta. rewrite term, !(soft v (s b)), !(soft v (t b)) by assumption. reflexivity. }
    rewrite E, sum_plus, sum_minus, !parts_one by exact Hv. ring.
Qed.
