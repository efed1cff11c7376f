(** Local games: why F wins who answers every disc in its own group of columns. *)

From Coq Require Import Uint63 List Bool Lia.
From Fourcast Require Import Theory Squares.
Import ListNotations.
Open Scope uint63_scope.

(** A group: its columns, all their squares, and sets of squares of which O must not get all. In a group
    that [wins] O can always move. When O has filled a group that [passes], F moves in one that [takes]
    this free move. *)
Record group : Set := Group
  { cols : list int; region : int; needs : list int; wins : bool; passes : bool; takes : bool }.

Section Local.
Variable height : int.
Variable columns : list int.
Variables mine0 theirs0 : int.  (* the position in which the groups are made; O is to move *)

Notation landing := (landing height).
Notation column := (column height).
Notation four := (four height).

Definition safe (g : group) (t : int) : bool :=
  ((t land mine0) =? 0) && negb (four (theirs0 lor t))
  && forallb (fun need => negb ((need land t) =? need)) (needs g).

(** F may put a disc into column [c]: it lands on one square, which is empty. *)
Definition fresh (g : group) (c discs : int) : Prop :=
  In c (cols g) /\ landing c discs <> 0 /\ landing c discs land discs = 0.

(** F reaches the goal of a group, O to move; [m] and [t] are F's and O's discs in it, and [free] says
    that the free move has not been made. *)
Inductive Good (g : group) : bool -> int -> int -> Prop :=
| good : forall free m t,
    safe g t = true ->
    (wins g = true -> exists r, In r (cols g) /\ landing r (m lor t) <> 0) ->
    (forall r, In r (cols g) -> landing r (m lor t) <> 0 ->
       safe g (t lor landing r (m lor t)) = true /\
       (Answered g free m (t lor landing r (m lor t)) \/
        (free = true /\ passes g = true /\ Good g false m (t lor landing r (m lor t))))) ->
    (free = true -> takes g = true -> Answered g false m t) ->
    Good g free m t
with Answered (g : group) : bool -> int -> int -> Prop :=
| answered : forall free m t c,
    fresh g c (m lor t) ->
    four (mine0 lor (m lor landing c (m lor t))) = true \/ Good g free (m lor landing c (m lor t)) t ->
    Answered g free m t.

(** ** Several groups *)

Variable groups : list group.  (* without free moves *)
Variable pair : option (group * group).

Definition all : list group :=
  match pair with None => groups | Some (a, b) => a :: b :: groups end.

Definition board : int := fold_right (fun c rest => column c lor rest) 0 columns.

(** O completes no four [l] if one group stops it. *)
Definition stops (l : int) (g : group) : bool :=
  (four l && (((l land theirs0) lor (l land region g)) =? l))
  || existsb (fun need => ((need land l) =? need) && ((need land region g) =? need)) (needs g).

Definition stopped (l : int) : bool :=
  negb ((l land board) =? l) || negb ((l land mine0) =? 0) || existsb (stops l) all.

Fixpoint disjoint (gs : list group) : bool :=
  match gs with
  | [] => true
  | g :: rest => forallb (fun h => (region g land region h) =? 0) rest && disjoint rest
  end.

Definition holds_columns (g : group) : bool :=
  forallb (fun c => existsb (fun d => d =? c) columns && ((column c land region g) =? column c)) (cols g).

Definition sound : bool :=
  forallb (fun p => forallb (fun s => stopped (line p s)) (steps height)) places
  && (disjoint all && forallb (fun g => negb (region g =? 0)) all)
  && forallb holds_columns all
  && forallb (fun c => existsb (fun g => existsb (fun d => d =? c) (cols g)) all) columns
  && existsb wins all
  && match pair with
     | None => true
     | Some (a, b) => (negb (passes a) || takes b) && (negb (passes b) || takes a)
     end.

Definition Holds (free : bool) (mine theirs : int) (g : group) : Prop :=
  Good g free (mine land region g) (theirs land region g).

Definition Invariant (free : bool) (mine theirs : int) : Prop :=
  within mine0 mine /\ within theirs0 theirs /\ within theirs board /\
  (forall i, bit theirs i = true -> bit mine0 i = false) /\
  (forall g, In g groups -> Holds false mine theirs g) /\
  match pair with None => True | Some (a, b) => Holds free mine theirs a /\ Holds free mine theirs b end.

Hypothesis is_sound : sound = true.

Lemma sound_parts :
  (forall p s, In p places -> In s (steps height) -> stopped (line p s) = true)
  /\ (disjoint all = true /\ forall g, In g all -> region g <> 0)
  /\ (forall g c, In g all -> In c (cols g) -> In c columns /\ within (column c) (region g))
  /\ (forall c, In c columns -> exists g, In g all /\ In c (cols g))
  /\ (exists g, In g all /\ wins g = true)
  /\ (forall a b, pair = Some (a, b) -> (passes a = true -> takes b = true) /\ (passes b = true -> takes a = true)).
Proof.
  pose proof is_sound as H. unfold sound in H.
  apply andb_true_iff in H. destruct H as [H Hp]. apply andb_true_iff in H. destruct H as [H Hw].
  apply andb_true_iff in H. destruct H as [H Hc]. apply andb_true_iff in H. destruct H as [H Hg].
  apply andb_true_iff in H. destruct H as [Hl Hd]. apply andb_true_iff in Hd. destruct Hd as [Hd Hn].
  rewrite forallb_forall in Hl, Hg, Hc, Hn.
  split; [| split; [| split; [| split; [| split]]]].
  - intros p s P S. specialize (Hl p P). rewrite forallb_forall in Hl. auto.
  - split; [assumption |]. intros g G. apply not_zero. auto.
  - intros g c G C. specialize (Hg g G). unfold holds_columns in Hg. rewrite forallb_forall in Hg.
    specialize (Hg c C). apply andb_true_iff in Hg. destruct Hg as [E W]. split.
    + apply existsb_exists in E. destruct E as [d [D E]]. apply eqb_correct in E. subst. assumption.
    + apply eqb_correct in W. apply within_land. assumption.
  - intros c C. specialize (Hc c C). apply existsb_exists in Hc. destruct Hc as [g [G E]].
    exists g. split; [assumption |]. apply existsb_exists in E. destruct E as [d [D E]].
    apply eqb_correct in E. subst. assumption.
  - apply existsb_exists in Hw. assumption.
  - intros a b E. rewrite E in Hp. apply andb_true_iff in Hp. destruct Hp as [X Y].
    split; intro P; [rewrite P in X | rewrite P in Y]; assumption.
Qed.

(** A disc of one group is in no other. *)
Lemma apart : forall gs g h i, disjoint gs = true -> In g gs -> In h gs ->
  bit (region g) i = true -> bit (region h) i = true -> g = h.
Proof.
  induction gs as [| k gs IH]; simpl; intros g h i D G H Bg Bh; [contradiction |].
  apply andb_true_iff in D. destruct D as [F D]. rewrite forallb_forall in F.
  assert (X : forall x, In x gs -> bit (region k) i = true -> bit (region x) i = true -> False).
  { intros x I B1 B2. specialize (F x I). apply eqb_correct in F.
    apply (f_equal (fun y => bit y i)) in F. rewrite land_spec, B1, B2, bit_0 in F. discriminate. }
  destruct G as [G | G]; destruct H as [H | H]; subst.
  - reflexivity.
  - exfalso. eauto.
  - exfalso. eauto.
  - eauto.
Qed.

Lemma move_inside : forall g x discs l, within l (region g) -> (x = discs lor l) ->
  x land region g = (discs land region g) lor l.
Proof.
  intros g x discs l W E. subst. apply bit_ext. intro i. rewrite !land_spec, !lor_spec, !land_spec.
  destruct (bit l i) eqn:B; [rewrite (W i B) |].
  - rewrite !orb_true_r. reflexivity.
  - rewrite !orb_false_r. reflexivity.
Qed.

Lemma move_outside : forall g h discs l, In g all -> In h all -> g <> h -> within l (region g) ->
  (discs lor l) land region h = discs land region h.
Proof.
  intros g h discs l G H N W. apply bit_ext. intro i. rewrite !land_spec, !lor_spec.
  destruct (bit l i) eqn:B; [| rewrite orb_false_r; reflexivity].
  destruct (bit (region h) i) eqn:R; [| rewrite !andb_false_r; reflexivity].
  exfalso. apply N. destruct sound_parts as [_ [[D _] _]]. apply (apart all g h i D G H); auto.
Qed.

Lemma safe_spec : forall g t, safe g t = true ->
  (forall i, bit t i = true -> bit mine0 i = false) /\ four (theirs0 lor t) = false /\
  (forall need, In need (needs g) -> ~ within need t).
Proof.
  intros g t H. unfold safe in H. apply andb_true_iff in H. destruct H as [H N].
  apply andb_true_iff in H. destruct H as [Z F]. split; [| split].
  - intros i B. apply eqb_correct in Z. apply (f_equal (fun y => bit y i)) in Z.
    rewrite land_spec, B, bit_0 in Z. assumption.
  - apply negb_true_iff. assumption.
  - intros need I W. rewrite forallb_forall in N. specialize (N need I).
    apply not_same in N. apply N. apply land_within. assumption.
Qed.

(** O has no four where all groups are safe. *)
Lemma no_four : forall theirs, within theirs0 theirs -> within theirs board ->
  (forall i, bit theirs i = true -> bit mine0 i = false) ->
  (forall g, In g all -> safe g (theirs land region g) = true) -> four theirs = false.
Proof.
  intros theirs T0 TB D S. destruct (four theirs) eqn:F; [| reflexivity]. exfalso.
  destruct (four_is_line _ _ F) as [p [s [P [I W]]]].
  destruct sound_parts as [L _]. specialize (L p s P I). set (l := line p s) in *.
  unfold stopped in L. apply orb_true_iff in L. destruct L as [L | L].
  - apply orb_true_iff in L. destruct L as [L | L].
    + apply not_same in L. apply L. apply land_within.
      apply (within_trans _ theirs); assumption.
    + apply not_zero in L. destruct (some_bit _ L) as [i B]. rewrite land_spec in B.
      apply andb_true_iff in B. destruct B as [B1 B2]. rewrite (D i (W i B1)) in B2. discriminate.
  - apply existsb_exists in L. destruct L as [g [G H]]. specialize (S g G).
    destruct (safe_spec _ _ S) as [_ [N Q]]. unfold stops in H. apply orb_true_iff in H.
    destruct H as [H | H].
    + apply andb_true_iff in H. destruct H as [H4 H]. apply eqb_correct in H.
      rewrite (four_monotone height l) in N; [discriminate | | assumption].
      intros i B. pose proof (W i B) as BT. rewrite <- H, lor_spec, !land_spec in B.
      rewrite lor_spec, land_spec. apply orb_true_iff in B. apply orb_true_iff.
      destruct B as [B | B]; apply andb_true_iff in B; destruct B as [_ B]; [left; assumption |].
      right. rewrite BT, B. reflexivity.
    + apply existsb_exists in H. destruct H as [need [I' H]]. apply andb_true_iff in H.
      destruct H as [H1 H2]. apply eqb_correct in H1, H2. apply within_land in H1, H2.
      apply (Q need I'). intros i B. rewrite land_spec. rewrite (W i (H1 i B)), (H2 i B). reflexivity.
Qed.

Lemma holds_safe : forall free mine theirs g, Holds free mine theirs g -> safe g (theirs land region g) = true.
Proof. intros free mine theirs g H. unfold Holds in H. inversion H. assumption. Qed.

Lemma invariant_safe : forall free mine theirs g, Invariant free mine theirs -> In g all ->
  safe g (theirs land region g) = true.
Proof.
  intros free mine theirs g [_ [_ [_ [_ [A B]]]]] I. unfold all in I. destruct pair as [[a b] |].
  - destruct B as [Ba Bb]. destruct I as [I | [I | I]]; subst; eauto using holds_safe.
  - eauto using holds_safe.
Qed.

(** The two groups with free moves differ from each other and from the rest. *)
Lemma distinct : forall a b, pair = Some (a, b) -> a <> b /\ ~ In a groups /\ ~ In b groups.
Proof.
  intros a b P. destruct sound_parts as [_ [[D N] _]]. unfold all in D, N. rewrite P in D, N.
  simpl in D. apply andb_true_iff in D. destruct D as [Da D].
  apply andb_true_iff in D. destruct D as [Db _].
  apply andb_true_iff in Da. destruct Da as [Dab Da]. rewrite forallb_forall in Da, Db.
  assert (X : forall g, (region g land region g) =? 0 = true -> region g <> 0 -> False).
  { intros g E Z. apply eqb_correct in E. apply Z. rewrite <- E. symmetry. apply land_within.
    intros i B. assumption. }
  split; [| split].
  - intro E. subst b. apply (X a); [assumption |]. apply N. left. reflexivity.
  - intro I. apply (X a); [apply Da; assumption |]. apply N. left. reflexivity.
  - intro I. apply (X b); [apply Db; assumption |]. apply N. right. left. reflexivity.
Qed.

Lemma group_dec : forall g h : group, {g = h} + {g <> h}.
Proof.
  assert (I : forall a b : int, {a = b} + {a <> b}) by exact eqs.
  decide equality; try apply bool_dec; try apply (list_eq_dec I); apply I.
Qed.

(** Which phase a group is in: only those with free moves have two. *)
Definition is_paired (g : group) : bool :=
  match pair with
  | None => false
  | Some (a, b) => (if group_dec g a then true else false) || (if group_dec g b then true else false)
  end.

Definition phase (free : bool) (g : group) : bool := free && is_paired g.

Lemma invariant_holds : forall free mine theirs, Invariant free mine theirs <->
  within mine0 mine /\ within theirs0 theirs /\ within theirs board /\
  (forall i, bit theirs i = true -> bit mine0 i = false) /\
  (forall g, In g all -> Holds (phase free g) mine theirs g).
Proof.
  intros free mine theirs. unfold Invariant, phase, is_paired, all.
  destruct pair as [[a b] |] eqn:P.
  - destruct (distinct a b P) as [N [Na Nb]].
    split; intros [V1 [V2 [V3 [V4 V]]]]; (split; [assumption |]); (split; [assumption |]);
      (split; [assumption |]); (split; [assumption |]); [| split; [| split]].
    + destruct V as [V [Va Vb]]. intros g [I | [I | I]].
      * subst g. destruct (group_dec a a); [| contradiction]. rewrite andb_true_r. assumption.
      * subst g. destruct (group_dec b b); [| contradiction]. rewrite orb_true_r, andb_true_r. assumption.
      * destruct (group_dec g a); [subst; contradiction |]. destruct (group_dec g b); [subst; contradiction |].
        simpl. rewrite andb_false_r. auto.
    + intros g I. specialize (V g (or_intror (or_intror I))).
      destruct (group_dec g a); [subst; contradiction |]. destruct (group_dec g b); [subst; contradiction |].
      simpl in V. rewrite andb_false_r in V. assumption.
    + specialize (V a (or_introl eq_refl)). destruct (group_dec a a); [| contradiction].
      rewrite andb_true_r in V. assumption.
    + specialize (V b (or_intror (or_introl eq_refl))). destruct (group_dec b b); [| contradiction].
      rewrite orb_true_r, andb_true_r in V. assumption.
  - split; intros [V1 [V2 [V3 [V4 V]]]]; (split; [assumption |]); (split; [assumption |]);
      (split; [assumption |]); (split; [assumption |]).
    + intros g I. rewrite andb_false_r. destruct V as [V _]. apply V. assumption.
    + split; [| exact Logic.I]. intros g I. specialize (V g I). rewrite andb_false_r in V. assumption.
Qed.

Lemma columns_on_board : forall c, In c columns -> within (column c) board.
Proof.
  unfold board. induction columns as [| d l IH]; simpl; intros c I; [contradiction |].
  intros i B. rewrite lor_spec. destruct I as [I | I].
  - subst. rewrite B. reflexivity.
  - rewrite (IH c I i B). apply orb_true_r.
Qed.

(** What is known of a group's columns. *)
Lemma local_landing : forall g c x y, In g all -> In c (cols g) ->
  landing c ((x land region g) lor (y land region g)) = landing c (x lor y)
  /\ within (landing c (x lor y)) (region g).
Proof.
  intros g c x y G C. destruct sound_parts as [_ [_ [S _]]]. destruct (S g c G C) as [_ W]. split.
  - apply landing_local. assumption.
  - eapply within_trans; [apply landing_within | assumption].
Qed.

Lemma lor_assoc' : forall x y, x lor y = y lor x.
Proof. intros x y. apply bit_ext. intro i. rewrite !lor_spec. apply orb_comm. Qed.

(** After a reply of O's in group [g], which is answered in group [h]: F wins at once, or the invariant
    holds again with more discs on the board. *)
Lemma answer_wins : forall n,
  (forall free mine theirs, Invariant free mine theirs -> (63 - count (mine lor theirs) < n)%nat ->
     Wins_after height columns mine theirs) ->
  forall free mine theirs h, In h all ->
  within mine0 mine -> within theirs0 theirs -> within theirs board ->
  (forall i, bit theirs i = true -> bit mine0 i = false) ->
  (forall g, In g all -> g <> h -> Holds (phase free g) mine theirs g) ->
  Answered h (phase free h) (mine land region h) (theirs land region h) ->
  (63 - count (mine lor theirs) < S n)%nat ->
  Wins height columns mine theirs.
Proof.
  intros n IH free mine theirs h H V1 V2 V3 V4 V A L.
  inversion A as [f m t c [C [NZ FR]] D]; subst.
  destruct (local_landing h c mine theirs H C) as [E W]. rewrite E in *.
  destruct sound_parts as [_ [_ [S _]]]. destruct (S h c H C) as [CC _].
  assert (LG : legal height columns c mine theirs) by (split; assumption).
  set (l := landing c (mine lor theirs)) in *.
  assert (P : play height c mine theirs = mine lor l) by reflexivity.
  assert (M : within mine (mine lor l)) by (intros i B; rewrite lor_spec, B; reflexivity).
  destruct D as [D | D].
  - apply (at_once height columns mine theirs c); [assumption |]. rewrite P.
    apply (four_monotone height _ _) with (2 := D). intros i B. rewrite !lor_spec, land_spec in B. rewrite lor_spec.
    apply orb_true_iff in B. destruct B as [B | B]; [rewrite (V1 i B); reflexivity |].
    apply orb_true_iff in B. destruct B as [B | B]; [| rewrite B; apply orb_true_r].
    apply andb_true_iff in B. destruct B as [B _]. rewrite B. reflexivity.
  - assert (WA : Wins_after height columns (mine lor l) theirs).
    + apply (IH free).
      * apply invariant_holds. split; [eapply within_trans; eassumption |].
        split; [assumption |]. split; [assumption |]. split; [assumption |].
        { intros g G. destruct (group_dec g h) as [EQ | NE].
          - subst g. unfold Holds. rewrite (move_inside h (mine lor l) mine l W eq_refl). assumption.
          - unfold Holds. rewrite (move_outside h g mine l H G (not_eq_sym NE) W). apply V; assumption. }
      * destruct (some_bit l NZ) as [i B].
        assert (Z : bit (mine lor theirs) i = false).
        { destruct (bit (mine lor theirs) i) eqn:Z; [| reflexivity]. exfalso.
          apply (f_equal (fun y => bit y i)) in FR.
          rewrite land_spec, B, lor_spec, !land_spec, bit_0, (W i B), !andb_true_r in FR.
          rewrite lor_spec in Z. rewrite Z in FR. discriminate. }
        assert (LT : (count (mine lor theirs) < count ((mine lor l) lor theirs))%nat).
        { apply (count_less _ _ i); [| | assumption].
          - intros j X. rewrite !lor_spec in *. destruct (bit mine j); [reflexivity |].
            simpl in X. rewrite X. apply orb_true_r.
          - rewrite !lor_spec, B, orb_true_r. reflexivity. }
        pose proof (count_at_most ((mine lor l) lor theirs)). lia.
    + destruct WA as [X Y]. apply (later height columns mine theirs c); rewrite ?P; assumption.
Qed.

Theorem invariant_wins : forall n free mine theirs, Invariant free mine theirs ->
  (63 - count (mine lor theirs) < n)%nat -> Wins_after height columns mine theirs.
Proof.
  induction n as [| n IH]; intros free mine theirs V L; [lia |].
  pose proof V as V0. apply invariant_holds in V. destruct V as [V1 [V2 [V3 [V4 V]]]].
  destruct sound_parts as [_ [_ [SC [SG [SW SP]]]]]. split.
  - destruct SW as [g [G W]]. specialize (V g G). unfold Holds in V.
    inversion V as [f m t _ X _ _]; subst. destruct (X W) as [r [R N]].
    exists r. destruct (local_landing g r mine theirs G R) as [E _]. rewrite E in N.
    destruct (SC g r G R) as [C _]. split; [assumption |]. rewrite lor_assoc'. assumption.
  - intros r [C N]. destruct (SG r C) as [g [G R]].
    destruct (local_landing g r mine theirs G R) as [E W].
    rewrite lor_assoc' in N.
    assert (P : play height r theirs mine = theirs lor landing r (mine lor theirs))
      by (unfold play; rewrite (lor_assoc' theirs mine); reflexivity).
    rewrite P. set (l := landing r (mine lor theirs)) in *. set (theirs' := theirs lor l).
    pose proof (V g G) as Vg. unfold Holds in Vg.
    inversion Vg as [f m t _ _ X T]; subst. specialize (X r R). rewrite E in X. specialize (X N).
    destruct X as [SF X].
    assert (EI : theirs' land region g = (theirs land region g) lor l) by (apply (move_inside g _ theirs); auto).
    assert (EO : forall h, In h all -> h <> g -> theirs' land region h = theirs land region h)
      by (intros h H NE; apply (move_outside g); auto).
    assert (V2' : within theirs0 theirs')
      by (intros i B; unfold theirs'; rewrite lor_spec, (V2 i B); reflexivity).
    assert (V3' : within theirs' board).
    { unfold theirs'. apply within_lor; [assumption |].
      eapply within_trans; [apply landing_within | apply columns_on_board; assumption]. }
    assert (V4' : forall i, bit theirs' i = true -> bit mine0 i = false).
    { intros i B. unfold theirs' in B. rewrite lor_spec in B. apply orb_true_iff in B.
      destruct B as [B | B]; [auto |]. destruct (safe_spec _ _ SF) as [Z _]. apply Z.
      rewrite lor_spec, B. apply orb_true_r. }
    assert (O : forall h, In h all -> h <> g -> Holds (phase free h) mine theirs' h)
      by (intros h H NE; unfold Holds; rewrite (EO h H NE); apply V; assumption).
    split.
    + apply no_four; try assumption. intros h H. destruct (group_dec h g) as [EQ | NE].
      * subst h. rewrite EI. assumption.
      * eapply holds_safe. apply O; assumption.
    + assert (CT : (count (mine lor theirs) <= count (mine lor theirs'))%nat).
      { unfold count. induction places as [| p ps IHp]; simpl; [lia |].
        destruct (bit (mine lor theirs) p) eqn:B.
        - assert (B' : bit (mine lor theirs') p = true).
          { unfold theirs'. rewrite !lor_spec in *. destruct (bit mine p); [reflexivity |].
            simpl in *. rewrite B. reflexivity. }
          rewrite B'. simpl. lia.
        - destruct (bit (mine lor theirs') p); simpl; lia. }
      assert (L' : (63 - count (mine lor theirs') < Datatypes.S n)%nat) by lia.
      destruct X as [X | [F [PA X]]].
      * apply (answer_wins n IH free mine theirs' g); try assumption. rewrite EI. assumption.
      * unfold phase in F. apply andb_true_iff in F. destruct F as [F Q]. subst free.
        unfold is_paired in Q. destruct pair as [[a b] |] eqn:PR; [| discriminate].
        destruct (distinct a b PR) as [NAB [NA NB]]. destruct (SP a b eq_refl) as [TA TB].
        (* [h] takes the free move *)
        assert (H : exists h, In h all /\ h <> g /\ takes h = true /\ phase true h = true /\
                   forall k, In k all -> k <> g -> k <> h -> phase true k = false).
        { assert (IA : In a all) by (unfold all; rewrite PR; simpl; auto).
          assert (IB : In b all) by (unfold all; rewrite PR; simpl; auto).
          assert (K : forall k, k <> a -> k <> b -> phase true k = false).
          { intros k Ka Kb. unfold phase, is_paired. rewrite PR.
            destruct (group_dec k a); [contradiction |]. destruct (group_dec k b); [contradiction |]. reflexivity. }
          assert (PH : forall k, k = a \/ k = b -> phase true k = true).
          { intros k [X' | X']; subst k; unfold phase, is_paired; rewrite PR.
            - destruct (group_dec a a); [reflexivity | contradiction].
            - destruct (group_dec b b); [apply orb_true_r | contradiction]. }
          destruct (group_dec g a) as [Ea | Na].
          - subst g. exists b. repeat split; auto.
          - destruct (group_dec g b) as [Eb | Nb]; [| discriminate].
            subst g. exists a. repeat split; auto. }
        destruct H as [h [H [NE [TK [PH K]]]]].
        pose proof (O h H NE) as Vh. unfold Holds in Vh. inversion Vh as [f m t _ _ _ T']; subst.
        rewrite PH in T'. specialize (T' eq_refl TK).
        apply (answer_wins n IH false mine theirs' h); try assumption.
        intros k Ik Nk. unfold phase. simpl. destruct (group_dec k g) as [EQ | NK].
        { subst k. unfold Holds. rewrite EI. assumption. }
        { specialize (O k Ik NK). rewrite (K k Ik NK Nk) in O. assumption. }
Qed.

End Local.
