(** Connect Four, and why a closed strategy wins.

    A board is a set of squares, an integer of 63 bits: column [c], row [r] (row 0 is the bottom) is bit
    [c * (height + 1) + r]. The player that the proof is for is called F, the opponent O. *)

From Coq Require Import Uint63 List Bool.
Import ListNotations.
Open Scope uint63_scope.

Section Game.
Variable height : int.
Variable columns : list int.  (* the numbers of the columns *)

(** ** The rules *)

Definition column (c : int) : int := ((1 << height) - 1) << (c * (height + 1)).

(** The square on which a disc in column [c] lands: the lowest that is empty; 0 if the column is full. *)
Definition landing (c discs : int) : int :=
  (((discs land column c) + (1 << (c * (height + 1)))) land column c).

Definition row_of_four (discs step : int) : bool :=
  let pairs := discs land (discs >> step) in
  negb ((pairs land (pairs >> (2 * step))) =? 0).

(** Four in a row: up, right, and along both diagonals. *)
Definition four (discs : int) : bool :=
  row_of_four discs 1 || row_of_four discs height || row_of_four discs (height + 1)
  || row_of_four discs (height + 2).

Definition legal (c mine theirs : int) : Prop :=
  In c columns /\ landing c (mine lor theirs) <> 0.

Definition play (c discs other : int) : int := discs lor landing c (discs lor other).

(** F, to move with the discs [mine] against [theirs], wins whatever O plays. *)
Inductive Wins : int -> int -> Prop :=
| at_once : forall mine theirs c,
    legal c mine theirs -> four (play c mine theirs) = true -> Wins mine theirs
| later : forall mine theirs c,
    legal c mine theirs ->
    (exists r, legal r theirs (play c mine theirs)) ->  (* the board is not full: that is a draw *)
    (forall r, legal r theirs (play c mine theirs) ->
       four (play r theirs (play c mine theirs)) = false
       /\ Wins (play c mine theirs) (play r theirs (play c mine theirs))) ->
    Wins mine theirs.

(** ** Strategies *)

(** Moves of F, found by position. A node is a choice by one bit of the position's key; that the leaves lie
    where they are looked for need not be proven. *)
Inductive tree : Set :=
| empty
| leaf (mine theirs move : int)
| node (zero one : tree).

Fixpoint find (t : tree) (key mine theirs : int) : option int :=
  match t with
  | empty => None
  | leaf m o c => if (m =? mine) && (o =? theirs) then Some c else None
  | node zero one => if (key land 1) =? 0 then find zero (key >> 1) mine theirs
                     else find one (key >> 1) mine theirs
  end.

Fixpoint all (f : int -> int -> int -> bool) (t : tree) : bool :=
  match t with
  | empty => true
  | leaf m o c => f m o c
  | node zero one => all f zero && all f one
  end.

Lemma all_find : forall f t key mine theirs c,
  all f t = true -> find t key mine theirs = Some c -> f mine theirs c = true.
Proof.
  induction t as [| m o d | zero IH0 one IH1]; simpl; intros key mine theirs c H F.
  - discriminate.
  - destruct ((m =? mine) && (o =? theirs)) eqn:E; [| discriminate].
    apply andb_true_iff in E. destruct E as [E1 E2].
    apply eqb_correct in E1, E2. inversion F. subst. assumption.
  - apply andb_true_iff in H. destruct H as [H0 H1].
    destruct ((key land 1) =? 0); [eapply IH0 | eapply IH1]; eassumption.
Qed.

(** Any function of a position will do for a key: mirror images could share one, too. *)
Variable key_of : int -> int -> int.

Definition known (t : tree) (mine theirs : int) : bool :=
  match find t (key_of mine theirs) mine theirs with Some _ => true | None => false end.

Definition is_legal (c mine theirs : int) : bool := negb (landing c (mine lor theirs) =? 0).

Definition wins_at_once (mine theirs : int) : bool :=
  existsb (fun c => is_legal c mine theirs && four (play c mine theirs)) columns.

(** F plays [c]: a four, or every reply leads to a four at once or to a position of the next tree. *)
Definition good (next : tree) (mine theirs c : int) : bool :=
  existsb (fun d => d =? c) columns && is_legal c mine theirs &&
  (four (play c mine theirs) ||
   (let mine' := play c mine theirs in
    existsb (fun r => is_legal r theirs mine') columns &&
    forallb (fun r => negb (is_legal r theirs mine') ||
                      (let theirs' := play r theirs mine' in
                       negb (four theirs') && (wins_at_once mine' theirs' || known next mine' theirs')))
            columns)).

Fixpoint closed (trees : list tree) : bool :=
  match trees with
  | [] => true
  | t :: rest => all (good (hd empty rest)) t && closed rest
  end.

Lemma is_legal_spec : forall c mine theirs,
  In c columns -> is_legal c mine theirs = true -> legal c mine theirs.
Proof.
  intros c mine theirs I H. split; [assumption |].
  unfold is_legal in H. apply negb_true_iff in H. intro E. rewrite E in H. discriminate.
Qed.

Lemma legal_is_legal : forall c mine theirs, legal c mine theirs -> is_legal c mine theirs = true.
Proof.
  intros c mine theirs [_ H]. unfold is_legal. apply negb_true_iff.
  destruct (landing c (mine lor theirs) =? 0) eqn:E; [| reflexivity].
  apply eqb_correct in E. contradiction.
Qed.

Lemma wins_at_once_spec : forall mine theirs, wins_at_once mine theirs = true -> Wins mine theirs.
Proof.
  intros mine theirs H. apply existsb_exists in H. destruct H as [c [I H]].
  apply andb_true_iff in H. destruct H as [L F].
  apply (at_once mine theirs c); [apply is_legal_spec |]; assumption.
Qed.

Theorem closed_wins : forall trees, closed trees = true ->
  forall mine theirs, known (hd empty trees) mine theirs = true -> Wins mine theirs.
Proof.
  induction trees as [| t rest IH]; simpl; intros C mine theirs K.
  - unfold known in K. simpl in K. discriminate.
  - apply andb_true_iff in C. destruct C as [A C].
    unfold known in K.
    destruct (find t (key_of mine theirs) mine theirs) as [c |] eqn:F; [| discriminate].
    pose proof (all_find _ _ _ _ _ _ A F) as G. unfold good in G.
    apply andb_true_iff in G. destruct G as [G D]. apply andb_true_iff in G. destruct G as [I L].
    apply existsb_exists in I. destruct I as [d [I E]]. apply eqb_correct in E. subst d.
    pose proof (is_legal_spec _ _ _ I L) as LC.
    apply orb_true_iff in D. destruct D as [W | D]; [apply (at_once mine theirs c); assumption |].
    apply andb_true_iff in D. destruct D as [X D].
    apply (later mine theirs c); [assumption | |].
    + apply existsb_exists in X. destruct X as [r [R H]]. exists r. apply is_legal_spec; assumption.
    + intros r H. rewrite forallb_forall in D. specialize (D r (proj1 H)).
      rewrite (legal_is_legal _ _ _ H) in D. simpl in D.
      apply andb_true_iff in D. destruct D as [N D]. apply negb_true_iff in N. split; [assumption |].
      apply orb_true_iff in D. destruct D as [D | D].
      * apply wins_at_once_spec. assumption.
      * apply IH; assumption.
Qed.

(** What is left to compute: the strategy is closed, and knows the position. *)
Definition reached (trees : list tree) (mine theirs : int) : bool :=
  closed trees && known (hd empty trees) mine theirs.

Theorem reached_wins : forall trees mine theirs, reached trees mine theirs = true -> Wins mine theirs.
Proof.
  intros trees mine theirs H. apply andb_true_iff in H. destruct H as [C K].
  apply (closed_wins trees); assumption.
Qed.

(** The same with O to move: F wins after every reply, and there is one. *)
Definition Wins_after (mine theirs : int) : Prop :=
  (exists r, legal r theirs mine) /\
  forall r, legal r theirs mine ->
    four (play r theirs mine) = false /\ Wins mine (play r theirs mine).

Definition reached_after (trees : list tree) (mine theirs : int) : bool :=
  let t := trees in
  closed t && existsb (fun r => is_legal r theirs mine) columns &&
  forallb (fun r => negb (is_legal r theirs mine) ||
                    (let theirs' := play r theirs mine in
                     negb (four theirs') && (wins_at_once mine theirs' || known (hd empty t) mine theirs')))
          columns.

Theorem reached_after_wins : forall trees mine theirs,
  reached_after trees mine theirs = true -> Wins_after mine theirs.
Proof.
  intros trees mine theirs H. apply andb_true_iff in H. destruct H as [H D].
  apply andb_true_iff in H. destruct H as [C X]. split.
  - apply existsb_exists in X. destruct X as [r [R L]]. exists r. apply is_legal_spec; assumption.
  - intros r L. rewrite forallb_forall in D. specialize (D r (proj1 L)).
    rewrite (legal_is_legal _ _ _ L) in D. simpl in D.
    apply andb_true_iff in D. destruct D as [N D]. apply negb_true_iff in N. split; [assumption |].
    apply orb_true_iff in D. destruct D as [D | D].
    + apply wins_at_once_spec. assumption.
    + apply (closed_wins trees); assumption.
Qed.

End Game.
