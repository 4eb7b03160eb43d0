(* The one share is one. *)

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
  intros P n D s HP Hn Hs. split; [apply has_value; assumption|]. split; [intros; lia|].
  intros i Hi One. unfold federated_average. cbv zeta beta.
  rewrite (sum_ext 0 P _ (fun p => IZR (s p) / IZR (zsum_over 0 P s) * D 0%Z i)).
  - rewrite sum_scale_r. rewrite shares_one by assumption. ring.
  - intros p Hp. replace p with 0%Z by lia. reflexivity.
Qed.
