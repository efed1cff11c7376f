(** A walk through a certificate that checks it: what it accepts is won. *)

From Coq Require Import Uint63 List Bool.
From Fourcast Require Import Theory Squares Local.
Import ListNotations.
Open Scope uint63_scope.

(** ** What has been proven: sets of pairs *)

(** A node is a choice by one bit of a key. That pairs lie where they are looked for need not be proven. *)
Inductive tree : Set :=
| empty
| leaf (key m t : int)
| node (zero one : tree).

Definition key_of (m t : int) : int :=
  let x := m * 0x1E3779B97F4A7C15 + t * 0x3F58476D1CE4E5B9 in (x >> 31) lxor x.

Fixpoint mem (s : tree) (key m t : int) : bool :=
  match s with
  | empty => false
  | leaf _ m' t' => (m =? m') && (t =? t')
  | node zero one => mem (if (key land 1) =? 0 then zero else one) (key >> 1) m t
  end.

Fixpoint add (fuel : nat) (s : tree) (key m t : int) : tree :=
  match fuel with
  | O => s
  | S fuel =>
    match s with
    | empty => leaf key m t
    | leaf key' m' t' =>
      let old := leaf (key' >> 1) m' t' in
      let split := if (key' land 1) =? 0 then (old, empty) else (empty, old) in
      if (key land 1) =? 0 then node (add fuel (fst split) (key >> 1) m t) (snd split)
      else node (fst split) (add fuel (snd split) (key >> 1) m t)
    | node zero one =>
      if (key land 1) =? 0 then node (add fuel zero (key >> 1) m t) one
      else node zero (add fuel one (key >> 1) m t)
    end
  end.

Definition insert (s : tree) (m t : int) : tree := add 60 s (key_of m t) m t.

(** More rounds than a game can have. *)
Definition rounds : nat := 64.

Fixpoint Every (P : int -> int -> Prop) (s : tree) : Prop :=
  match s with
  | empty => True
  | leaf _ m t => P m t
  | node zero one => Every P zero /\ Every P one
  end.

Lemma every_mem : forall P s key m t, Every P s -> mem s key m t = true -> P m t.
Proof.
  induction s as [| k m' t' | zero I0 one I1]; simpl; intros key m t E H.
  - discriminate.
  - apply andb_true_iff in H. destruct H as [H1 H2]. apply eqb_correct in H1, H2. subst. assumption.
  - destruct E. destruct ((key land 1) =? 0); eauto.
Qed.

Lemma every_add : forall P fuel s key m t, Every P s -> P m t -> Every P (add fuel s key m t).
Proof.
  induction fuel as [| fuel IH]; simpl; intros s key m t E H; [assumption |].
  destruct s as [| k m' t' | zero one]; simpl in *.
  - assumption.
  - destruct ((k land 1) =? 0); destruct ((key land 1) =? 0); simpl; split; try exact I; try assumption;
      apply IH; simpl; auto.
  - destruct E. destruct ((key land 1) =? 0); simpl; split; auto.
Qed.

Lemma every_insert : forall P s m t, Every P s -> P m t -> Every P (insert s m t).
Proof. intros P s m t E H. unfold insert. apply every_add; assumption. Qed.

Opaque insert rounds.

(** ** The moves: twenty to a number, three bits each, after which the number is 1 *)

Definition moves : Set := int * list int.

Definition next (s : moves) : int * moves :=
  let (word, rest) := s in
  if word =? 1 then
    match rest with
    | [] => (0, s)
    | word :: rest => (word land 7, (word >> 3, rest))
    end
  else (word land 7, (word >> 3, rest)).

(** ** One group *)

Record state : Set := State { stream : moves; plain : tree; freed : tree }.

Section Run.
Variable height : int.
Variables mine0 theirs0 : int.
Variable g : group.

(** A column, its squares and its lowest square, computed once. *)
Definition prepare (c : int) : int * (int * int) := (c, (column height c, 1 << (c * (height + 1)))).
Definition land_on (p : int * (int * int)) (discs : int) : int :=
  let (squares, lowest) := snd p in ((discs land squares) + lowest) land squares.

Variable prepared : list (int * (int * int)).

Definition known (free : bool) (st : state) : tree := if free then freed st else plain st.

Definition remember (free : bool) (m t : int) (st : state) : state :=
  let (s, a, b) := st in
  if free then State s a (insert b m t) else State s (insert a m t) b.

Fixpoint lookup (c : int) (ps : list (int * (int * int))) : option (int * (int * int)) :=
  match ps with
  | [] => None
  | p :: ps => if fst p =? c then Some p else lookup c ps
  end.

(** F's answer is the next move. *)
Definition answer (rec : int -> int -> state -> option state) (m t : int) (st : state) : option state :=
  let (s, a, b) := st in
  let (c, s) := next s in
  match lookup c prepared with
  | None => None
  | Some p =>
    let l := land_on p (m lor t) in
    if (l =? 0) || negb ((l land (m lor t)) =? 0) then None
    else
      let m := m lor l in
      if four height (mine0 lor m) then Some (State s a b) else rec m t (State s a b)
  end.

Definition is_full (discs : int) : bool := forallb (fun p => land_on p discs =? 0) prepared.

Fixpoint replies (rec : int -> int -> state -> option state) (free : bool) (m t : int)
    (ps : list (int * (int * int))) (st : state) : option state :=
  match ps with
  | [] => Some st
  | p :: ps =>
    let l := land_on p (m lor t) in
    if l =? 0 then replies rec free m t ps st
    else
      let t' := t lor l in
      if safe height mine0 theirs0 g t' then
        if is_full (m lor t') then
          if free && passes g && negb (wins g) then replies rec free m t ps st else None
        else
          match answer rec m t' st with
          | None => None
          | Some st => replies rec free m t ps st
          end
      else None
  end.

Fixpoint run (fuel : nat) (free : bool) (m t : int) (st : state) : option state :=
  match fuel with
  | O => None
  | S fuel =>
    if mem (known free st) (key_of m t) m t then Some st
    else
      match replies (run fuel free) free m t prepared st with
      | None => None
      | Some st =>
        if wins g && is_full (m lor t) then None
        else
          match (if free && takes g then answer (run fuel false) m t st else Some st) with
          | None => None
          | Some st => Some (remember free m t st)
          end
      end
  end.

Hypothesis is_prepared : prepared = map prepare (cols g).

Notation Good := (Good height mine0 theirs0 g).
Notation Answered := (Answered height mine0 theirs0 g).
Notation safe := (safe height mine0 theirs0 g).

Definition Known (st : state) : Prop := Every (Good false) (plain st) /\ Every (Good true) (freed st).
Definition Right (free : bool) (rec : int -> int -> state -> option state) : Prop :=
  forall m t st st', safe t = true -> Known st -> rec m t st = Some st' -> Good free m t /\ Known st'.

Lemma lookup_in : forall c ps p, lookup c ps = Some p -> In p ps.
Proof.
  induction ps as [| q ps IH]; simpl; intros p H; [discriminate |].
  destruct (fst q =? c); [inversion H; auto | auto].
Qed.

Lemma prepared_in : forall p, In p prepared -> In (fst p) (cols g) /\ forall d, land_on p d = landing height (fst p) d.
Proof.
  intros p H. rewrite is_prepared in H. apply in_map_iff in H. destruct H as [c [E I]]. subst p.
  split; [assumption | reflexivity].
Qed.

Lemma full_spec : forall discs c, is_full discs = true -> In c (cols g) -> landing height c discs = 0.
Proof.
  intros discs c H I. unfold is_full in H. rewrite forallb_forall in H.
  specialize (H (prepare c)). apply eqb_correct. apply H. rewrite is_prepared. apply in_map. assumption.
Qed.

Lemma full_false : forall discs, is_full discs = false -> exists r, In r (cols g) /\ landing height r discs <> 0.
Proof.
  intros discs H. destruct (existsb (fun p => negb (land_on p discs =? 0)) prepared) eqn:E.
  - apply existsb_exists in E. destruct E as [p [I N]]. destruct (prepared_in p I) as [C L].
    exists (fst p). split; [assumption |]. rewrite <- L. apply not_zero. assumption.
  - exfalso. assert (X : is_full discs = true); [| congruence].
    apply forallb_forall. intros p I. destruct (land_on p discs =? 0) eqn:N; [reflexivity |].
    assert (Y : existsb (fun p => negb (land_on p discs =? 0)) prepared = true); [| congruence].
    apply existsb_exists. exists p. rewrite N. auto.
Qed.

Lemma answer_right : forall free rec m t st st', Right free rec -> safe t = true -> Known st ->
  answer rec m t st = Some st' -> Answered free m t /\ Known st'.
Proof.
  intros free rec m t [s a b] st' R S K H. unfold answer in H. destruct (next s) as [c s'].
  destruct (lookup c prepared) as [p |] eqn:L; [| discriminate].
  apply lookup_in in L. destruct (prepared_in p L) as [C E]. rewrite E in H.
  destruct ((landing height (fst p) (m lor t) =? 0)
            || negb ((landing height (fst p) (m lor t) land (m lor t)) =? 0)) eqn:Z; [discriminate |].
  apply orb_false_iff in Z. destruct Z as [Z1 Z2].
  assert (F : fresh height g (fst p) (m lor t)).
  { split; [assumption |]. split; [apply not_zero; rewrite Z1; reflexivity |].
    apply negb_false_iff in Z2. apply eqb_correct. assumption. }
  assert (K' : Known (State s' a b)) by exact K.
  destruct (four height (mine0 lor (m lor landing height (fst p) (m lor t)))) eqn:Q.
  - inversion H. subst. split; [| assumption]. apply (answered _ _ _ _ _ _ _ (fst p) F). auto.
  - destruct (R _ _ _ _ S K' H) as [G N]. split; [| assumption].
    apply (answered _ _ _ _ _ _ _ (fst p) F). auto.
Qed.

Lemma replies_right : forall free rec m t ps st st', Right free rec -> safe t = true ->
  incl ps prepared -> Known st -> replies rec free m t ps st = Some st' ->
  Known st' /\ forall p, In p ps -> landing height (fst p) (m lor t) <> 0 ->
    let t' := t lor landing height (fst p) (m lor t) in
    safe t' = true /\ (Answered free m t' \/ (free = true /\ passes g = true /\ Good false m t')).
Proof.
  intros free rec m t ps. induction ps as [| p ps IH]; intros st st' R S I K H; cbn [replies] in H.
  - inversion H. subst. split; [assumption | contradiction].
  - assert (IP : In p prepared) by (apply I; left; reflexivity).
    assert (IS : incl ps prepared) by (intros q Q; apply I; right; assumption).
    destruct (prepared_in p IP) as [C L]. cbv zeta in H. rewrite L in H.
    set (l := landing height (fst p) (m lor t)) in *. destruct (l =? 0) eqn:Z.
    + apply eqb_correct in Z. destruct (IH st st' R S IS K H) as [K' A]. split; [assumption |].
      intros q [Q | Q] N; [subst q; exfalso; apply N; exact Z | apply A; assumption].
    + destruct (safe (t lor l)) eqn:SF; [| discriminate].
      destruct (is_full (m lor (t lor l))) eqn:F.
      * destruct (free && passes g && negb (wins g)) eqn:P; [| discriminate].
        apply andb_true_iff in P. destruct P as [P W]. apply andb_true_iff in P. destruct P as [P1 P2].
        apply negb_true_iff in W. destruct (IH st st' R S IS K H) as [K' A]. split; [assumption |].
        intros q [Q | Q] N; [subst q | apply A; assumption]. split; [assumption |]. right.
        split; [assumption |]. split; [assumption |]. apply good.
        { assumption. }
        { intro X. rewrite X in W. discriminate. }
        { intros r RC RN. exfalso. apply RN. apply full_spec; assumption. }
        { intro X. discriminate. }
      * destruct (answer rec m (t lor l) st) as [st1 |] eqn:AN; [| discriminate].
        destruct (answer_right free _ _ _ _ _ R SF K AN) as [AW K1].
        destruct (IH st1 st' R S IS K1 H) as [K' A]. split; [assumption |].
        intros q [Q | Q] N; [subst q | apply A; assumption]. auto.
Qed.

Lemma run_right : forall fuel free, Right free (run fuel free).
Proof.
  induction fuel as [| fuel IH]; intros free m t st st' S K H; [discriminate |]. cbn [run] in H.
  destruct (mem (known free st) (key_of m t) m t) eqn:M.
  - inversion H. subst. split; [| assumption]. destruct K as [K0 K1].
    unfold known in M. destruct free; eapply every_mem; eassumption.
  - destruct (replies (run fuel free) free m t prepared st) as [st1 |] eqn:E; [| discriminate].
    destruct (replies_right free _ _ _ _ _ _ (IH free) S (incl_refl _) K E) as [K1 A].
    destruct (wins g && is_full (m lor t)) eqn:W; [discriminate |].
    destruct (if free && takes g then answer (run fuel false) m t st1 else Some st1) as [st2 |] eqn:T;
      [| discriminate]. inversion H. subst.
    assert (X : Known st2 /\ (free = true -> takes g = true -> Answered false m t)).
    { destruct (free && takes g) eqn:FT.
      - destruct (answer_right false _ _ _ _ _ (IH false) S K1 T). auto.
      - inversion T. subst. split; [assumption |]. intros F1 F2. rewrite F1, F2 in FT. discriminate. }
    destruct X as [K2 AF].
    assert (G : Good free m t).
    { apply good; try assumption.
      - intro WT. rewrite WT in W. apply full_false. exact W.
      - intros r R N. assert (IP : In (prepare r) prepared) by (rewrite is_prepared; apply in_map; assumption).
        exact (A (prepare r) IP N). }
    split; [assumption |]. destruct st2 as [s a b]. destruct K2 as [KA KB]. simpl in KA, KB.
    destruct free; split; simpl; try assumption; apply every_insert; assumption.
Qed.

End Run.

(** ** The whole certificate *)

(** What is said of a position with O to move. *)
Record claim : Set := Claim { pair : option (group * group); groups : list group }.

Section Walk.
Variable height : int.
Variable columns : list int.

Definition run_group (mine theirs : int) (free : bool) (g : group) (s : moves) : option moves :=
  if safe height mine theirs g (theirs land region g) then
    match run height mine theirs g (map (prepare height) (cols g)) rounds free
              (mine land region g) (theirs land region g) (State s empty empty) with
    | None => None
    | Some st => Some (stream st)
    end
  else None.

Lemma run_group_good : forall mine theirs free g s s', run_group mine theirs free g s = Some s' ->
  Holds height mine theirs free mine theirs g.
Proof.
  intros mine theirs free g s s' H. unfold run_group in H.
  destruct (safe height mine theirs g (theirs land region g)) eqn:S; [| discriminate].
  destruct (run _ _ _ _ _ _ _ _ _ _) as [st |] eqn:R; [| discriminate].
  eapply (run_right height mine theirs g _ eq_refl) in R; [| assumption | split; exact I].
  exact (proj1 R).
Qed.

Fixpoint run_groups (mine theirs : int) (gs : list group) (s : moves) : option moves :=
  match gs with
  | [] => Some s
  | g :: gs =>
    match run_group mine theirs false g s with None => None | Some s => run_groups mine theirs gs s end
  end.

Lemma run_groups_good : forall mine theirs gs s s', run_groups mine theirs gs s = Some s' ->
  forall g, In g gs -> Holds height mine theirs false mine theirs g.
Proof.
  induction gs as [| g gs IH]; simpl; intros s s' H h I; [contradiction |].
  destruct (run_group mine theirs false g s) as [s1 |] eqn:E; [| discriminate].
  destruct I as [I | I]; [subst; eapply run_group_good; eassumption | eauto].
Qed.

Definition run_claim (mine theirs : int) (c : claim) (s : moves) : option moves :=
  if sound height columns mine theirs (groups c) (pair c)
     && ((theirs land board height columns) =? theirs) && ((mine land theirs) =? 0) then
    match pair c with
    | None => run_groups mine theirs (groups c) s
    | Some (a, b) =>
      match run_group mine theirs true a s with
      | None => None
      | Some s =>
        match run_group mine theirs true b s with
        | None => None
        | Some s => run_groups mine theirs (groups c) s
        end
      end
    end
  else None.

Lemma run_claim_wins : forall mine theirs c s s', run_claim mine theirs c s = Some s' ->
  Wins_after height columns mine theirs.
Proof.
  intros mine theirs c s s' H. unfold run_claim in H.
  destruct (sound _ _ _ _ _ _ && _ && _) eqn:E; [| discriminate].
  apply andb_true_iff in E. destruct E as [E D]. apply andb_true_iff in E. destruct E as [S B].
  apply eqb_correct in B, D.
  apply (invariant_wins height columns mine theirs (groups c) (pair c) S 64 true);
    [| pose proof (count_at_most (mine lor theirs)); apply PeanoNat.Nat.lt_succ_r; apply PeanoNat.Nat.le_sub_l].
  unfold Invariant. split; [intros i X; assumption |]. split; [intros i X; assumption |].
  split; [apply within_land; assumption |].
  split.
  { intros i X. apply (f_equal (fun y => bit y i)) in D. rewrite land_spec, X, bit_0, andb_true_r in D. assumption. }
  destruct (pair c) as [[a b] |].
  - destruct (run_group mine theirs true a s) as [s1 |] eqn:Ra; [| discriminate].
    destruct (run_group mine theirs true b s1) as [s2 |] eqn:Rb; [| discriminate].
    split; [eapply run_groups_good; eassumption |].
    split; eapply run_group_good; eassumption.
  - split; [eapply run_groups_good; eassumption | exact I].
Qed.

Record walker : Set := Walker { ahead : moves; claims : list claim; won : tree }.

(** O is to move: every reply is gone through. *)
Fixpoint walk_replies (rec : int -> int -> walker -> option walker) (mine theirs : int)
    (cs : list int) (w : walker) : option walker :=
  match cs with
  | [] => Some w
  | r :: cs =>
    if is_legal height r theirs mine then
      let theirs' := play height r theirs mine in
      if four height theirs' then None
      else match rec mine theirs' w with
           | None => None
           | Some w => walk_replies rec mine theirs cs w
           end
    else walk_replies rec mine theirs cs w
  end.

Definition walk_after (rec : int -> int -> walker -> option walker) (mine theirs : int) (w : walker) : option walker :=
  if existsb (fun r => is_legal height r theirs mine) columns then walk_replies rec mine theirs columns w
  else None.

(** F is to move: a four, a position that is known, or a move and what comes after it. *)
Fixpoint walk (fuel : nat) (mine theirs : int) (w : walker) : option walker :=
  match fuel with
  | O => None
  | S fuel =>
    if wins_at_once height columns mine theirs || mem (won w) (key_of mine theirs) mine theirs then Some w
    else
      let (s, cs, t) := w in
      let (c, s) := next s in
      let (kind, s) := next s in
      if existsb (fun d => d =? c) columns && is_legal height c mine theirs then
        let mine' := play height c mine theirs in
        match
          (if kind =? 0 then walk_after (walk fuel) mine' theirs (Walker s cs t)
           else match cs with
                | [] => None
                | claim :: cs =>
                  match run_claim mine' theirs claim s with
                  | None => None
                  | Some s => Some (Walker s cs t)
                  end
                end)
        with
        | None => None
        | Some (Walker s cs t) => Some (Walker s cs (insert t mine theirs))
        end
      else None
  end.

Notation Wins := (Wins height columns).
Definition Right_walk (rec : int -> int -> walker -> option walker) : Prop :=
  forall mine theirs w w', Every Wins (won w) -> rec mine theirs w = Some w' ->
    Wins mine theirs /\ Every Wins (won w').

Lemma walk_replies_right : forall rec mine theirs cs w w', Right_walk rec -> Every Wins (won w) ->
  walk_replies rec mine theirs cs w = Some w' ->
  Every Wins (won w') /\ forall r, In r cs -> is_legal height r theirs mine = true ->
    four height (play height r theirs mine) = false /\ Wins mine (play height r theirs mine).
Proof.
  intros rec mine theirs cs. induction cs as [| r cs IH]; intros w w' R E H; cbn [walk_replies] in H.
  - inversion H. subst. split; [assumption | contradiction].
  - destruct (is_legal height r theirs mine) eqn:L; cbv zeta in H.
    + destruct (four height (play height r theirs mine)) eqn:F; [discriminate |].
      destruct (rec mine (play height r theirs mine) w) as [w1 |] eqn:W; [| discriminate].
      destruct (R _ _ _ _ E W) as [A E1]. destruct (IH _ _ R E1 H) as [E2 B]. split; [assumption |].
      intros q [Q | Q] LQ; [subst; auto | auto].
    + destruct (IH _ _ R E H) as [E2 B]. split; [assumption |].
      intros q [Q | Q] LQ; [subst; congruence | auto].
Qed.

Lemma walk_after_right : forall rec mine theirs w w', Right_walk rec -> Every Wins (won w) ->
  walk_after rec mine theirs w = Some w' -> Wins_after height columns mine theirs /\ Every Wins (won w').
Proof.
  intros rec mine theirs w w' R E H. unfold walk_after in H.
  destruct (existsb (fun r => is_legal height r theirs mine) columns) eqn:X; [| discriminate].
  destruct (walk_replies_right _ _ _ _ _ _ R E H) as [E' A]. split; [| assumption]. split.
  - apply existsb_exists in X. destruct X as [r [I L]]. exists r. apply is_legal_spec; assumption.
  - intros r L. apply A; [exact (proj1 L) | apply (legal_is_legal height columns); assumption].
Qed.

Lemma walk_right : forall fuel, Right_walk (walk fuel).
Proof.
  induction fuel as [| fuel IH]; intros mine theirs w w' E H; [discriminate |]. cbn [walk] in H.
  destruct (wins_at_once height columns mine theirs || mem (won w) (key_of mine theirs) mine theirs) eqn:K.
  - inversion H. subst. split; [| assumption]. apply orb_true_iff in K.
    destruct K as [K | K]; [apply wins_at_once_spec; assumption | eapply every_mem; eassumption].
  - destruct w as [s cs t]. destruct (next s) as [c s1]. destruct (next s1) as [kind s2].
    destruct (existsb (fun d => d =? c) columns && is_legal height c mine theirs) eqn:L; [| discriminate].
    apply andb_true_iff in L. destruct L as [C L]. apply existsb_exists in C.
    destruct C as [d [C D]]. apply eqb_correct in D. subst d.
    cbv zeta in H. set (mine' := play height c mine theirs) in *.
    assert (X : forall w1, (if kind =? 0 then walk_after (walk fuel) mine' theirs (Walker s2 cs t)
           else match cs with
                | [] => None
                | claim :: cs =>
                  match run_claim mine' theirs claim s2 with
                  | None => None
                  | Some s => Some (Walker s cs t)
                  end
                end) = Some w1 -> Wins_after height columns mine' theirs /\ Every Wins (won w1)).
    { intros w1 X. destruct (kind =? 0); [eapply walk_after_right in X; eassumption |].
      destruct cs as [| cl cs]; [discriminate |].
      destruct (run_claim mine' theirs cl s2) as [s3 |] eqn:RC; [| discriminate].
      inversion X. subst. split; [eapply run_claim_wins; eassumption | exact E]. }
    match type of H with match ?e with _ => _ end = _ => destruct e as [[s3 cs3 t3] |] eqn:Y; [| discriminate] end.
    destruct (X _ eq_refl) as [[X1 X2] E3]. inversion H. subst.
    assert (W : Wins mine theirs)
      by (apply (later height columns mine theirs c); [apply is_legal_spec | |]; assumption).
    split; [assumption |]. apply every_insert; assumption.
Qed.

(** What is left to compute. *)
Definition first_walker (words : list (list int)) (cs : list (list claim)) : walker :=
  Walker (1, concat words) (concat cs) empty.

Definition reached (words : list (list int)) (cs : list (list claim)) (mine theirs : int) : bool :=
  match walk rounds mine theirs (first_walker words cs) with None => false | Some _ => true end.

Theorem reached_wins : forall words cs mine theirs, reached words cs mine theirs = true -> Wins mine theirs.
Proof.
  intros words cs mine theirs H. unfold reached in H.
  destruct (walk rounds mine theirs (first_walker words cs)) as [w |] eqn:W; [| discriminate].
  eapply walk_right in W; [exact (proj1 W) | exact I].
Qed.

Definition reached_after (words : list (list int)) (cs : list (list claim)) (mine theirs : int) : bool :=
  match walk_after (walk rounds) mine theirs (first_walker words cs) with None => false | Some _ => true end.

Theorem reached_after_wins : forall words cs mine theirs,
  reached_after words cs mine theirs = true -> Wins_after height columns mine theirs.
Proof.
  intros words cs mine theirs H. unfold reached_after in H.
  destruct (walk_after (walk rounds) mine theirs (first_walker words cs)) as [w |] eqn:W; [| discriminate].
  eapply walk_after_right in W; [exact (proj1 W) | apply walk_right | exact I].
Qed.

End Walk.
