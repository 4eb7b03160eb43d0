(* Both the samples and the weighted deltas are sums in which two terms change places. *)

Theorem witness : some_input.
Proof. exists 1%Z, 1%Z, (fun _ _ => 0), (fun _ => 1%Z), 0%Z. split_all; lia. Qed.

Lemma total_pos : forall P s, (1 <= P)%Z -> (forall p, (0 <= p < P)%Z -> (1 <= s p)%Z) -> (0 < zsum_over 0 P s)%Z.
Proof. intros P s HP Hs. apply zsum_pos; [lia|]. intros p Hp. specialize (Hs p Hp). lia. Qed.

Lemma has_value : forall P n D s, (1 <= P)%Z -> (forall p, (0 <= p < P)%Z -> (1 <= s p)%Z) -> federated_average_defined P n D s.
Proof. intros P n D s HP Hs. unfold federated_average_defined. cbv zeta. intros.
  apply Z.neq_sym, Z.lt_neq, total_pos; assumption.
Qed.

Theorem proof : claim.
Proof.
  intros P n D s k HP Hn Hs Hk.
  assert (Ht : forall p, (0 <= p < P)%Z -> (1 <= (if Z.eqb p 0 then s k else if Z.eqb p k then s 0 else s p))%Z).
  { intros p Hp. destruct (Z.eqb p 0); [apply Hs; lia|]. destruct (Z.eqb p k); apply Hs; lia. }
  split; [intros; split; intros; lia|]. split; [intros; split; intros; lia|].
  split; [apply has_value; assumption|]. split; [apply has_value; assumption|].
  intros i Hi. unfold federated_average. cbv zeta beta.
  assert (T : zsum_over 0 P (fun q => if Z.eqb q 0 then s k else if Z.eqb q k then s 0%Z else s q) = zsum_over 0 P s).
  { apply eq_IZR. rewrite !zsum_real, <- (sum_swap P k (fun q => IZR (s q)) Hk). apply sum_ext. intros q Hq.
    destruct (Z.eqb q 0); [reflexivity|]. destruct (Z.eqb q k); reflexivity. }
  change (zsum_over 0 P (fun q => s q)) with (zsum_over 0 P s).
  rewrite T, <- (sum_swap P k (fun p => IZR (s p) / IZR (zsum_over 0 P s) * D p i) Hk).
  match goal with |- Rabs (?a - ?b) <= _ => replace a with b end.
  - rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0. apply Rmult_le_pos; [lra|].
    apply sum_nonneg. intros. apply Rabs_pos.
  - apply sum_ext. intros p Hp. destruct (Z.eqb p 0); [reflexivity|]. destruct (Z.eqb p k); reflexivity.
Qed.
