// What the core takes and answers. The answers are those of the web API without its sentences (`text`);
// tools/page/core.ts compares the two.

/** 1 starts. */
export type Side = 1 | 2;
/** Both count from 0, rows from the bottom. */
export type Square = [column: number, row: number];
export type Outcome = "win" | "draw" | "loss";

/** How a position is named: moves as people count columns, from an empty board or a start. */
export interface PositionQuery {
  moves?: string;
  /** Rows from the top, joined by "/", with X, O and "."; the size of the board is theirs. Other rules than the
   * standard ones follow after ":", as in `..../..../..../....:connect=3,wrap`; searches by them are those of
   * the core `RULES_WASM`. */
  start?: string;
  /** 7 if there is no start. */
  width?: number;
  /** 6 if there is no start. */
  height?: number;
}

export interface PositionView {
  width: number;
  height: number;
  start: string;
  moves: string;
  ply: number;
  /** Discs at the start and moves since; in PopOut more than `ply`. */
  next_ply: number;
  turn: Side;
  /** Rows from the bottom; 0, 1 or 2. */
  cells: number[][];
  /** In PopOut also width + column, to take a disc out, and 2 * width, to claim the draw. */
  legal_columns: number[];
  last_move: Square | null;
  winner: Side | null;
  is_over: boolean;
  is_draw: boolean;
  winning_squares: Square[];
  /** Empty squares that complete a four of the first player. */
  threats_first: Square[];
  threats_second: Square[];
  diagram: string;
}

/** What is proven for the side to move, and what that means. */
export interface Meaning {
  /** Exact; null if it is not known. */
  score: number | null;
  lower: number;
  upper: number;
  outcome: Outcome | null;
  winner: Side | null;
  plies_to_end: number | null;
  moves_to_end: number | null;
}

export interface Effort {
  complete: boolean;
  nodes: number;
  time_s: number;
}

export interface ResultView extends Meaning, Effort {
  position: PositionView;
  /** Null unless they were asked for and found. */
  best_columns: number[] | null;
  /** The first player's share of an evaluation bar, 0 to 1. */
  share: number;
}

export interface ColumnView extends Meaning {
  column: number;
  name: string;
  is_best: boolean;
  /** This column and best play after it. */
  variation: number[];
  moves: string;
  squares: Square[];
}

export interface AnalysisView extends Meaning, Effort {
  position: PositionView;
  best_columns: number[];
  share: number;
  /** The open columns, from left to right. */
  columns: ColumnView[];
}

interface PlanView {
  kind: "plan";
  answers: { stone: Square; squares: Square[] }[];
  takes: number;
  latest: number | null;
}

interface TakenSquares {
  theirs: Square[];
  mine: Square[];
}

interface LocalGamesView {
  kind: "local";
  groups: {
    columns: number[];
    role: "win" | "hold";
    free: "never" | "any_even" | "one_odd" | "one";
    needs: Square[][];
    answers: (TakenSquares & { answer: Square })[];
  }[];
  latest: number | null;
}

export interface ClaimView {
  player: Side;
  goal: "win" | "hold";
  start: number[];
  proof:
    | { kind: "force"; line: number[] }
    | PlanView
    | LocalGamesView
    | {
        kind: "cases";
        answers: (TakenSquares & { answer: Square })[];
        ends: (TakenSquares & { proof: PlanView | LocalGamesView })[];
        latest: number | null;
      };
}

export interface ExplanationView {
  version: 1;
  verdict: Meaning &
    Effort & {
      /** Bitboards, in decimal: JavaScript's numbers end at 53 bits. */
      first: string;
      second: string;
      width: number;
      height: number;
      best_columns: number[] | null;
    };
  line: number[];
  claims: ClaimView[];
  idea: Record<string, any> | null;
  complete: boolean;
}

export type Verdict = "best" | "good" | "inaccuracy" | "mistake" | "blunder";

/** A move of a game. Scores are those of the side that made it, null if they were not found in time. */
export interface MoveReviewView {
  /** 1 for the first move. */
  number: number;
  player: Side;
  column: number;
  verdict: Verdict | null;
  /** What the move cost. */
  loss: number | null;
  score_before: number | null;
  score_after: number | null;
  /** After the move, for the first player. */
  score_first: number | null;
  /** The columns that would have kept the score; none if they are not known. */
  best_columns: number[];
  /** What the move overlooked, whatever the score was. */
  oversight: "missed_four" | "missed_block" | null;
  /** What was wrong with it; null if nothing was. */
  mistake: Said | null;
  said: Said;
}

/** A sentence: a pattern of the message catalog, and what fills it; native/solver/said.hpp has the form. */
export interface Said {
  pattern: string;
  facts: Record<string, any>;
}

export interface ReviewView {
  position: PositionView;
  /** Whether every move could be judged. */
  complete: boolean;
  moves: MoveReviewView[];
  /** In percent; null if there is no move that was judged. */
  accuracy_first: number | null;
  accuracy_second: number | null;
  /** The number of the last move that changed the result; null if there is none, or if it is not known. */
  decisive: number | null;
  /** Both accuracies with one digit. */
  percents: [number | null, number | null];
  /** How accurate both sides were. */
  accuracy: Said[];
  /** Who won, where the game turned, how it ended, and what to learn from it: in paragraphs. */
  story: Said[][];
}

export interface LookAheadView {
  /** For each column its value to the side to move; null if it is full or not needed. */
  values: (number | null)[];
  best_columns: number[];
  depth: number;
  nodes: number;
  win_base: number;
}

export interface TreeSearchView {
  visits: number[];
  means: number[];
  best_columns: number[];
  playouts: number;
}

export interface BookView {
  width: number;
  height: number;
  plies: number;
  positions: number;
  bytes: number;
}

export interface Stoppable {
  /** Ends the call with the signal's reason. What was found is kept for later calls. */
  signal?: AbortSignal;
}

export interface SearchOptions<View> extends Stoppable {
  /** Called now and then with what is known so far. */
  onProgress?: (view: View) => void;
  /** Limits; the answer is not complete if one is reached. */
  time_s?: number;
  nodes?: number;
}

export interface SolveOptions extends SearchOptions<ResultView> {
  /** Only who wins. */
  outcome_only?: boolean;
  /** Also the columns that keep the score. */
  best_columns?: boolean;
}

export interface AnalyzeOptions extends SearchOptions<AnalysisView> {
  /** True by default: best play after each column. */
  variations?: boolean;
}

export interface ExplainOptions extends Stoppable {
  time_s?: number;
}

export interface ReviewOptions extends Stoppable {
  /** Called after each move that was judged, from the last one on. */
  onProgress?: (done: { judged: number; moves: number }) => void;
  /** For the whole game, at most half of it for one position. */
  time_s?: number;
}

export type Evaluation = "none" | "winsets" | "streaks";

export interface LookAheadOptions extends Stoppable {
  /** Plies; 4 by default. */
  depth?: number;
  evaluation?: Evaluation;
  /** Limits: where they do not suffice for the depth, it reads less deep. */
  time_s?: number;
  nodes?: number;
  /** The exact value of every column, and not only of the best ones. */
  every_column?: boolean;
}

export interface TreeSearchOptions extends Stoppable {
  /** 10,000 by default. */
  playouts?: number;
  time_s?: number;
  seed?: number;
  exploration?: number;
}

export type PlayerName =
  | ("random" | "winning" | "depth" | "streaks" | "winsets" | "mcts" | "perfect")
  /** 1 to 10: opponents for people. */
  | `level-${number}`;

export interface ChooseOptions extends Stoppable {
  /** "perfect" by default. */
  player?: PlayerName;
  /** Of `depth` (6), `streaks` and `winsets` (4). */
  depth?: number;
  /** Of `mcts` (20,000). */
  playouts?: number;
  time_s?: number;
  /** Decides between columns that are as good. Without it: the one nearest to the center, and for players
   * that leave more to chance, such as the levels, another choice each time. */
  seed?: number;
}

/** The core, wherever it runs. Positions are move strings, or objects like those that it answers. */
export interface Core {
  /** The position with its legal columns, threats, winner and so on. */
  position(position?: string | PositionQuery): Promise<PositionView>;
  /** The position after one more disc; columns count from 0. */
  play(position: string | PositionQuery, column: number): Promise<PositionView>;
  /** The empty squares that complete a four, of both sides. */
  threats(position: string | PositionQuery): Promise<{ first: Square[]; second: Square[] }>;
  /** The exact score. */
  solve(position: string | PositionQuery, options?: SolveOptions): Promise<ResultView>;
  /** The exact score of every open column, with best play after it. */
  analyze(position: string | PositionQuery, options?: AnalyzeOptions): Promise<AnalysisView>;
  /** Why the position is won, lost or drawn, with proofs. */
  /** One of the questions that Python asks, too; native/study/ask.hpp has them. */
  ask(question: string, request: unknown): Promise<any>;
  explain(position: string | PositionQuery, options?: ExplainOptions): Promise<ExplanationView>;
  /** What every move of a game cost. */
  review(position: string | PositionQuery, options?: ReviewOptions): Promise<ReviewView>;
  lookAhead(position: string | PositionQuery, options?: LookAheadOptions): Promise<LookAheadView>;
  searchTree(position: string | PositionQuery, options?: TreeSearchOptions): Promise<TreeSearchView>;
  /** A player's move: a column from 0. */
  choose(position: string | PositionQuery, options?: ChooseOptions): Promise<number>;
  /** An opening book from the bytes of its file. */
  addBook(bytes: ArrayBuffer | Uint8Array): Promise<BookView>;
  /** Forget what was found. */
  clear(): Promise<void>;
  /** Free the memory; later calls are refused. */
  close(): Promise<void>;
}

/** Where the compiled core is: its bytes, its address, a fetched answer, or a compiled module. */
export type Source = ArrayBuffer | Uint8Array | URL | string | Response | WebAssembly.Module;

export interface LoadOptions {
  /** The bytes of an opening book. */
  book?: ArrayBuffer | Uint8Array;
  /** The size of the table, 8 by default. */
  table_mb?: number;
}

/** The names of the methods that a worker answers. */
export type Method = Exclude<keyof Core, "close">;

/** What goes to the worker: the first message loads the core. */
export type Request =
  | { id: number; method: "load"; source: Exclude<Source, Response>; options: LoadOptions }
  | {
      id: number;
      method: Method;
      given: unknown[];
      /** Null for a method that takes none. */
      options: Record<string, unknown> | null;
      wantsProgress: boolean;
    }
  | { id: number; method: "abort" };

/** What comes back, for the request of that id. */
export type Reply =
  { id: number; value: unknown } | { id: number; progress: unknown } | { id: number; error: ErrorReply };

/** A `CoreError` has a code and facts, besides the data of its kind. */
export type ErrorReply = {
  name: string;
  message: string;
  code?: string;
  facts?: Record<string, any>;
  column?: number;
  reason?: string;
  ply?: number;
  square?: [number, number];
};
