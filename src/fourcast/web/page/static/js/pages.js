// All pages but the start page. They are one module so that they are one file of the bundle, which a first visit
// does without.

export { gamePage } from "./game/game-page.js";
export { gamesPage } from "./games/games-page.js";
export { helpPage } from "./shell/help-page.js";
export { drawingOfCup, drawingOfRoom } from "./rooms/pages.js";
export { boardPage } from "./study/board-page.js";
export { drawingOf } from "./train/pages.js";
