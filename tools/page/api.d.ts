// The messages of the API under their own names, for the comments of the page's modules. The types are
// those of the server: `npm run types` makes them from its OpenAPI description.

import type { components } from "../../build/page/openapi";

type Schemas = components["schemas"];

declare global {
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
  type Ticket = Schemas["Ticket"];
  type Side = PositionView["turn"];
  type Square = [column: number, row: number];
}
