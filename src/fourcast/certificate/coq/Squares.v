(** Sets of squares: subsets, how many squares there are, and fours as lines. *)

From Coq Require Import Uint63 List Bool ZArith Lia.
From Fourcast Require Import Theory.
Import ListNotations.
Open Scope uint63_scope.

Definition within (a b : int) : Prop := forall i, bit a i = true -> bit b i = true.

Lemma within_land : forall a b, a land b = a -> within a b.
Proof. intros a b E i H. rewrite <- E, land_spec in H. apply andb_true_iff in H. tauto. Qed.

Lemma land_within : forall a b, within a b -> a land b = a.
Proof.
  intros a b H. apply bit_ext. intro i. rewrite land_spec.
  destruct (bit a i) eqn:E; [rewrite (H i E) |]; reflexivity.
Qed.

Lemma within_lor : forall a b c, within a c -> within b c -> within (a lor b) c.
Proof.
  intros a b c H1 H2 i H. rewrite lor_spec in H. apply orb_true_iff in H. destruct H; auto.
Qed.

Lemma within_trans : forall a b c, within a b -> within b c -> within a c.
Proof. intros a b c H1 H2 i H. auto. Qed.

Lemma not_same : forall x y, negb (x =? y) = true -> x <> y.
Proof.
  intros x y H E. subst y. apply negb_true_iff in H.
  assert (R : (x =? x) = true) by apply Uint63.eqb_refl. congruence.
Qed.

(** All places of bits. *)
Definition places : list int := map (fun n => of_Z (Z.of_nat n)) (seq 0 63).

Lemma in_places : forall x i, bit x i = true -> In i places.
Proof.
  intros x i H. destruct (digits <=? i) eqn:E; [rewrite bit_M in H by assumption; discriminate |].
  assert (L : (to_Z i < 63)%Z).
  { destruct (Z_lt_le_dec (to_Z i) 63) as [L | L]; [assumption |].
    exfalso. assert (X : (digits <=? i) = true) by (apply leb_spec; exact L). congruence. }
  pose proof (to_Z_bounded i). unfold places. apply in_map_iff. exists (Z.to_nat (to_Z i)). split.
  - rewrite Z2Nat.id by lia. apply of_to_Z.
  - apply in_seq. lia.
Qed.

Lemma some_bit : forall x, x <> 0 -> exists i, bit x i = true.
Proof.
  intros x H. destruct (existsb (bit x) places) eqn:E.
  - apply existsb_exists in E. destruct E as [i [_ B]]. exists i. assumption.
  - exfalso. apply H. apply bit_ext. intro i. rewrite bit_0. destruct (bit x i) eqn:B; [| reflexivity].
    assert (X : existsb (bit x) places = true)
      by (apply existsb_exists; exists i; split; [apply (in_places x) |]; assumption). congruence.
Qed.

Lemma bit_not_zero : forall x i, bit x i = true -> x <> 0.
Proof. intros x i H E. rewrite E, bit_0 in H. discriminate. Qed.

Definition count (x : int) : nat := length (filter (bit x) places).

Lemma count_at_most : forall x, (count x <= 63)%nat.
Proof.
  intro x. unfold count. change 63%nat with (length places).
  induction places as [| p l IH]; simpl; [lia |]. destruct (bit x p); simpl; lia.
Qed.

Lemma count_less : forall a b i, within a b -> bit b i = true -> bit a i = false -> (count a < count b)%nat.
Proof.
  intros a b i W B A. unfold count. pose proof (in_places b i B) as I. revert I.
  assert (M : forall l, (length (filter (bit a) l) <= length (filter (bit b) l))%nat).
  { induction l as [| p l IH]; simpl; [lia |].
    destruct (bit a p) eqn:E; [rewrite (W p E); simpl; lia |]. destruct (bit b p); simpl; lia. }
  induction places as [| p l IH]; simpl; intros I; [contradiction |].
  destruct I as [E | I].
  - subst p. rewrite A, B. simpl. specialize (M l). lia.
  - specialize (IH I). destruct (bit a p) eqn:E; [rewrite (W p E); simpl; lia |].
    destruct (bit b p); simpl; lia.
Qed.

(** Fours as lines of squares. *)
Definition line (p step : int) : int :=
  (1 << p) lor (1 << (step + p)) lor (1 << (2 * step + p)) lor (1 << (step + (2 * step + p))).

Lemma bit_within : forall x p, bit x p = true -> within (1 << p) x.
Proof.
  intros x p H i B. rewrite bit_lsl in B.
  destruct ((i <? p) || (digits <=? i)) eqn:E; [discriminate |].
  rewrite bit_1 in B. apply eqb_correct in B. apply orb_false_iff in E. destruct E as [E _].
  assert (X : i = p); [| rewrite X; assumption].
  apply to_Z_inj. apply (f_equal to_Z) in B. rewrite sub_spec in B. change (to_Z 0) with 0%Z in B.
  assert (G : ~ (to_Z i < to_Z p)%Z) by (rewrite <- ltb_spec, E; discriminate).
  pose proof (to_Z_bounded i). pose proof (to_Z_bounded p).
  rewrite Z.mod_small in B by lia. lia.
Qed.

Lemma bit_lsr_true : forall x i j, bit (x >> i) j = true -> bit x (i + j) = true.
Proof. intros x i j H. rewrite bit_lsr in H. destruct (j <=? i + j); [assumption | discriminate]. Qed.

Lemma row_is_line : forall discs step, row_of_four discs step = true ->
  exists p, In p places /\ within (line p step) discs.
Proof.
  intros discs step H. unfold row_of_four in H. apply not_zero in H.
  destruct (some_bit _ H) as [p B]. exists p. rewrite land_spec in B.
  apply andb_true_iff in B. destruct B as [B1 B2].
  apply bit_lsr_true in B2. rewrite land_spec in B1, B2.
  apply andb_true_iff in B1. apply andb_true_iff in B2. destruct B1 as [B0 B1]. destruct B2 as [B2 B3].
  apply bit_lsr_true in B1, B3. split; [apply (in_places discs); assumption |].
  unfold line. repeat apply within_lor; apply bit_within; assumption.
Qed.

Lemma row_monotone : forall a b step, within a b -> row_of_four a step = true -> row_of_four b step = true.
Proof.
  intros a b step W H. unfold row_of_four in *. apply not_zero in H. apply not_zero.
  destruct (some_bit _ H) as [p B]. apply (bit_not_zero _ p).
  rewrite land_spec, bit_lsr in B |- *. apply andb_true_iff in B. destruct B as [B1 B2].
  destruct (p <=? 2 * step + p); [| discriminate].
  rewrite land_spec, bit_lsr in B1, B2 |- *. rewrite land_spec, bit_lsr.
  apply andb_true_iff in B1. apply andb_true_iff in B2. destruct B1 as [B0 B1]. destruct B2 as [B2 B3].
  rewrite (W _ B0), (W _ B2). simpl.
  destruct (p <=? step + p); [| discriminate]. rewrite (W _ B1).
  destruct (2 * step + p <=? step + (2 * step + p)); [| discriminate]. rewrite (W _ B3). reflexivity.
Qed.

Section Fours.
Variable height : int.

Definition steps : list int := [1; height; height + 1; height + 2].

Lemma four_rows : forall discs, four height discs = existsb (row_of_four discs) steps.
Proof. intro discs. unfold four, steps. simpl. rewrite orb_false_r, !orb_assoc. reflexivity. Qed.

Lemma four_monotone : forall a b, within a b -> four height a = true -> four height b = true.
Proof.
  intros a b W H. rewrite four_rows in *. apply existsb_exists in H. destruct H as [s [I H]].
  apply existsb_exists. exists s. split; [assumption |]. apply (row_monotone a); assumption.
Qed.

Lemma four_is_line : forall discs, four height discs = true ->
  exists p s, In p places /\ In s steps /\ within (line p s) discs.
Proof.
  intros discs H. rewrite four_rows in H. apply existsb_exists in H. destruct H as [s [I H]].
  destruct (row_is_line _ _ H) as [p [P W]]. exists p, s. auto.
Qed.

(** Where discs land. *)
Lemma landing_within : forall c discs, within (landing height c discs) (column height c).
Proof. intros c discs i H. unfold landing in H. rewrite land_spec in H. apply andb_true_iff in H. tauto. Qed.

Lemma landing_local : forall c region x y, within (column height c) region ->
  landing height c ((x land region) lor (y land region)) = landing height c (x lor y).
Proof.
  intros c region x y W. unfold landing. f_equal. f_equal. apply bit_ext. intro i.
  rewrite !land_spec, !lor_spec, !land_spec. destruct (bit (column height c) i) eqn:E.
  - rewrite (W i E), !andb_true_r. reflexivity.
  - rewrite !andb_false_r. reflexivity.
Qed.

End Fours.
