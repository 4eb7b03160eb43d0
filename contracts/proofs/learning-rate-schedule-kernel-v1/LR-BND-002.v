(* After warm-up: the peak, which is not below the floor, or the floor and what is not negative. *)

Theorem witness : some_input.
Proof. exists 1%Z, (fun _ => 0%Z), 1, 0, 0%Z, 1%Z. split_all; try lia; lra. Qed.

Lemma has_value : forall n k eta rho w T, (forall i, (0 <= i < n)%Z -> (0 <= k i)%Z) -> (0 <= w)%Z -> (w < T)%Z ->
  learning_rate_defined n k eta rho w T.
Proof. intros n k eta rho w T Hk Hw HT i Hi. specialize (Hk i Hi). split; intros; lia. Qed.

(* The part of the way from the floor to the peak that is left lies between 0 and 1. *)
Lemma part_left : forall a, 0 <= 5 / 10 * (1 + cos a) <= 1.
Proof. intros a. assert (B := COS_bound a). lra. Qed.

Theorem proof : claim.
Proof.
  intros n k eta rho w T Hn Hk He Hr Hw HT. split; [apply has_value; assumption|].
  intros i Hi After. unfold learning_rate. destruct (Z.ltb_spec (k i) w) as [L|L]; [lia|].
  destruct (Z.eqb_spec (k i) w); [lra|]. apply Rle_ge, Rmin_glb; [lra|].
  rewrite <- (Rplus_0_r rho) at 1. apply Rplus_le_compat_l, Rmult_le_pos; [lra|]. apply part_left.
Qed.
