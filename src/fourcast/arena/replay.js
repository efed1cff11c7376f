// Replays a game on a small board when its number is clicked; without it, the link opens the game file.
(() => {
  const replay = document.getElementById("replay");
  const [width, height] = [Number(replay.dataset.width), Number(replay.dataset.height)];
  let moves = [];
  let shown = 0;
  let name = "";

  const grid = document.createElement("div");
  grid.className = "grid";
  grid.style.gridTemplateColumns = `repeat(${width}, auto)`;
  for (let i = 0; i < width * height; i++) grid.append(document.createElement("i"));
  const said = document.createElement("output");

  const step = (to) => {
    shown = Math.max(0, Math.min(moves.length, to));
    const heights = new Array(width).fill(0);
    for (const cell of grid.children) cell.className = "";
    moves.slice(0, shown).forEach((column, i) => {
      const row = height - 1 - heights[column]++;
      const last = i === shown - 1 ? " last" : "";
      grid.children[row * width + column].className = `p${1 + (i % 2)}${last}`;
    });
    said.textContent = `${name}: move ${shown} of ${moves.length}`;
  };

  const button = (text, label, act) => {
    const made = document.createElement("button");
    made.textContent = text;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  };

  replay.append(
    grid,
    said,
    button("|<", "first", () => step(0)),
    button("<", "back", () => step(shown - 1)),
    button(">", "next", () => step(shown + 1)),
    button(">|", "last", () => step(moves.length)),
    button("×", "close", () => (replay.hidden = true)),
  );
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-moves]");
    if (!link) return;
    event.preventDefault();
    moves = [...link.dataset.moves].map((move) => parseInt(move, 36) - 1);
    name = `Game ${link.textContent}`;
    replay.hidden = false;
    step(moves.length);
  });
})();
