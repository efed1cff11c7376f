// The messages of the API under their own names, for the comments of the page's modules. The types are
// those of the server: `npm run types` makes them from its OpenAPI description. Behind them are those of the
// page's own that many modules name.

import type { components, paths } from "../../build/page/openapi";
import type { Texts as PageTexts } from "../../build/page/texts";
import type * as board from "../../src/fourcast/web/page/static/js/board/state";
import type * as positions from "../../src/fourcast/web/page/static/js/backend/positions";
import type * as boardPage from "../../src/fourcast/web/page/static/js/study/board-page";
import type * as exercise from "../../src/fourcast/web/page/static/js/train/exercise";
import type * as game from "../../src/fourcast/web/page/static/js/game/state";
import type * as gamePage from "../../src/fourcast/web/page/static/js/game/game-page";
import type * as prefs from "../../src/fourcast/web/page/static/js/shell/prefs";
import type * as room from "../../src/fourcast/web/page/static/js/rooms/state";
import type * as roomPage from "../../src/fourcast/web/page/static/js/rooms/room-page";
import type * as puzzle from "../../src/fourcast/web/page/static/js/train/puzzle";
import type * as sizes from "../../src/fourcast/web/page/static/js/words/sizes";
import type * as patterns from "../../src/fourcast/web/page/static/js/words/patterns";
import type * as dom from "../../src/fourcast/web/page/static/js/elements/dom";
import type * as core from "../../src/fourcast/web/page/static/js/core/types";

type Schemas = components["schemas"];

type Json<Response> = Response extends { 200: { content: { "application/json": infer Body } } }
  ? Body
  : never;

declare global {
  /** What the worker answers in the server's place. */
  type LocalPath =
    | ("/api/about" | "/api/players" | "/api/position" | "/api/analysis" | "/api/review")
    | ("/api/explain" | "/api/explain-move" | "/api/follow");
  /** What a path is asked with, and what it answers to GET: by the worker as by the server. */
  type QueryOf<Path extends LocalPath> = {
    [Name in keyof NonNullable<paths[Path]["get"]["parameters"]["query"]>]?: string | number | null;
  };
  type AnswerTo<Path extends LocalPath> = Json<paths[Path]["get"]["responses"]>;
  type AboutView = Schemas["AboutView"];
  type ActionKind = Schemas["Action"]["kind"];
  type AnalysisView = Schemas["AnalysisView"];
  type ClockRequest = NonNullable<NewGame["clock"]>;
  type ClockView = NonNullable<GameView["clock"]>;
  type ColumnView = Schemas["ColumnView"];
  type ExplanationView = Schemas["ExplanationView"];
  type FollowedView = Schemas["FollowedView"];
  type GameView = Schemas["GameView"];
  type MarksView = Schemas["MarksView"];
  type MoveExplanationView = Schemas["MoveExplanationView"];
  type MoveReviewView = Schemas["MoveReviewView"];
  type NewGame = Schemas["NewGame"];
  type PlayerView = Schemas["PlayerView"];
  type PositionView = Schemas["PositionView"];
  type ResultView = Schemas["ResultView"];
  type ReviewView = Schemas["ReviewView"];
  type CupView = Schemas["CupView"];
  type RoomView = Schemas["RoomView"];
  type Seat = Schemas["Seat"];
  type Texts = PageTexts;
  type TextKey = keyof PageTexts;
  type Ticket = Schemas["Ticket"];
  type Side = PositionView["turn"];
  type Square = [column: number, row: number];

  type PositionQuery = positions.PositionQuery;
  type Shown = board.Shown;
  type Board = board.Board;
  type Place = board.Place;
  type BoardPage = boardPage.BoardPage;
  type GamePage = gamePage.GamePage;
  type GameState = game.GameState;
  type KeptGame = prefs.KeptGame;
  type RoomPage = roomPage.RoomPage;
  type RoomState = room.RoomState;
  type Exercise = exercise.Exercise;
  type Puzzle = puzzle.Puzzle;
  type Size = sizes.Size;
  type Say = patterns.Say;
  type Child = dom.Child;
  type Said = core.Said;
}
