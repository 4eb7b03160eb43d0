(* The epochs suffice exactly when their steps are T at least, and then the least of both is T. *)

Theorem witness : some_input.
Proof. exists 1%Z, 1%Z, 1%Z. lia. Qed.

(* The least number of epochs q with T <= q * s: one step below is not enough. *)
Lemma ceiling : forall T s, (1 <= s)%Z -> ((- (- T / s) - 1) * s < T <= - (- T / s) * s)%Z.
Proof.
  intros T s Hs. assert (D := Z.div_mod (- T) s ltac:(lia)). assert (M := Z.mod_pos_bound (- T) s ltac:(lia)). nia.
Qed.

Theorem proof : claim.
Proof.
  intros T e s HT He Hs. split; [lia|]. unfold steps_taken.
  assert (C := ceiling T s Hs). set (q := (- (- T / s))%Z) in *.
  destruct (Z.min_spec T (e * s)) as [[L E]|[L E]]; rewrite E; split; intros; nia.
Qed.
