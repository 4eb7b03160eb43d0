(* Both are the same sum of the same products. *)

Theorem witness : some_input.
Proof. exists 1%Z, 1%Z, 1%Z, (fun _ _ => 0), (fun _ _ => 0). lia. Qed.

Theorem proof : claim.
Proof. intros m k n A B _ _ _ j Hj i Hi. apply sum_ext. intros l Hl. apply Rmult_comm. Qed.
