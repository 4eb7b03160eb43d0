(* A whole number of epochs is at least the rounded quotient exactly when it is at least the quotient. *)

Theorem witness : some_input.
Proof. exists 1%Z, 1%Z, 1%Z. lia. Qed.

(* The least number of epochs q with T <= q * s: one step below is not enough. *)
Lemma ceiling : forall T s, (1 <= s)%Z -> ((- (- T / s) - 1) * s < T <= - (- T / s) * s)%Z.
Proof.
  intros T s Hs. assert (D := Z.div_mod (- T) s ltac:(lia)). assert (M := Z.mod_pos_bound (- T) s ltac:(lia)). nia.
Qed.

Theorem proof : claim.
Proof.
  intros T s e HT Hs He. split; [unfold epochs_needed_defined; lia|]. unfold epochs_needed.
  assert (C := ceiling T s Hs). set (q := (- (- T / s))%Z) in *. split; intros; nia.
Qed.
