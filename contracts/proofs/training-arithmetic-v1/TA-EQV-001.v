(* Concrete Mathematics, equation 3.11. *)

Theorem witness : some_input.
Proof. exists 1%Z, 1%Z, 1%Z. lia. Qed.

Theorem proof : claim.
Proof.
  intros N b g HN Hb Hg. split; [|split].
  - split; lia.
  - apply Z.neq_mul_0. lia.
  - unfold steps_per_epoch. apply Z.div_div; lia.
Qed.
