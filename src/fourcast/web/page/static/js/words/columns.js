// What people call columns, moves and squares.

const COLUMNS = "123456789abcdefghijklmnopqrstuvwxyz";

/** What people call a column: 1 to 9, then letters. @param {number} column */
export function columnName(column) {
  return COLUMNS[column];
}

/** The column of that name, or -1. @param {string} name */
export function columnOf(name) {
  return name.length === 1 ? COLUMNS.indexOf(name.toLowerCase()) : -1;
}

/** What people call a move: a column, in PopOut also "p3" and "=". @param {{ width: number }} board @param {number} move */
export function moveName({ width }, move) {
  if (move < width) return columnName(move);
  return move < 2 * width ? `p${columnName(move - width)}` : "=";
}

/** Moves as one text: "4453". @param {number[]} columns */
export function moveString(columns) {
  return columns.map(columnName).join("");
}

/** What names a position, with more moves.
 * @template {{ moves?: string }} Query @param {Query} query @param {number[]} columns @returns {Query & { moves: string }} */
export function withMoves(query, columns) {
  return { ...query, moves: (query.moves ?? "") + moveString(columns) };
}

/** What people call a square: "3/2". @param {number} column @param {number} row from 0 */
export const squareName = (column, row) => `${columnName(column)}/${row + 1}`;

/** The square of a name. @param {string} name @returns {{ column: number, row: number }} */
export function squareOf(name) {
  const [column, row] = name.split("/");
  return { column: columnOf(column), row: Number(row) - 1 };
}
