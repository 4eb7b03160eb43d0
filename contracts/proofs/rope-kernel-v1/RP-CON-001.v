(* Every pair of places is rotated by one angle, and a rotation keeps the sum of the squares of a pair. *)

Theorem witness : some_input.
Proof. exists 1%Z, 2%Z, (fun _ _ => 0), 100. split_all; try lia; try reflexivity; lra. Qed.

Theorem proof : claim.
Proof.
  intros n d x b Hn Hd Even Hb. split.
  - intros p Hp c Hc. assert (D := Z.div_mod d 2 ltac:(lia)). assert (C := Z.div_mod c 2 ltac:(lia)).
    assert (M := Z.mod_pos_bound c 2 ltac:(lia)). split; intros E; split_all; try lia; try lra.
  - intros p Hp. set (h := (d / 2)%Z). assert (D := Z.div_mod d 2 ltac:(lia)).
    assert (P : forall f, sum_over 0 d f = sum_over 0 h (fun i => f (2 * i)%Z + f (2 * i + 1)%Z)).
    { intros f. rewrite <- (sum_pairs h f) by (unfold h; lia). f_equal. unfold h. lia. }
    rewrite !P. apply sum_ext. intros i Hi. unfold rope.
    replace ((2 * i) mod 2)%Z with 0%Z by (rewrite Z.mul_comm, Z.mod_mul; lia).
    replace ((2 * i + 1) mod 2)%Z with 1%Z by (rewrite Z.add_comm, Z.mul_comm, Z.mod_add by lia; reflexivity).
    replace ((2 * i) / 2)%Z with i by (rewrite Z.mul_comm, Z.div_mul; lia).
    replace ((2 * i + 1) / 2)%Z with i by (rewrite Z.add_comm, Z.mul_comm, Z.div_add by lia; reflexivity).
    replace (2 * i + 1 - 1)%Z with (2 * i)%Z by lia. simpl Z.eqb. cbv iota.
    set (a := IZR p * Rpower b (IZR (-2 * i) / IZR d)).
    assert (R := sin2_cos2 a). unfold Rsqr in R.
    set (u := x p (2 * i)%Z). set (w := x p (2 * i + 1)%Z).
    replace ((u * cos a - w * sin a) ^ 2 + (u * sin a + w * cos a) ^ 2)
      with ((u ^ 2 + w ^ 2) * (sin a * sin a + cos a * cos a)) by ring.
    rewrite R. ring.
Qed.
