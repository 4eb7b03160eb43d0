(* The words in which pv states claims over the reals, and what is true of them. Every lemma here is proved. *)
From Coq Require Import Bool ZArith Reals Lra Lia.
Open Scope R_scope.

(* --- Definitions: what generated statements are made of --- *)

(* Comparisons that are computed: the conditions of choices. *)
Definition Rltb (a b : R) : bool := if Rlt_dec a b then true else false.
Definition Rleb (a b : R) : bool := if Rle_dec a b then true else false.
Definition Reqb (a b : R) : bool := if Req_EM_T a b then true else false.

(* The largest integer that is not above x, the least that is not below, and the nearest, ties to the even one. *)
Definition Zfloor (x : R) : Z := (up x - 1)%Z.
Definition Zceil (x : R) : Z := (- Zfloor (- x))%Z.
Definition Zround (x : R) : Z :=
  let below := Zfloor x in
  if Rltb (x - IZR below) (1 / 2) then below
  else if Rltb (1 / 2) (x - IZR below) then (below + 1)%Z
  else if Z.even below then below else (below + 1)%Z.

Definition Rmod (a b : R) : R := a - b * IZR (Zfloor (a / b)).
Definition Rsign (x : R) : R := if Rltb x 0 then -1 else if Rltb 0 x then 1 else 0.

(* Over the integers a, a + 1, ..., b - 1, of which there are Z.to_nat (b - a). *)
Fixpoint sum_first (k : nat) (f : nat -> R) : R :=
  match k with O => 0 | S k' => sum_first k' f + f k' end.
Fixpoint prod_first (k : nat) (f : nat -> R) : R :=
  match k with O => 1 | S k' => prod_first k' f * f k' end.
Fixpoint zsum_first (k : nat) (f : nat -> Z) : Z :=
  match k with O => 0%Z | S k' => (zsum_first k' f + f k')%Z end.
(* The extremum of f 0, ..., f k. *)
Fixpoint max_upto (k : nat) (f : nat -> R) : R :=
  match k with O => f O | S k' => Rmax (max_upto k' f) (f k) end.
Fixpoint min_upto (k : nat) (f : nat -> R) : R :=
  match k with O => f O | S k' => Rmin (min_upto k' f) (f k) end.
Fixpoint zmax_upto (k : nat) (f : nat -> Z) : Z :=
  match k with O => f O | S k' => Z.max (zmax_upto k' f) (f k) end.
Fixpoint zmin_upto (k : nat) (f : nat -> Z) : Z :=
  match k with O => f O | S k' => Z.min (zmin_upto k' f) (f k) end.
Fixpoint all_first (k : nat) (p : nat -> bool) : bool :=
  match k with O => true | S k' => all_first k' p && p k' end.
Fixpoint any_first (k : nat) (p : nat -> bool) : bool :=
  match k with O => false | S k' => any_first k' p || p k' end.

Definition count_of (a b : Z) : nat := Z.to_nat (b - a).
Definition nth_from {A : Type} (a : Z) (f : Z -> A) (k : nat) : A := f (a + Z.of_nat k)%Z.

Definition sum_over (a b : Z) (f : Z -> R) : R := sum_first (count_of a b) (nth_from a f).
Definition prod_over (a b : Z) (f : Z -> R) : R := prod_first (count_of a b) (nth_from a f).
Definition zsum_over (a b : Z) (f : Z -> Z) : Z := zsum_first (count_of a b) (nth_from a f).
(* Of nothing there is no extremum: statements ask that the range is not empty. *)
Definition max_over (a b : Z) (f : Z -> R) : R := max_upto (pred (count_of a b)) (nth_from a f).
Definition min_over (a b : Z) (f : Z -> R) : R := min_upto (pred (count_of a b)) (nth_from a f).
Definition zmax_over (a b : Z) (f : Z -> Z) : Z := zmax_upto (pred (count_of a b)) (nth_from a f).
Definition zmin_over (a b : Z) (f : Z -> Z) : Z := zmin_upto (pred (count_of a b)) (nth_from a f).
Definition all_over (a b : Z) (p : Z -> bool) : bool := all_first (count_of a b) (nth_from a p).
Definition any_over (a b : Z) (p : Z -> bool) : bool := any_first (count_of a b) (nth_from a p).

(* The extremum over the indices that p selects; statements ask that it selects one. *)
Fixpoint best_first (better : R -> R -> R) (k : nat) (p : nat -> bool) (f : nat -> R) : option R :=
  match k with
  | O => None
  | S k' =>
      match best_first better k' p f with
      | None => if p k' then Some (f k') else None
      | Some m => if p k' then Some (better m (f k')) else Some m
      end
  end.
Definition value_of (found : option R) : R := match found with Some m => m | None => 0 end.
Definition max_where (a b : Z) (p : Z -> bool) (f : Z -> R) : R :=
  value_of (best_first Rmax (count_of a b) (nth_from a p) (nth_from a f)).
Definition min_where (a b : Z) (p : Z -> bool) (f : Z -> R) : R :=
  value_of (best_first Rmin (count_of a b) (nth_from a p) (nth_from a f)).

(* Where the extremum stands; of several the first. *)
Fixpoint argmax_upto (k : nat) (f : nat -> R) : nat :=
  match k with O => O | S k' => let best := argmax_upto k' f in if Rltb (f best) (f k) then k else best end.
Definition argmax_over (a b : Z) (f : Z -> R) : Z :=
  (a + Z.of_nat (argmax_upto (pred (count_of a b)) (nth_from a f)))%Z.
Definition argmin_over (a b : Z) (f : Z -> R) : Z := argmax_over a b (fun i => - f i).

(* A vector whose element i is step applied to the vector of the elements before it. *)
Fixpoint recurrence_first (step : (Z -> R) -> Z -> R) (k : nat) : Z -> R :=
  match k with
  | O => fun _ => 0
  | S k' =>
      let before := recurrence_first step k' in
      fun i => if Z.eqb i (Z.of_nat k') then step before i else before i
  end.
Definition recurrence_over (n : Z) (step : (Z -> R) -> Z -> R) : Z -> R := recurrence_first step (Z.to_nat n).

(* --- Comparisons and roundings --- *)

Lemma Rltb_true : forall a b, Rltb a b = true <-> a < b.
Proof. intros a b. unfold Rltb. destruct (Rlt_dec a b); split; intros; try assumption; try reflexivity; try discriminate; contradiction. Qed.

Lemma Rltb_false : forall a b, Rltb a b = false <-> b <= a.
Proof. intros a b. unfold Rltb. destruct (Rlt_dec a b); split; intros; try reflexivity; try discriminate; lra. Qed.

Lemma Rleb_true : forall a b, Rleb a b = true <-> a <= b.
Proof. intros a b. unfold Rleb. destruct (Rle_dec a b); split; intros; try assumption; try reflexivity; try discriminate; contradiction. Qed.

Lemma Rleb_false : forall a b, Rleb a b = false <-> b < a.
Proof. intros a b. unfold Rleb. destruct (Rle_dec a b); split; intros; try reflexivity; try discriminate; lra. Qed.

Lemma Zfloor_bounds : forall x, IZR (Zfloor x) <= x < IZR (Zfloor x) + 1.
Proof. intros x. unfold Zfloor. rewrite minus_IZR. destruct (archimed x). lra. Qed.

Lemma Zfloor_unique : forall k x, IZR k <= x < IZR k + 1 -> Zfloor x = k.
Proof.
  intros k x H. destruct (Zfloor_bounds x).
  assert (k < Zfloor x + 1)%Z by (apply lt_IZR; rewrite plus_IZR; lra).
  assert (Zfloor x < k + 1)%Z by (apply lt_IZR; rewrite plus_IZR; lra).
  lia.
Qed.

Lemma Zceil_bounds : forall x, IZR (Zceil x) - 1 < x <= IZR (Zceil x).
Proof. intros x. unfold Zceil. rewrite opp_IZR. destruct (Zfloor_bounds (- x)). lra. Qed.

Lemma Zfloor_IZR : forall k, Zfloor (IZR k) = k.
Proof. intros k. apply Zfloor_unique. lra. Qed.

Lemma Zfloor_div : forall a b, (0 < b)%Z -> Zfloor (IZR a / IZR b) = (a / b)%Z.
Proof.
  intros a b Hb. apply Zfloor_unique.
  assert (0 < IZR b) by (apply (IZR_lt 0); assumption).
  assert (E : IZR a = IZR b * IZR (a / b) + IZR (a mod b)).
  { rewrite <- mult_IZR, <- plus_IZR. f_equal. apply Z.div_mod. lia. }
  destruct (Z.mod_pos_bound a b Hb) as [L U]. apply IZR_le in L. apply IZR_lt in U.
  split.
  - apply Rmult_le_reg_r with (IZR b); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - apply Rmult_lt_reg_r with (IZR b); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma Zceil_div : forall a b, (0 < b)%Z -> Zceil (IZR a / IZR b) = (- ((- a) / b))%Z.
Proof.
  intros a b Hb. unfold Zceil. f_equal. rewrite <- Zfloor_div by assumption. f_equal.
  rewrite opp_IZR. unfold Rdiv. ring.
Qed.

(* --- Sums --- *)

Lemma nth_in : forall a b k, (k < count_of a b)%nat -> (a <= a + Z.of_nat k < b)%Z.
Proof. unfold count_of. intros. lia. Qed.

Lemma sum_first_ext : forall k f g, (forall j, (j < k)%nat -> f j = g j) -> sum_first k f = sum_first k g.
Proof. induction k; intros f g H; simpl; [reflexivity|]. rewrite (IHk f g), (H k) by auto with arith. reflexivity. Qed.

Lemma sum_ext : forall a b f g, (forall i, (a <= i < b)%Z -> f i = g i) -> sum_over a b f = sum_over a b g.
Proof. intros a b f g H. apply sum_first_ext. intros j Hj. apply H, nth_in, Hj. Qed.

Lemma sum_empty : forall a b f, (b <= a)%Z -> sum_over a b f = 0.
Proof. intros. unfold sum_over, count_of. replace (Z.to_nat (b - a)) with O by lia. reflexivity. Qed.

Lemma sum_last : forall a b f, (a <= b)%Z -> sum_over a (b + 1) f = sum_over a b f + f b.
Proof.
  intros. unfold sum_over, count_of. replace (Z.to_nat (b + 1 - a)) with (S (Z.to_nat (b - a))) by lia.
  simpl. unfold nth_from at 2. repeat f_equal. lia.
Qed.

(* To prove something of a sum, prove it of the empty one and of one term more. *)
Lemma range_induction : forall (a : Z) (P : Z -> Prop),
  P a -> (forall b, (a <= b)%Z -> P b -> P (b + 1)%Z) -> forall b, (a <= b)%Z -> P b.
Proof.
  intros a P base step b Hb. replace b with (a + Z.of_nat (Z.to_nat (b - a)))%Z by lia.
  induction (Z.to_nat (b - a)) as [|k IH]; [rewrite Z.add_0_r; exact base|].
  rewrite Nat2Z.inj_succ, <- Z.add_1_r, Z.add_assoc. apply step; [lia|exact IH].
Qed.

Lemma sum_plus : forall a b f g, sum_over a b (fun i => f i + g i) = sum_over a b f + sum_over a b g.
Proof. intros. unfold sum_over. induction (count_of a b) as [|k IH]; simpl; [lra|]. rewrite IH. unfold nth_from. lra. Qed.

Lemma sum_minus : forall a b f g, sum_over a b (fun i => f i - g i) = sum_over a b f - sum_over a b g.
Proof. intros. unfold sum_over. induction (count_of a b) as [|k IH]; simpl; [lra|]. rewrite IH. unfold nth_from. lra. Qed.

Lemma sum_scale : forall a b c f, sum_over a b (fun i => c * f i) = c * sum_over a b f.
Proof. intros. unfold sum_over. induction (count_of a b) as [|k IH]; simpl; [lra|]. rewrite IH. unfold nth_from. lra. Qed.

Lemma sum_scale_r : forall a b c f, sum_over a b (fun i => f i * c) = sum_over a b f * c.
Proof. intros. unfold sum_over. induction (count_of a b) as [|k IH]; simpl; [lra|]. rewrite IH. unfold nth_from. lra. Qed.

Lemma sum_div : forall a b c f, sum_over a b (fun i => f i / c) = sum_over a b f / c.
Proof. intros. apply (sum_scale_r a b (/ c)). Qed.

Lemma sum_const : forall a b c, (a <= b)%Z -> sum_over a b (fun _ => c) = IZR (b - a) * c.
Proof.
  intros a b c H. apply (range_induction a (fun b => sum_over a b (fun _ => c) = IZR (b - a) * c)); [| |exact H].
  - rewrite sum_empty by lia. rewrite Z.sub_diag. lra.
  - intros e He IH. rewrite sum_last, IH by exact He. rewrite !minus_IZR, plus_IZR. lra.
Qed.

Lemma sum_zero : forall a b f, (forall i, (a <= i < b)%Z -> f i = 0) -> sum_over a b f = 0.
Proof.
  intros a b f H. rewrite (sum_ext a b f (fun _ => 0 * 0)) by (intros; rewrite H by assumption; lra).
  rewrite sum_scale. lra.
Qed.

Lemma sum_le : forall a b f g, (forall i, (a <= i < b)%Z -> f i <= g i) -> sum_over a b f <= sum_over a b g.
Proof.
  intros a b f g H. unfold sum_over.
  assert (K : forall k, (k <= count_of a b)%nat -> sum_first k (nth_from a f) <= sum_first k (nth_from a g)).
  { induction k; intros Hk; simpl; [lra|]. specialize (IHk ltac:(lia)).
    assert (f (a + Z.of_nat k)%Z <= g (a + Z.of_nat k)%Z) by (apply H, nth_in; lia). unfold nth_from at 2 4. lra. }
  apply K. lia.
Qed.

Lemma sum_nonneg : forall a b f, (forall i, (a <= i < b)%Z -> 0 <= f i) -> 0 <= sum_over a b f.
Proof. intros a b f H. rewrite <- (sum_zero a b (fun _ => 0)) by reflexivity. apply sum_le, H. Qed.

Lemma sum_pos : forall a b f, (a < b)%Z -> (forall i, (a <= i < b)%Z -> 0 < f i) -> 0 < sum_over a b f.
Proof.
  intros a b f Hab H. replace b with ((b - 1) + 1)%Z by lia. rewrite sum_last by lia.
  assert (0 <= sum_over a (b - 1) f) by (apply sum_nonneg; intros; apply Rlt_le, H; lia).
  assert (0 < f (b - 1)%Z) by (apply H; lia). lra.
Qed.

(* One term of a sum of such as are not negative is at most the sum. *)
Lemma sum_ge_term : forall a b f i, (a <= i < b)%Z -> (forall j, (a <= j < b)%Z -> 0 <= f j) -> f i <= sum_over a b f.
Proof.
  intros a b f i Hi H.
  assert (K : forall e, (a <= e)%Z -> (e <= b)%Z -> 0 <= sum_over a e f /\ ((i < e)%Z -> f i <= sum_over a e f)).
  { intros e He. pattern e. apply (range_induction a); [| |exact He].
    - intros _. rewrite sum_empty by lia. split; [lra|lia].
    - intros c Hc IH Hb. destruct (IH ltac:(lia)) as [N T]. rewrite sum_last by exact Hc.
      assert (0 <= f c) by (apply H; lia). split; [lra|]. intros Hic.
      destruct (Z.eq_dec i c) as [->|]; [lra|]. specialize (T ltac:(lia)). lra. }
  apply (K b); lia.
Qed.

Lemma sum_split : forall a m b f, (a <= m)%Z -> (m <= b)%Z -> sum_over a b f = sum_over a m f + sum_over m b f.
Proof.
  intros a m b f Ham Hmb. pattern b. apply (range_induction m); [| |exact Hmb].
  - rewrite (sum_empty m m) by lia. lra.
  - intros c Hc IH. rewrite !sum_last, IH by lia. lra.
Qed.

Lemma sum_first_term : forall a b f, (a < b)%Z -> sum_over a b f = f a + sum_over (a + 1) b f.
Proof.
  intros. rewrite (sum_split a (a + 1) b) by lia. rewrite sum_last, sum_empty by lia. lra.
Qed.

Lemma sum_exchange : forall a b c d f,
  sum_over a b (fun i => sum_over c d (fun j => f i j)) = sum_over c d (fun j => sum_over a b (fun i => f i j)).
Proof.
  intros. destruct (Z_le_gt_dec a b) as [H|H].
  - pattern b. apply (range_induction a); [| |exact H].
    + rewrite sum_empty by lia. symmetry. apply sum_zero. intros. apply sum_empty. lia.
    + intros e He IH. rewrite sum_last, IH by exact He. rewrite <- sum_plus. apply sum_ext. intros.
      rewrite sum_last by exact He. reflexivity.
  - rewrite sum_empty by lia. symmetry. apply sum_zero. intros. apply sum_empty. lia.
Qed.

(* The terms of an even number of places, in pairs. *)
Lemma sum_pairs : forall h f, (0 <= h)%Z ->
  sum_over 0 (2 * h) f = sum_over 0 h (fun i => f (2 * i)%Z + f (2 * i + 1)%Z).
Proof.
  intros h f H. pattern h. apply (range_induction 0); [| |exact H].
  - rewrite !sum_empty by lia. reflexivity.
  - intros b Hb IH. replace (2 * (b + 1))%Z with (2 * b + 1 + 1)%Z by lia.
    rewrite !sum_last, IH by lia. lra.
Qed.

(* A sum in which one index alone counts. *)
Lemma sum_single : forall a b k c, (a <= k < b)%Z -> sum_over a b (fun i => if Z.eqb i k then c i else 0) = c k.
Proof.
  intros a b k c H. rewrite (sum_split a k b) by lia. rewrite (sum_first_term k b) by lia.
  rewrite !sum_zero; [rewrite Z.eqb_refl; lra| |]; intros i Hi; destruct (Z.eqb_spec i k); try reflexivity; lia.
Qed.

(* The order of two terms does not matter, so neither does any other. *)
Lemma sum_swap : forall n k f, (0 <= k < n)%Z ->
  sum_over 0 n (fun p => if Z.eqb p 0 then f k else if Z.eqb p k then f 0%Z else f p) = sum_over 0 n f.
Proof.
  intros n k f H. apply Rminus_diag_uniq. rewrite <- sum_minus.
  rewrite (sum_ext 0 n _ (fun p => (if Z.eqb p 0 then f k - f 0%Z else 0) + (if Z.eqb p k then f 0%Z - f k else 0))).
  - rewrite sum_plus, (sum_single 0 n 0 (fun _ => f k - f 0%Z)), (sum_single 0 n k (fun _ => f 0%Z - f k)) by lia. lra.
  - intros p Hp. destruct (Z.eqb_spec p 0); destruct (Z.eqb_spec p k); subst; lra.
Qed.

(* --- Sums of integers --- *)

Lemma zsum_real : forall a b f, IZR (zsum_over a b f) = sum_over a b (fun i => IZR (f i)).
Proof.
  intros. unfold zsum_over, sum_over. induction (count_of a b) as [|k IH]; simpl; [reflexivity|].
  rewrite plus_IZR, IH. reflexivity.
Qed.

Lemma zsum_scale : forall a b c f, zsum_over a b (fun i => c * f i)%Z = (c * zsum_over a b f)%Z.
Proof.
  intros. apply eq_IZR. rewrite mult_IZR, !zsum_real, <- sum_scale. apply sum_ext. intros. apply mult_IZR.
Qed.

Lemma zsum_pos : forall a b f, (a < b)%Z -> (forall i, (a <= i < b)%Z -> (0 < f i)%Z) -> (0 < zsum_over a b f)%Z.
Proof. intros a b f H P. apply lt_IZR. rewrite zsum_real. apply sum_pos; [exact H|]. intros. apply IZR_lt, P. assumption. Qed.

(* A mean lies between any bounds of what it is a mean of. *)
Lemma mean_within : forall a b w u low high, (forall j, (a <= j < b)%Z -> 0 <= w j) -> sum_over a b w = 1 ->
  (forall j, (a <= j < b)%Z -> low <= u j <= high) -> low <= sum_over a b (fun j => w j * u j) <= high.
Proof.
  intros a b w u low high W One U. split.
  - replace low with (sum_over a b (fun j => w j * low)) by (rewrite sum_scale_r, One; ring).
    apply sum_le. intros j Hj. apply Rmult_le_compat_l; [apply W, Hj|apply U, Hj].
  - replace high with (sum_over a b (fun j => w j * high)) by (rewrite sum_scale_r, One; ring).
    apply sum_le. intros j Hj. apply Rmult_le_compat_l; [apply W, Hj|apply U, Hj].
Qed.

(* --- Extrema --- *)

Lemma max_upto_ge : forall k f j, (j <= k)%nat -> f j <= max_upto k f.
Proof.
  induction k; intros f j Hj; cbn [max_upto].
  - replace j with O by lia. apply Rle_refl.
  - destruct (Nat.eq_dec j (S k)) as [->|]; [apply Rmax_r|].
    apply Rle_trans with (max_upto k f); [apply IHk; lia|apply Rmax_l].
Qed.

Lemma max_upto_attained : forall k f, exists j, (j <= k)%nat /\ max_upto k f = f j.
Proof.
  induction k; intros f; cbn [max_upto]; [exists O; split; [lia|reflexivity]|].
  destruct (IHk f) as (j & Hj & E). unfold Rmax. destruct (Rle_dec (max_upto k f) (f (S k))).
  - exists (S k). split; [lia|reflexivity].
  - exists j. split; [lia|exact E].
Qed.

Lemma max_ge : forall a b f i, (a <= i < b)%Z -> f i <= max_over a b f.
Proof.
  intros a b f i H. unfold max_over. replace i with (a + Z.of_nat (Z.to_nat (i - a)))%Z at 1 by lia.
  apply (max_upto_ge _ (nth_from a f)). unfold count_of. lia.
Qed.

Lemma max_attained : forall a b f, (a < b)%Z -> exists i, (a <= i < b)%Z /\ max_over a b f = f i.
Proof.
  intros a b f H. unfold max_over. destruct (max_upto_attained (pred (count_of a b)) (nth_from a f)) as (j & Hj & E).
  exists (a + Z.of_nat j)%Z. split; [unfold count_of in Hj; lia|exact E].
Qed.

Lemma max_ext : forall a b f g, (a < b)%Z -> (forall i, (a <= i < b)%Z -> f i = g i) -> max_over a b f = max_over a b g.
Proof.
  intros a b f g H E. apply Rle_antisym.
  - destruct (max_attained a b f H) as (i & Hi & ->). rewrite E by exact Hi. apply max_ge, Hi.
  - destruct (max_attained a b g H) as (i & Hi & ->). rewrite <- E by exact Hi. apply max_ge, Hi.
Qed.

Lemma max_shift : forall a b f c, (a < b)%Z -> max_over a b (fun i => f i + c) = max_over a b f + c.
Proof.
  intros a b f c H. apply Rle_antisym.
  - destruct (max_attained a b (fun i => f i + c) H) as (i & Hi & ->). assert (f i <= max_over a b f) by (apply max_ge, Hi). lra.
  - destruct (max_attained a b f H) as (i & Hi & ->). apply (max_ge a b (fun i => f i + c)), Hi.
Qed.

Lemma min_upto_max : forall k f, min_upto k f = - max_upto k (fun j => - f j).
Proof.
  induction k; intros f; cbn [min_upto max_upto]; [lra|]. rewrite IHk.
  unfold Rmin, Rmax. destruct Rle_dec; destruct Rle_dec; lra.
Qed.

Lemma min_over_max : forall a b f, min_over a b f = - max_over a b (fun i => - f i).
Proof. intros. apply min_upto_max. Qed.

Lemma min_le : forall a b f i, (a <= i < b)%Z -> min_over a b f <= f i.
Proof.
  intros a b f i H. rewrite min_over_max. assert (- f i <= max_over a b (fun i => - f i)).
  { apply (max_ge a b (fun i => - f i)), H. } lra.
Qed.

Lemma min_attained : forall a b f, (a < b)%Z -> exists i, (a <= i < b)%Z /\ min_over a b f = f i.
Proof.
  intros a b f H. destruct (max_attained a b (fun i => - f i) H) as (i & Hi & E).
  exists i. split; [exact Hi|]. rewrite min_over_max, E. lra.
Qed.

(* --- Recurrences --- *)

Lemma recurrence_first_stable : forall step k i, (i < Z.of_nat k)%Z ->
  recurrence_first step (S k) i = recurrence_first step k i.
Proof. intros. cbn [recurrence_first]. destruct (Z.eqb_spec i (Z.of_nat k)); [lia|reflexivity]. Qed.

Lemma recurrence_first_more : forall step k m i, (k <= m)%nat -> (i < Z.of_nat k)%Z ->
  recurrence_first step m i = recurrence_first step k i.
Proof.
  intros step k m i H Hi. induction H; [reflexivity|]. rewrite recurrence_first_stable by lia. exact IHle.
Qed.

(* An element is its step, where the step reads elements that come before and no others. *)
Lemma recurrence_step : forall n step,
  (forall f g i, (0 <= i < n)%Z -> (forall j, (0 <= j < i)%Z -> f j = g j) -> step f i = step g i) ->
  forall i, (0 <= i < n)%Z -> recurrence_over n step i = step (recurrence_over n step) i.
Proof.
  intros n step local i Hi. unfold recurrence_over.
  rewrite (recurrence_first_more step (S (Z.to_nat i)) (Z.to_nat n)) by lia.
  cbn [recurrence_first]. rewrite Z2Nat.id by lia. rewrite Z.eqb_refl.
  apply local; [exact Hi|]. intros j Hj. symmetry. apply recurrence_first_more; lia.
Qed.

(* --- Tactics: that a claim has a value is often a row of small facts --- *)

Ltac split_all := cbv zeta beta; repeat match goal with |- _ /\ _ => split | |- forall _, _ => intro end.

(* A sum of exponentials over a range that is not empty is positive, and so it is not zero. *)
Ltac sum_of_exponentials :=
  first [apply sum_pos | apply Rlt_gt, sum_pos | apply Rgt_not_eq, sum_pos]; [lia|intros; apply exp_pos].

(* --- Exponentials and logarithms --- *)

Lemma exp_ge_1_plus : forall x, 1 + x <= exp x.
Proof. intros x. destruct (Req_dec x 0) as [->|H]; [rewrite exp_0; lra|]. apply Rlt_le, exp_ineq1, H. Qed.

Lemma ln_le_minus_1 : forall x, 0 < x -> ln x <= x - 1.
Proof. intros x H. assert (E := exp_ge_1_plus (ln x)). rewrite exp_ln in E by exact H. lra. Qed.

Lemma exp_sub : forall a b, exp (a - b) = exp a / exp b.
Proof. intros. unfold Rminus. rewrite exp_plus, exp_Ropp. reflexivity. Qed.

Lemma exp_le : forall a b, a <= b -> exp a <= exp b.
Proof. intros a b [H| ->]; [apply Rlt_le, exp_increasing, H|apply Rle_refl]. Qed.

(* Gibbs: the divergence of two positive vectors of equal sums is not negative. *)
Lemma gibbs : forall a b p q,
  (forall j, (a <= j < b)%Z -> 0 < p j) -> (forall j, (a <= j < b)%Z -> 0 < q j) ->
  sum_over a b p = sum_over a b q -> 0 <= sum_over a b (fun j => p j * ln (p j / q j)).
Proof.
  intros a b p q Hp Hq E. replace 0 with (sum_over a b (fun j => p j - q j)) by (rewrite sum_minus; lra).
  apply sum_le. intros j Hj. specialize (Hp j Hj). specialize (Hq j Hj).
  assert (0 < q j / p j) by (apply Rdiv_lt_0_compat; assumption).
  assert (L := ln_le_minus_1 (q j / p j) ltac:(assumption)).
  assert (ln (p j / q j) = - ln (q j / p j)).
  { rewrite <- ln_Rinv by assumption. f_equal. field. split; lra. }
  rewrite H0. assert (p j * (q j / p j) = q j) by (field; lra).
  apply Rmult_le_compat_l with (r := p j) in L; lra.
Qed.
