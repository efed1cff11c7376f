// The answers of the core are those of the web API without its sentences: this does not compile if they
// are not.

import type * as core from "../../src/fourcast/web/page/static/js/core/types";

type Same<Left, Right> = [Left] extends [Right] ? ([Right] extends [Left] ? true : never) : never;
type WithoutText<View> = Omit<View, "text">;

type Check<Holds extends true> = Holds;
export type Checks = [
  Check<Same<core.PositionView, WithoutText<PositionView>>>,
  Check<Same<core.ColumnView, WithoutText<ColumnView>>>,
  Check<
    Same<
      Omit<core.AnalysisView, "position" | "columns">,
      Omit<WithoutText<AnalysisView>, "position" | "columns">
    >
  >,
  Check<Same<core.MoveReviewView, WithoutText<MoveReviewView>>>,
  Check<
    Same<
      Omit<core.ReviewView, "position" | "moves">,
      Omit<WithoutText<ReviewView>, "position" | "moves">
    >
  >,
  Check<Same<core.ExplanationView, Omit<WithoutText<ExplanationView>, "marks">>>,
];
