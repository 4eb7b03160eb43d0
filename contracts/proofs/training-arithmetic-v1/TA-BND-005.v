(* The run takes T steps, and T is at least the warm-up. *)

Theorem witness : some_input.
Proof. exists 1%Z, 1%Z, 1%Z, 1%Z. lia. Qed.

(* The least number of epochs q with T <= q * s: one step below is not enough. *)
Lemma ceiling : forall T s, (1 <= s)%Z -> ((- (- T / s) - 1) * s < T <= - (- T / s) * s)%Z.
Proof.
  intros T s Hs. assert (D := Z.div_mod (- T) s ltac:(lia)). assert (M := Z.mod_pos_bound (- T) s ltac:(lia)). nia.
Qed.

Theorem proof : claim.
Proof.
  intros T e s v HT He Hs Hv. split; [lia|]. split; [lia|]. intros [Enough Short].
  assert (C := ceiling T s Hs). set (q := (- (- T / s))%Z) in *. unfold steps_taken.
  assert (Z.min T (e * s) = T)%Z as -> by (apply Z.min_l; nia).
  assert (V : 0 < IZR v) by (apply IZR_lt; lia). apply Rmin_left.
  apply Rmult_le_reg_r with (IZR v); [exact V|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
  rewrite Rmult_1_r, Rmult_1_l. apply IZR_le. exact Short.
Qed.
