(* At k = w the schedule is its peak by definition. *)

Theorem witness : some_input.
Proof. exists 1%Z, (fun _ => 0%Z), 1, 0, 0%Z, 1%Z. split_all; try lia; lra. Qed.

Theorem proof : claim.
Proof.
  intros n k eta rho w T Hn Hk He Hr Hw HT. split.
  - intros i Hi. split; intros; lia.
  - intros i Hi. unfold learning_rate. replace (0 * k i + w)%Z with w by lia.
    rewrite Z.ltb_irrefl, Z.eqb_refl. reflexivity.
Qed.
