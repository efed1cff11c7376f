// Explanations in words: the patterns of the message catalogue, filled as `fourcast.render.explain` fills
// them. Each list of sentences is a paragraph.

import { proofPlace } from "./marks.js";
import { groupRules, planRules, playGroup, playPlan, ruleCount } from "./played-out.js";
import { columnName, nameColumns } from "./words.js";

/** @typedef {import("./grid.js").Place} Place */
/** @typedef {import("./played-out.js").Plan} Plan */
/** @typedef {import("./played-out.js").LocalGames} LocalGames */
/** @typedef {import("./played-out.js").Cases} Cases */
/** @typedef {import("../core/types.js").ClaimView} ClaimView */
/** @typedef {import("../core/types.js").ExplanationView} Found */
/** @typedef {Record<string, any>} Facts */
/** @typedef {{ pattern: string, facts: Facts }} Sentence */

/** @param {string} pattern @param {Facts} [facts] @returns {Sentence} */
export function say(pattern, facts = {}) {
  return { pattern, facts };
}

/** The catalogue, and what the players are called. */
export class Speaker {
  #fill;
  #catalogue;
  #names;

  /** @param {import("../words/patterns.js").Catalogue} catalogue @param {string[]} names */
  constructor(catalogue, names) {
    this.#catalogue = catalogue;
    this.#fill = catalogue.say;
    this.#names = names;
  }

  get catalogue() {
    return this.#catalogue;
  }

  get names() {
    return this.#names;
  }

  /** A paragraph a line. @param {Sentence[][]} paragraphs */
  text(paragraphs) {
    return paragraphs.map((said) => said.map((each) => this.sentence(each)).join(" ")).join("\n");
  }

  /** @param {Sentence} sentence @returns {string} */
  sentence({ pattern, facts }) {
    return this.#fill(
      pattern,
      Object.fromEntries(
        Object.entries(facts).map(([name, value]) => [name, this.#written(name, value)]),
      ),
    );
  }

  /** @param {string} name @param {any} value @returns {string} */
  #written(name, value) {
    switch (name) {
      case "player":
      case "opponent":
        return this.#names[value - 1];
      case "square":
      case "other":
      case "above":
        return this.#fill("square", { column: columnName(value[0]), row: value[1] + 1 });
      case "both":
      case "either": {
        const squares = value.map((/** @type {Square} */ each) => this.#written("square", each));
        if (squares.length === 1) return squares[0];
        const list = squares.slice(0, -1).join("; ");
        return this.#fill(name === "both" ? "and" : "or", { list, last: squares.at(-1) });
      }
      case "column":
      case "after":
        return columnName(value);
      case "columns":
        return nameColumns(this.#fill, value);
      case "text": {
        const [lower, upper, place] = value;
        return describeBounds(this.#fill, lower, upper, place);
      }
      case "outcome":
        return this.#fill(value);
      case "result":
        return this.#fill(`into_${value}`);
    }
    return String(value);
  }
}

/** The verdict, then a paragraph for each claim. @param {Found} found @param {Place} place */
export function explanationSentences({ verdict, line, claims, complete }, place) {
  const text = [verdict.lower, verdict.upper, place];
  const head = [say("verdict", { player: place.turn, text })];
  if (!claims.length) return [[...head, say(complete ? "no_reason" : "no_time")]];
  if (line.length) head.push(say(line.length === 1 ? "line_of_one" : "line", { columns: line }));
  const start = place.play(...line);
  return [head, ...claims.map((claim) => claimSentences(claim, start))];
}

/** @param {ClaimView} claim @param {Place} from */
function claimSentences(claim, from) {
  const { player, goal, start, proof } = claim;
  const players = { player, opponent: 3 - player };
  const said = goal === "hold" ? [say("holds", { player })] : [];
  const { moves } = proofPlace(claim, from);
  let place = from;
  for (const column of moves) {
    const square = place.landing(column);
    const isOwn = place.turn === player;
    said.push(isOwn ? say("plays", { player, square }) : say("has_to_block", { ...players, square }));
    place = place.play(column);
  }
  if (moves.length < start.length) {
    const threats = place.winningColumns(player);
    const both = threats.map((threat) => place.landing(threat));
    return [...said, say("two_threats", { ...players, both })];
  }
  if (proof.kind === "force") return [...said, ...forceSentences(proof.line, player, place)];
  if (proof.kind === "plan") return [...said, ...planSentences(proof, player, place)];
  if (proof.kind === "cases") return [...said, ...caseSentences(proof, player)];
  return [...said, ...groupSentences(proof, player, place)];
}

/** @param {number[]} line @param {Side} player @param {Place} from */
function forceSentences(line, player, from) {
  const said = [];
  let place = from;
  for (let number = 0; number < line.length; number += 2) {
    const column = line[number];
    const square = place.landing(column);
    const after = place.play(column);
    if (after.isOver) return [...said, say("four", { player, square })];
    const reply = line[number + 1];
    const threats = after.winningColumns(player);
    const other = after.landing(reply);
    const facts = { player, opponent: 3 - player, square, other };
    if (threats.length > 1) {
      const either = threats.map((threat) => after.landing(threat));
      return [...said, say("double", { ...facts, either })];
    }
    if (number / 2 === Math.floor(line.length / 2) - 1) {
      return [...said, say("stack", { ...facts, above: [reply, other[1] + 1] })];
    }
    said.push(say("exchange", facts));
    place = after.play(reply);
  }
  return said;
}

/** The pattern for each rule of a plan or of groups, and its facts.
 * @param {string} kind @param {import("./played-out.js").Rules} rules @returns {[string, object][]} */
function ruleSentences(kind, { pairs, filled, others }) {
  return [
    ...pairs.map((both) => /** @type {[string, object]} */ ([`${kind}_pair`, { both }])),
    ...filled.map((columns) => /** @type {[string, object]} */ ([`${kind}_filled`, { columns }])),
    ...others.map((rule) => ruleSentence(kind, rule)),
  ];
}

/** @param {string} kind @param {import("./played-out.js").Rule} rule @returns {[string, object]} */
function ruleSentence(kind, { squares, discs: either }) {
  const [first] = squares;
  if (squares.length === 1) return [`${kind}_answer`, { either, square: first }];
  if (squares.every(([column]) => column === first[0])) {
    return [`${kind}_column`, { either, column: first[0] }];
  }
  return [`${kind}_choice`, { either, both: squares }];
}

/** @param {Plan} plan @param {Side} player @param {Place} place */
function planSentences(plan, player, place) {
  const games = playPlan(plan, place, player);
  const players = { player, opponent: 3 - player };
  const tell = (/** @type {string} */ pattern, facts = {}) => say(pattern, { ...players, ...facts });
  if (plan.latest === null && games.positions === 1 && !games.onTop) return [tell("nothing_left")];
  const said = [tell(plan.latest === null ? "plan_hold" : "plan")];
  if (games.forced) said.push(tell("plan_force", { number: plan.takes }));
  for (const each of ruleSentences("plan", planRules(plan, place))) said.push(tell(...each));
  if (games.onTop) {
    const columns = [...new Set(place.grid.list(games.onTop).map(([column]) => column))];
    const hasEntries = plan.answers.some(({ stone }) => columns.includes(stone[0]));
    const isAll = !plan.answers.length && String(columns) === String(place.legalColumns);
    if (isAll) said.push(tell("plan_on_top_all"));
    else said.push(tell(hasEntries ? "plan_on_top_else" : "plan_on_top", { columns }));
  }
  if (games.isSafe) said.push(tell("no_four"));
  if (plan.latest !== null) {
    const either = place.grid.list(games.wins);
    if (games.alwaysBelow && either.length <= 3) said.push(tell("has_to_play_below", { either }));
    said.push(tell("latest", { number: plan.latest }));
  }
  return said;
}

/** @param {LocalGames} proof @param {Side} player @param {Place} place */
function groupSentences(proof, player, place) {
  const players = { player, opponent: 3 - player };
  const tell = (/** @type {string} */ pattern, facts = {}) => say(pattern, { ...players, ...facts });
  if (!proof.groups.length) return [tell("nothing_left")];
  const said = [];
  const onTop = [];
  let hasRules = false;
  const played = proof.groups.map((group) => {
    const games = playGroup(group, place, player);
    return { group, games, rules: groupRules(games, place) };
  });
  if (played.some(({ rules }) => rules?.foursFirst)) said.push(tell("groups_first"));
  for (const { group, games, rules } of played) {
    const { columns, answers } = group;
    if (rules === null) {
      said.push(tell("groups_table", { columns, number: answers.length }));
      continue;
    }
    onTop.push(...columns);
    const settled = place.grid.list(games.settled);
    if (columns.length > 1 && settled.some(([, row]) => row + 1 === place.height)) {
      said.push(tell("groups_together", { columns }));
    }
    for (const each of ruleSentences("groups", rules)) said.push(tell(...each));
    hasRules ||= ruleCount(rules) > 0;
  }
  if (onTop.length) {
    const columns = onTop.toSorted((one, other) => one - other);
    const pattern = hasRules ? "groups_on_top_else" : "groups_on_top";
    const isAll = String(columns) === String(place.legalColumns);
    said.push(isAll ? tell(`${pattern}_all`) : tell(pattern, { columns }));
  }
  said.push(tell("groups_stop"));
  if (proof.groups.some(({ free }) => free !== "never")) said.push(tell("groups_spare"));
  for (const { group, games } of played) {
    if (group.role !== "win") continue;
    const either = place.grid.list(games.wins);
    const isOpen = (games.mine | games.theirs) !== 0n;
    said.push(
      isOpen ? tell("groups_win", { columns: group.columns }) : tell("groups_below", { either }),
    );
  }
  if (proof.latest !== null) said.push(tell("latest", { number: proof.latest }));
  return said;
}

/** @param {Cases} proof @param {Side} player */
function caseSentences({ answers, ends, latest }, player) {
  const players = { player, opponent: 3 - player };
  const goal = latest === null ? "hold" : "win";
  const said =
    answers.length > 1
      ? [say("cases", { ...players, number: answers.length })]
      : [say(answers.length ? "cases_one" : "cases_on_top", players)];
  if (ends.length) {
    const some = ends.length === 1 ? "one" : "some";
    said.push(say(`cases_${goal}_or_${some}`, { ...players, number: ends.length }));
  } else said.push(say(`cases_${goal}`, players));
  const size = ends.reduce((sum, { proof }) => sum + sizeOf(proof), answers.length);
  if (size > answers.length) said.push(say("cases_size", { number: size }));
  if (latest !== null) said.push(say("latest", { ...players, number: latest }));
  return said;
}

/** The number of answers that a proof lists. @param {Plan | LocalGames} proof */
function sizeOf(proof) {
  if (proof.kind === "plan") return proof.answers.length;
  return proof.groups.reduce((sum, { answers }) => sum + answers.length, 0);
}

/**
 * What there is to say about a move, what follows it, and what was better.
 * @param {Place} place before the move
 * @param {{ column: number, keeping: number[], replies: number[], before: string | null, after: string | null,
 *   reason: Found | null, better: Found | null, instead: number | null }} move
 */
export function moveSentences(place, { column, keeping, replies, reason, better, instead, ...worth }) {
  const { before: outcome, after: result } = worth;
  const isMistake = !keeping.includes(column);
  const onlyKeeping = isMistake && keeping.length === 1 ? keeping[0] : null;
  const onlyReply = replies.length === 1 ? replies[0] : null;
  const head = moveHead(place, { column, keeping, outcome, result, hasReason: reason !== null });
  if (onlyKeeping !== null && onlyKeeping === onlyReply) {
    head.push(say("same_point", { column: onlyReply, outcome, after: column }));
  } else if (isMistake) {
    if (onlyKeeping !== null) head.push(say("kept_one", { column: onlyKeeping, outcome }));
    else head.push(say("kept_some", { columns: keeping, outcome }));
    if (onlyReply !== null) head.push(say("reply_one", { column: onlyReply, after: column }));
    if (onlyReply === column) head.push(say("reply_on_top", { column: onlyReply, after: column }));
  }
  const paragraphs = [head];
  if (reason) {
    const there = place.play(column);
    paragraphs.push([say("after_it", { column })], ...explanationSentences(reason, there));
  }
  if (isMistake && instead !== null) {
    if (!better) paragraphs.push([say("move_wins", { column: instead })]);
    else {
      const there = place.play(instead);
      paragraphs.push([say("instead", { column: instead })], ...explanationSentences(better, there));
    }
  }
  return paragraphs;
}

/** @param {Place} place
 * @param {{ column: number, keeping: number[], outcome: string | null, result: string | null, hasReason: boolean }} move */
function moveHead(place, { column, keeping, outcome, result, hasReason }) {
  if (!hasReason) return [say(place.play(column).winner ? "move_wins" : "move_draws", { column })];
  if (!keeping.includes(column)) return [say("move_mistake", { column, outcome, result })];
  if (outcome === "loss") return [say("move_keeps_loss", { column })];
  const isOnly = place.legalColumns.length > 1 && keeping.length === 1;
  const only = isOnly ? [say("move_only", { column, outcome })] : [];
  return [say("move_keeps", { column, outcome }), ...only];
}

/** @typedef {{ width: number, height: number, ply: number }} Stage How large the board is, and how full. */

/** How many discs are on the board when a game of this score is over. @param {number} score @param {Stage} stage */
function finalPly(score, { width, height, ply }) {
  const cells = width * height;
  if (score === 0) return cells;
  const latest = cells + 2 - 2 * Math.abs(score);
  const fits = (Math.abs(latest - ply) % 2 !== 0) === score > 0;
  return fits ? latest : latest - 1;
}

/** How many discs the winner still plays. @param {number} score @param {Stage} stage */
function winnerMoves(score, stage) {
  const plies = finalPly(score, stage) - stage.ply;
  return Math.floor((plies + (score > 0 ? 1 : 0)) / 2);
}

/** What the side to move gets: "wins in 5 moves". @param {import("../words/patterns.js").Say} fill @param {number} score @param {Stage} stage */
function describeScore(fill, score, stage) {
  if (score === 0) return fill("score.draws");
  return fill(score > 0 ? "score.wins" : "score.loses", { count: winnerMoves(score, stage) });
}

/** What is proven if the score lies between these.
 * @param {import("../words/patterns.js").Say} fill @param {number} lower @param {number} upper @param {Stage} stage */
function describeBounds(fill, lower, upper, stage) {
  if (lower === upper) return describeScore(fill, lower, stage);
  if (lower > 0) return fill("score.wins_by", { count: winnerMoves(lower, stage) });
  if (upper < 0) return fill("score.loses_by", { count: winnerMoves(upper, stage) });
  if (lower === 0) return fill("score.at_least_draws");
  return fill(upper === 0 ? "score.at_most_draws" : "score.open");
}
