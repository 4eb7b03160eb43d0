(* The factor stands in every share and in the total. *)

Theorem witness : some_input.
Proof. exists 1%Z, 1%Z, (fun _ _ => 0), (fun _ => 1%Z). split_all; lia. Qed.

Lemma total_pos : forall P s, (1 <= P)%Z -> (forall p, (0 <= p < P)%Z -> (1 <= s p)%Z) -> (0 < zsum_over 0 P s)%Z.
Proof. intros P s HP Hs. apply zsum_pos; [lia|]. intros p Hp. specialize (Hs p Hp). lia. Qed.

Lemma has_value : forall P n D s, (1 <= P)%Z -> (forall p, (0 <= p < P)%Z -> (1 <= s p)%Z) -> federated_average_defined P n D s.
Proof. intros P n D s HP Hs. unfold federated_average_defined. cbv zeta. intros.
  apply Z.neq_sym, Z.lt_neq, total_pos; assumption.
Qed.

Theorem proof : claim.
Proof.
  intros P n D s HP Hn Hs. split; [apply has_value; [assumption|intros p Hp; specialize (Hs p Hp); lia]|].
  split; [apply has_value; assumption|]. intros i Hi. unfold federated_average. cbv zeta beta.
  assert (T := total_pos P s HP Hs). apply IZR_lt in T. rewrite (zsum_scale 0 P 2 s), mult_IZR.
  change (zsum_over 0 P (fun q => s q)) with (zsum_over 0 P s).
  apply sum_ext. intros p Hp. rewrite mult_IZR. field. lra.
Qed.
