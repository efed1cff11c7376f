(** The rules of Connect Four.

    A board is a set of squares, an integer of 63 bits: column [c], row [r] (row 0 is the bottom) is bit
    [c * (height + 1) + r]. The player that the proof is for is called F, the opponent O. *)

From Coq Require Import Uint63 List Bool.
Import ListNotations.
Open Scope uint63_scope.

Section Game.
Variable height : int.
Variable columns : list int.  (* the numbers of the columns *)

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

(** The same with O to move: F wins after every reply, and there is one. *)
Definition Wins_after (mine theirs : int) : Prop :=
  (exists r, legal r theirs mine) /\
  forall r, legal r theirs mine ->
    four (play r theirs mine) = false /\ Wins mine (play r theirs mine).

(** What can be computed of this. *)
Definition is_legal (c mine theirs : int) : bool := negb (landing c (mine lor theirs) =? 0).

Definition wins_at_once (mine theirs : int) : bool :=
  existsb (fun c => is_legal c mine theirs && four (play c mine theirs)) columns.

Lemma not_zero : forall x, negb (x =? 0) = true <-> x <> 0.
Proof.
  intro x. rewrite negb_true_iff. split; intro H.
  - intro E. rewrite E in H. discriminate.
  - destruct (x =? 0) eqn:E; [apply eqb_correct in E; contradiction | reflexivity].
Qed.

Lemma is_legal_spec : forall c mine theirs,
  In c columns -> is_legal c mine theirs = true -> legal c mine theirs.
Proof. intros c mine theirs I H. split; [assumption |]. apply not_zero. exact H. Qed.

Lemma legal_is_legal : forall c mine theirs, legal c mine theirs -> is_legal c mine theirs = true.
Proof. intros c mine theirs [_ H]. apply not_zero. exact H. Qed.

Lemma wins_at_once_spec : forall mine theirs, wins_at_once mine theirs = true -> Wins mine theirs.
Proof.
  intros mine theirs H. apply existsb_exists in H. destruct H as [c [I H]].
  apply andb_true_iff in H. destruct H as [L F].
  apply (at_once mine theirs c); [apply is_legal_spec |]; assumption.
Qed.

End Game.
