// The messages of the API under their own names, for the comments of the page's modules. The types are
// those of the server: `npm run types` makes them from its OpenAPI description.

import type { components, paths } from "../../build/page/openapi";
import type { Texts as PageTexts } from "../../build/page/texts";

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
  type Seat = Schemas["Seat"];
  type Texts = PageTexts;
  type TextKey = keyof PageTexts;
  type Ticket = Schemas["Ticket"];
  type Side = PositionView["turn"];
  type Square = [column: number, row: number];
}
