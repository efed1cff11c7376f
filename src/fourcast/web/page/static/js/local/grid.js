// The rules on sets of squares, for what is told and drawn of an explanation. Column c, row r (0 is the
// bottom) is bit c * (height + 1) + r, as in the core.

/** @param {bigint} bits */
export function countBits(bits) {
  return bits.toString(2).replaceAll("0", "").length;
}

/** @param {bigint[]} sets */
export function union(sets) {
  return sets.reduce((all, each) => all | each, 0n);
}

export class Grid {
  #steps;
  /** The squares of each column. @type {bigint[]} */
  columns;
  squares;

  /** @param {number} width @param {number} height */
  constructor(width, height) {
    this.width = width;
    this.height = height;
    const column = (1n << BigInt(height)) - 1n;
    this.columns = Array.from({ length: width }, (_, index) => column << BigInt(index * (height + 1)));
    this.squares = union(this.columns);
    this.#steps = [1, height, height + 1, height + 2].map(BigInt);
  }

  /** @param {Square} square */
  bit([column, row]) {
    return 1n << BigInt(column * (this.height + 1) + row);
  }

  /** @param {Iterable<Square>} squares */
  bits(squares) {
    return union([...squares].map((square) => this.bit(square)));
  }

  /** The squares of a set, column by column. @param {bigint} bits @returns {Square[]} */
  list(bits) {
    const digits = [...bits.toString(2)].reverse();
    const found = digits.flatMap((digit, index) => (digit === "1" ? [index] : []));
    return found.map((index) => [Math.floor(index / (this.height + 1)), index % (this.height + 1)]);
  }

  /** @param {bigint} discs */
  hasFour(discs) {
    const own = discs & this.squares;
    return this.#steps.some((step) => {
      const two = own & (own >> step);
      return (two & (two >> (2n * step))) !== 0n;
    });
  }

  /** The lowest free square of each open column. @param {bigint} mask */
  playable(mask) {
    return this.columns.flatMap((column) => {
      const free = column & ~mask;
      return free ? [free & -free] : [];
    });
  }

  /** The squares on which the next disc completes a four of *own*. @param {bigint} own @param {bigint} other */
  wins(own, other) {
    return this.playable(own | other).filter((move) => this.hasFour(own | move));
  }

  /** Whether *square* is below one where the opponent completes a four.
   * @param {bigint} square @param {bigint} mine @param {bigint} theirs */
  givesFour(square, mine, theirs) {
    return this.hasFour(theirs | ((square << 1n) & ~(mine | theirs)));
  }

  /** Whether the player, to move, wins with *discs* discs, each of them with one reply.
   * @param {bigint} mine @param {bigint} theirs @param {number} discs @returns {boolean} */
  forces(mine, theirs, discs) {
    if (this.wins(mine, theirs).length) return true;
    const block = this.wins(theirs, mine);
    if (discs < 2 || block.length > 1) return false;
    return (block.length ? block : this.playable(mine | theirs)).some((move) => {
      const now = mine | move;
      const [reply] = this.wins(now, theirs);
      if (reply === undefined || this.wins(theirs, now).length) return false;
      return this.forces(now, theirs | reply, discs - 1);
    });
  }
}

/** A position, as far as explanations need one. */
export class Place {
  /** @param {Grid} grid @param {[bigint, bigint]} sides the discs of both */
  constructor(grid, sides) {
    this.grid = grid;
    this.sides = sides;
  }

  /** @param {{ width: number, height: number, cells: number[][] }} view */
  static of({ width, height, cells }) {
    const grid = new Grid(width, height);
    /** @param {Side} side */
    const discs = (side) =>
      grid.bits(
        cells.flatMap((row, y) =>
          row.flatMap((player, x) => (player === side ? [/** @type {Square} */ ([x, y])] : [])),
        ),
      );
    return new Place(grid, [discs(1), discs(2)]);
  }

  get width() {
    return this.grid.width;
  }

  get height() {
    return this.grid.height;
  }

  get mask() {
    return this.sides[0] | this.sides[1];
  }

  get ply() {
    return countBits(this.mask);
  }

  /** @returns {Side} */
  get turn() {
    return this.ply % 2 === 0 ? 1 : 2;
  }

  /** @param {Side} player */
  discs(player) {
    return this.sides[player - 1];
  }

  /** @returns {Side | null} */
  get winner() {
    if (this.grid.hasFour(this.sides[0])) return 1;
    return this.grid.hasFour(this.sides[1]) ? 2 : null;
  }

  get isOver() {
    return this.winner !== null || this.mask === this.grid.squares;
  }

  /** @returns {number[]} */
  get legalColumns() {
    if (this.isOver) return [];
    return this.grid.columns.flatMap((column, index) => (column & ~this.mask ? [index] : []));
  }

  /** How many discs lie in a column. @param {number} column */
  heightOf(column) {
    return countBits(this.mask & this.grid.columns[column]);
  }

  /** The square on which a disc in *column* lands. @param {number} column @returns {Square} */
  landing(column) {
    return [column, this.heightOf(column)];
  }

  /** @param {number} column @param {number} row @returns {0 | Side} */
  at(column, row) {
    const bit = this.grid.bit([column, row]);
    if (this.sides[0] & bit) return 1;
    return this.sides[1] & bit ? 2 : 0;
  }

  /** @param {...number} columns @returns {Place} */
  play(...columns) {
    return columns.reduce((place, column) => place.#drop(column), /** @type {Place} */ (this));
  }

  /** @param {number} column */
  #drop(column) {
    const disc = this.grid.bit(this.landing(column));
    const [first, second] = this.sides;
    return new Place(this.grid, this.turn === 1 ? [first | disc, second] : [first, second | disc]);
  }

  /** The columns in which the next disc of *player* completes a four. @param {Side} player */
  winningColumns(player) {
    if (this.isOver) return [];
    const own = this.discs(player);
    return this.legalColumns.filter((column) => {
      return this.grid.hasFour(own | this.grid.bit(this.landing(column)));
    });
  }

  /** The squares that *columns* fill, in order. @param {number[]} columns @returns {Square[]} */
  squaresPlayed(columns) {
    return columns.map((column, index) => this.play(...columns.slice(0, index)).landing(column));
  }

  /** Rows from the top, joined by "/". */
  get rows() {
    const rows = Array.from({ length: this.height }, (_, row) =>
      Array.from({ length: this.width }, (_column, column) => ".XO"[this.at(column, row)]).join(""),
    );
    return rows.reverse().join("/");
  }
}
