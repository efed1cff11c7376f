(** Builds the trees of a strategy from its moves alone, in the order of a walk. None of this has to be proven:
    what it builds is checked by [closed]. *)
From Coq Require Import Uint63 List Bool.
From Fourcast Require Import Theory.
Import ListNotations.
Open Scope uint63_scope.

Section Build.
Variable height : int.
Variable columns : list int.

Definition key_of (mine theirs : int) : int :=
  let x := mine * 0x1E3779B97F4A7C15 + theirs * 0x3F58476D1CE4E5B9 in
  (x >> 31) lxor x.

Fixpoint insert (fuel : nat) (t : tree) (depth key mine theirs move : int) : tree :=
  match fuel with
  | O => t
  | S fuel =>
    match t with
    | empty => leaf mine theirs move
    | leaf m o c =>
      let other := key_of m o >> depth in
      let split := if (other land 1) =? 0 then node t empty else node empty t in
      insert fuel split depth key mine theirs move
    | node zero one =>
      if (key land 1) =? 0 then node (insert fuel zero (depth + 1) (key >> 1) mine theirs move) one
      else node zero (insert fuel one (depth + 1) (key >> 1) mine theirs move)
    end
  end.

Fixpoint add (layer : nat) (trees : list tree) (mine theirs move : int) : list tree :=
  match layer, trees with
  | O, t :: rest => insert 120 t 0 (key_of mine theirs) mine theirs move :: rest
  | S layer, t :: rest => t :: add layer rest mine theirs move
  | _, [] => []
  end.

(** Positions that wait for a move, with their layers: the newest first. *)
Definition waiting := list (nat * int * int).

Definition push (layer : nat) (mine theirs : int) (w : waiting) : waiting :=
  fold_left (fun w r =>
    if is_legal height r theirs mine then
      let theirs' := play height r theirs mine in
      if wins_at_once height columns mine theirs' then w else (layer, mine, theirs') :: w
    else w) columns w.

Fixpoint next (w : waiting) (trees : list tree) : waiting :=
  match w with
  | [] => []
  | (layer, mine, theirs) :: rest =>
    if known key_of (nth layer trees empty) mine theirs then next rest trees else w
  end.

Definition step (state : waiting * list tree) (move : int) : waiting * list tree :=
  let (w, trees) := state in
  match next w trees with
  | [] => state
  | (layer, mine, theirs) :: rest =>
    (push (S layer) (play height move mine theirs) theirs rest, add layer trees mine theirs move)
  end.

(** Twenty moves of three bits each are one number. *)
Fixpoint steps (count : nat) (state : waiting * list tree) (word : int) : waiting * list tree :=
  match count with
  | O => state
  | S count => steps count (step state (word land 7)) (word >> 3)
  end.

Definition build (start : waiting) (words : list (list int)) : list tree :=
  let state := (start, repeat empty 22) in
  snd (fold_left (fun state chunk => fold_left (steps 20) chunk state) words state).

End Build.
