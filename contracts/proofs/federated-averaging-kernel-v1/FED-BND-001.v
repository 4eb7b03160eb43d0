(* A mean with shares that are not negative and sum to one lies between the least and the largest delta. *)

Theorem witness : some_input.
Proof. exists 1%Z, 1%Z, (fun _ _ => 0), (fun _ => 1%Z). split_all; lia. Qed.

Lemma total_pos : forall P s, (1 <= P)%Z -> (forall p, (0 <= p < P)%Z -> (1 <= s p)%Z) -> (0 < zsum_over 0 P s)%Z.
Proof. intros P s HP Hs. apply zsum_pos; [lia|]. intros p Hp. specialize (Hs p Hp). lia. Qed.

Lemma has_value : forall P n D s, (1 <= P)%Z -> (forall p, (0 <= p < P)%Z -> (1 <= s p)%Z) -> federated_average_defined P n D s.
Proof. intros P n D s HP Hs. unfold federated_average_defined. cbv zeta. intros.
  apply Z.neq_sym, Z.lt_neq, total_pos; assumption.
Qed.

Lemma shares_one : forall P s, (1 <= P)%Z -> (forall p, (0 <= p < P)%Z -> (1 <= s p)%Z) ->
  sum_over 0 P (fun p => IZR (s p) / IZR (zsum_over 0 P s)) = 1.
Proof.
  intros P s HP Hs. assert (T := total_pos P s HP Hs). apply IZR_lt in T.
  rewrite sum_div, <- zsum_real. apply Rinv_r. apply Rgt_not_eq, T.
Qed.

Theorem proof : claim.
Proof.
  intros P n D s HP Hn Hs. split; [apply has_value; assumption|]. split_all; try lia.
  all: assert (T := total_pos P s HP Hs); apply IZR_lt in T.
  all: assert (B : min_over 0 P (fun p => D p i) <= federated_average P n D s i <= max_over 0 P (fun p => D p i)).
  1, 3: apply mean_within;
    [ intros p Hp; apply Rmult_le_pos;
      [apply IZR_le; specialize (Hs p Hp); lia|apply Rlt_le, Rinv_0_lt_compat, T]
    | apply shares_one; assumption
    | intros p Hp; split;
      [apply (min_le 0 P (fun p0 => D p0 i)), Hp|apply (max_ge 0 P (fun p0 => D p0 i)), Hp] ].
  all: assert (A : 0 <= max_over 0 P (fun p => Rabs (D p i))) by
    (apply Rle_trans with (Rabs (D 0%Z i)); [apply Rabs_pos|apply (max_ge 0 P (fun p => Rabs (D p i))); lia]).
  all: lra.
Qed.
