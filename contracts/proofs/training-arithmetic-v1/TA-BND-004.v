(* A quotient of whole numbers is at least one exactly when the dividend is at least the divisor. *)

Theorem witness : some_input.
Proof. exists 0%Z, 1%Z. lia. Qed.

Theorem proof : claim.
Proof.
  intros a w Ha Hw. split; [unfold warmup_reached_defined; lia|]. unfold warmup_reached.
  assert (W : 0 < IZR w) by (apply IZR_lt; lia). assert (E : IZR a / IZR w * IZR w = IZR a) by (field; lra).
  split.
  - intros M. apply Z.le_ge, le_IZR. assert (Q : 1 <= IZR a / IZR w) by (rewrite <- M; apply Rmin_r).
    apply Rmult_le_compat_r with (r := IZR w) in Q; lra.
  - intros L. apply Rmin_left. apply Rmult_le_reg_r with (IZR w); [exact W|]. rewrite E, Rmult_1_l.
    apply IZR_le. lia.
Qed.
