(* In warm-up the rate is the peak times k/w; the step after the last of them is the peak itself. *)

Theorem witness : some_input.
Proof. exists 1%Z, (fun _ => 0%Z), 1, 0, 1%Z, 2%Z. split_all; try lia; lra. Qed.

Theorem proof : claim.
Proof.
  intros n k eta rho w T Hn Hk He Hr Hw HT. split; [|split].
  - intros i Hi. split; intros; lia.
  - intros i Hi. split; intros; lia.
  - intros i Hi L. unfold learning_rate. assert (W : 0 < IZR w) by (apply IZR_lt; lia).
    destruct (Z.ltb_spec (k i) w); [|lia]. destruct (Z.ltb_spec (k i + 1) w).
    + apply Rmult_lt_compat_l; [lra|]. apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat, W|]. apply IZR_lt. lia.
    + destruct (Z.eqb_spec (k i + 1) w) as [E|]; [|lia]. rewrite <- (Rmult_1_r eta) at 2.
      apply Rmult_lt_compat_l; [lra|]. apply Rmult_lt_reg_r with (IZR w); [exact W|].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. rewrite Rmult_1_r, Rmult_1_l. apply IZR_lt. lia.
Qed.
