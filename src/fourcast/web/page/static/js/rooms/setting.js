// What a teacher sets: puzzles or lessons, as a race or as homework.

import { askWhole } from "../backend/backend.js";
import { chosenRadio, html } from "../elements/dom.js";
import { field, form, numberField, optionsOf, radio, submitButton } from "../elements/fields.js";
import { loadLessons, titleOf } from "../learn/lesson-view.js";
import { puzzleText } from "../train/collection.js";
import { themeChoices } from "../train/said.js";
import { STANDARD } from "../words/sizes.js";
import { loadTrainingTexts, t } from "../words/text.js";
import { tried } from "../words/words.js";

/** In front of the name of a lesson; what has nothing in front is a puzzle. */
export const LESSON = "lesson:";
const RATINGS = { easy: 350, medium: 600, hard: 900 };
const LEVELS = /** @type {const} */ (["easy", "medium", "hard"]);

/** @typedef {ReturnType<typeof makeFields>} Fields */

/** @param {RoomPage} page */
export function makeSetting(page) {
  const fields = makeFields();
  const { error, lessons, puzzles, submit } = fields;
  const set = async () => {
    submit.disabled = true;
    await tried(error, async () => {
      const items = await chosenItems(element, fields);
      const tasks = chosenRadio(element, "tasks") ?? "race";
      if (items.length) await page.host({ kind: "open-tasks", tasks, items });
      else error.textContent = t("room.choose_lessons");
    });
    submit.disabled = false;
  };
  const element = form(
    "room-opening",
    set,
    { "aria-label": t("room.new_tasks") },
    segments("what", { puzzles: t("nav.puzzles"), lessons: t("room.lessons") }),
    puzzles,
    lessons,
    segments("tasks", { race: t("room.race"), homework: t("room.homework") }),
    html("div.actions", submit),
    error,
  );
  const show = () => {
    lessons.hidden = chosenRadio(element, "what") !== "lessons";
    puzzles.hidden = !lessons.hidden;
  };
  element.addEventListener("change", show);
  show();
  // What there is to choose from is loaded when somebody looks at it.
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    seen.disconnect();
    tried(error, () => fill(fields));
  });
  seen.observe(element);
  return element;
}

function makeFields() {
  const count = numberField("task-count", 1, 30, 5);
  const levels = LEVELS.map((each) => [each, t(`room.${each}`)]);
  const rating = html("select", { id: "task-rating" }, ...optionsOf(levels, "easy"));
  const theme = html("select", { id: "task-theme" });
  const puzzles = html(
    "div.row",
    field(t("room.count"), count),
    field(t("room.difficulty"), rating),
    field(t("room.theme"), theme),
  );
  const lessons = html("fieldset.plain.room-lessons", html("legend", t("room.lessons")));
  const error = html("p.error", { role: "alert" });
  return { count, rating, theme, puzzles, lessons, error, submit: submitButton(t("room.set")) };
}

/** Choices side by side, the first of them chosen. @param {string} name @param {Record<string, string>} choices */
function segments(name, choices) {
  const labels = Object.entries(choices).map(([value, label], index) =>
    html("label.segment", radio(name, value, index === 0), label),
  );
  return html("div.segments", ...labels);
}

/** @param {HTMLElement} element @param {Fields} fields @returns {Promise<string[]>} */
async function chosenItems(element, { count, rating, theme, lessons }) {
  if (chosenRadio(element, "what") === "lessons") {
    const boxes = [...lessons.querySelectorAll("input:checked")];
    return boxes.map((box) => LESSON + box.getAttribute("value"));
  }
  const level = LEVELS.find((each) => each === rating.value) ?? "easy";
  return pick(count.valueAsNumber || 5, RATINGS[level], theme.value || null);
}

/** @param {Fields} fields */
async function fill({ theme, lessons }) {
  const [all] = await Promise.all([loadLessons(), loadTrainingTexts()]);
  theme.append(...optionsOf(await themeChoices(), ""));
  const boxes = all.map(({ id }) =>
    html("label.choice-line", html("input", { type: "checkbox", value: id }), titleOf(id)),
  );
  lessons.append(...boxes);
}

/** Puzzles that differ, by their ids. @param {number} count @param {number} rating @param {string | null} theme */
async function pick(count, rating, theme) {
  const text = await puzzleText(STANDARD);
  /** @type {string[]} */
  const found = [];
  while (found.length < count) {
    const request = { text, rating, theme, without: found, chance: Math.random() };
    /** @type {Puzzle | null} */
    const puzzle = await askWhole("puzzles.pick", request);
    if (!puzzle || found.includes(puzzle.id)) break;
    found.push(puzzle.id);
  }
  return found;
}
