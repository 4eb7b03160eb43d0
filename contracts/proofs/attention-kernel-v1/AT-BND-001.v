(* The weights of a row are positive and sum to one, so an output is a mean of the values. *)

Theorem witness : some_input.
Proof. exists 1%Z, 1%Z, 1%Z, 1%Z, (fun _ _ => 0), (fun _ _ => 0), (fun _ _ => 0). lia. Qed.

Theorem proof : claim.
Proof.
  intros n d s v Q K V Hn Hd Hs Hv. split; [|split; [|split]].
  - unfold attention_defined. split_all; try lia.
    + apply Rgt_not_eq, sqrt_lt_R0, IZR_lt. lia.
    + sum_of_exponentials.
  - intros. lia.
  - cbv zeta. intros. lia.
  - cbv zeta. intros c Hc i Hi. unfold attention. cbv zeta beta.
    set (S := fun j => sum_over 0 d (fun l => Q i l * K j l) / sqrt (IZR d)).
    set (m := max_over 0 s (fun t => sum_over 0 d (fun l => Q i l * K t l) / sqrt (IZR d))).
    change (fun t => exp (sum_over 0 d (fun l => Q i l * K t l) / sqrt (IZR d) - m)) with (fun t => exp (S t - m)).
    set (total := sum_over 0 s (fun t => exp (S t - m))).
    assert (P : 0 < total) by sum_of_exponentials.
    assert (W : forall j, (0 <= j < s)%Z -> 0 <= exp (S j - m) / total).
    { intros. apply Rlt_le, Rdiv_lt_0_compat; [apply exp_pos|exact P]. }
    assert (One : sum_over 0 s (fun j => exp (S j - m) / total) = 1).
    { rewrite sum_div. apply Rinv_r. lra. }
    assert (B := mean_within 0 s (fun j => exp (S j - m) / total) (fun j => V j c)
      (min_over 0 s (fun j => V j c)) (max_over 0 s (fun j => V j c)) W One).
    assert (L : min_over 0 s (fun j => V j c) <= sum_over 0 s (fun j => exp (S j - m) / total * V j c)
      <= max_over 0 s (fun j => V j c)).
    { apply B. intros j Hj. split; [apply (min_le 0 s (fun j0 => V j0 c)), Hj|apply (max_ge 0 s (fun j0 => V j0 c)), Hj]. }
    destruct L as [L U]. split.
    + apply Rle_trans with (min_over 0 s (fun j => V j c)); [lra|exact L].
    + apply Rle_trans with (max_over 0 s (fun j => V j c)); [exact U|lra].
Qed.
