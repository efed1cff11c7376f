// Zooms the map of an opening sideways: wheel, pinch, drag, a click on a move, the keys + - 0 and arrows.
{
  const svg = document.currentScript?.closest("svg") ?? document.documentElement;
  const whole = Number(svg.getAttribute("viewBox").split(" ")[2]);
  const letters = Object.fromEntries(
    [...svg.querySelectorAll("text[data-side]")].map((key) => [key.dataset.side, key.dataset.letter]),
  );
  const moves = [...svg.querySelectorAll("g.move")].map((group) => {
    const rect = group.querySelector("rect");
    const [x, y, width] = ["x", "y", "width"].map((name) => Number(rect.getAttribute(name)));
    return { group, rect, texts: [...group.querySelectorAll(":scope > text")], x, y, width };
  });
  let [left, width] = [0, whole];
  const fingers = new Map();
  let moved = 0;

  const write = (move, y, size, text, weight) => {
    const element = document.createElementNS(svg.namespaceURI, "text");
    element.textContent = text;
    element.setAttribute("y", String(y));
    element.dataset.size = size;
    if (weight) element.setAttribute("font-weight", weight);
    move.rect.after(element);
    return element;
  };

  const draw = () => {
    const scale = whole / width;
    for (const move of moves) {
      const [x, wide] = [(move.x - left) * scale, move.width * scale];
      const isSeen = x < whole && x + wide > 0;
      move.rect.style.display = isSeen ? "" : "none";
      const isNamed = isSeen && wide >= 9;
      if (isNamed && !move.texts.length) {
        const { column, side } = move.group.dataset;
        move.texts = [
          write(move, move.y + 58, 0.4, column, "bold"),
          write(move, move.y + 96, 0.3, letters[side]),
        ];
      }
      for (const text of move.texts) text.style.display = isNamed ? "" : "none";
      if (!isSeen) continue;
      move.rect.setAttribute("x", String(x));
      move.rect.setAttribute("width", String(wide));
      move.rect.classList.toggle("thin", wide < 5);
      for (const text of move.texts) {
        text.setAttribute("x", String(x + wide / 2));
        text.setAttribute("font-size", String(Math.min(wide, 100) * Number(text.dataset.size)));
      }
    }
  };

  const show = (newLeft, newWidth) => {
    width = Math.max(whole / 1e5, Math.min(newWidth, whole));
    left = Math.max(0, Math.min(newLeft, whole - width));
    draw();
  };

  /** Where a pointer is, as a share of the width of the picture. */
  const share = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(
      svg.getScreenCTM().inverse(),
    );
    return point.x / whole;
  };

  const zoom = (factor, at) => show(left + at * width * (1 - factor), width * factor);

  const spread = () => {
    const [one, other] = [...fingers.values()];
    return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  };

  svg.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoom(Math.exp(event.deltaY / 400), share(event));
    },
    { passive: false },
  );
  svg.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event);
    moved = 0;
  });
  svg.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const distance = fingers.size === 2 ? spread() : 0;
    fingers.set(event.pointerId, event);
    moved += Math.abs(event.clientX - before.clientX);
    if (fingers.size === 1) show(left + (share(before) - share(event)) * width, width);
    else if (fingers.size === 2) zoom(distance / Math.max(1, spread()), share(event));
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    svg.addEventListener(end, (event) => fingers.delete(event.pointerId));
  }
  svg.addEventListener("click", (event) => {
    const group = event.target.closest("g.move");
    const move = moves.find((each) => each.group === group);
    if (moved > 8 || !move) return;
    if (Math.abs(width - move.width) < move.width / 1000) show(0, whole);
    else show(move.x, move.width);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") show(left - width / 7, width);
    else if (event.key === "ArrowRight") show(left + width / 7, width);
    else if (event.key === "+" || event.key === "=") zoom(0.7, 0.5);
    else if (event.key === "-") zoom(1 / 0.7, 0.5);
    else if (event.key === "0") show(0, whole);
    else return;
    event.preventDefault();
  });
}
