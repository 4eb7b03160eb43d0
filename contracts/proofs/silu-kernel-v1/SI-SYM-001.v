(* The two sigmoids sum to one. *)

Theorem witness : some_input.
Proof. exists 1%Z, (fun _ => 0). lia. Qed.

Theorem proof : claim.
Proof.
  intros n x H i Hi. unfold silu. rewrite Ropp_involutive.
  assert (0 < exp (x i)) by apply exp_pos. rewrite exp_Ropp. field. lra.
Qed.
