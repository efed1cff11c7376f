// A class: tasks for everybody in the room, as a race or as homework, and who has solved them.

import { button, card, html, tableOf } from "../elements/dom.js";
import { t } from "../words/text.js";
import { redraw } from "./parts.js";
import { signOf } from "./state.js";
import { Work } from "./work.js";

/** @typedef {NonNullable<RoomView["tasks"]>} Tasks */

/** @param {RoomPage} page @returns {import("./room-page.js").Part} */
export function makeTasks(page) {
  const now = html("div.room-tasks");
  const clock = raceClock(page.live);
  const work = new Work(page);
  const results = html("div.room-results");
  const element = card("tasks-title", t("room.class"), now, clock.element, work.element, results);
  return {
    element,
    draw: (state) => {
      const { tasks } = state.room;
      element.hidden = !tasks;
      redraw(now, [tasks?.kind, tasks?.items, tasks?.started_ms, tasks?.is_over, state.isHost], () =>
        tasks ? [heading(tasks), ...controls(page, state, tasks)] : [],
      );
      work.draw(state);
      // Those who do homework see what they have done themselves.
      const isShown = tasks && (state.isHost || tasks.kind === "race" || tasks.is_over);
      const facts = [isShown, tasks, state.room.members.map(({ name }) => name)];
      redraw(results, facts, () => (isShown ? [resultsCard(page, state, tasks)] : []));
      clock.tick();
    },
  };
}

/** The clock of a race, which runs with the server's. @param {import("./live-room.js").LiveRoom} live */
export function raceClock(live) {
  const element = html("p.room-clock", { role: "timer", hidden: true });
  const tick = () => {
    const tasks = live.state?.room.tasks;
    element.hidden = !(tasks?.kind === "race" && tasks.started_ms && !tasks.is_over);
    if (!element.hidden) element.textContent = timeText(live.now() - (tasks?.started_ms ?? 0));
  };
  window.setInterval(tick, 500);
  return { element, tick };
}

/** Minutes and seconds. @param {number} ms */
function timeText(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {Tasks} tasks */
export function heading(tasks) {
  const { kind, items } = tasks;
  const words = t(kind === "race" ? "room.race_of" : "room.homework_of", { count: items.length });
  const waits = tasks.started_ms === null ? t("room.race_waits") : "";
  return html("p", { role: "status" }, tasks.is_over ? t("room.tasks_over") : `${words} ${waits}`);
}

/** @param {RoomPage} page @param {RoomState} state @param {Tasks} tasks */
function controls(page, state, tasks) {
  if (!state.isHost || tasks.is_over) return [];
  const start = button(t("room.start_race"), () => page.host({ kind: "start-tasks" }), {
    ...{ kind: "primary", "data-key": "start" },
  });
  const end = button(t("room.end_tasks"), () => page.host({ kind: "end-tasks" }), { "data-key": "end" });
  return [html("div.actions", tasks.started_ms === null && start, end)];
}

/** Those who have something to solve, the best first, with what they have solved. @param {RoomState} state */
export function pupilsOf(state) {
  const { tasks, members } = state.room;
  const rows = members.map(({ id, name }) => {
    const mine = tasks?.results?.[id] ?? {};
    const right = Object.values(mine).filter(({ is_right: isRight }) => isRight);
    const last_ms = Math.max(0, ...right.map(({ time_ms: time }) => time));
    return { id, name, mine, right: right.length, last_ms };
  });
  // Those who only run the class have no line.
  const pupils = rows.filter(
    ({ id, mine }) => Object.keys(mine).length || id !== state.member || !state.isHost,
  );
  return pupils.sort((one, other) => other.right - one.right || one.last_ms - other.last_ms);
}

/** Who has solved what. @param {Tasks} tasks @param {ReturnType<typeof pupilsOf>} pupils
 * @param {{ hasSigns: boolean }} [options] whether there is a column for each task */
export function resultsTable({ items }, pupils, { hasSigns } = { hasSigns: true }) {
  const shown = hasSigns ? items : [];
  const signs = (/** @type {typeof pupils[number]} */ { mine }) =>
    shown.map((item) => {
      const { kind, sign, label } = signOf(mine[item]);
      if (!sign) return html("span.visually-hidden", label);
      return html("span", { class: `room-${kind}`, role: "img", "aria-label": label }, sign);
    });
  const head = [t("room.player"), t("room.solved"), t("room.time")];
  const table = tableOf(
    [...head, ...shown.map((_, index) => String(index + 1))],
    pupils.map((row) => [
      row.name,
      t("room.solved_of", { number: row.right, count: items.length }),
      row.right ? timeText(row.last_ms) : "",
      ...signs(row),
    ]),
  );
  table.classList.add("room-table");
  return table;
}

/** @param {RoomPage} page @param {RoomState} state @param {Tasks} tasks */
function resultsCard(page, state, tasks) {
  const csv = button(t("room.csv"), () => page.save("tasks"), { kind: "small", "data-key": "csv" });
  const label = { role: "region", "aria-label": t("room.results"), tabindex: "0" };
  const table = resultsTable(tasks, pupilsOf(state));
  return html("div", html("div.room-scroll", label, table), html("div.actions", csv));
}
