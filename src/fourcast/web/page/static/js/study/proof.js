// The proof: what the certificates that come with fourcast play, and what each move rests on.

import { askWhole, chooseColumn } from "../backend/backend.js";
import { placeRequest } from "../core/place.js";
import { textOf } from "../train/collection.js";

/** @typedef {import("../backend/positions.js").PositionQuery} PositionQuery */
/** @typedef {{ column: number, player: Side, win: boolean, said: import("../words/said.js").Said }} ProofMove */

/** The name of the player that follows the proof. */
export const PROOF = "proof";

/** The move of the proof in a position; null if it says nothing of it.
 * @param {PositionQuery} query @returns {Promise<ProofMove | null>} */
export async function proofOf(query) {
  const certificates = JSON.parse(await textOf("certificates.json"));
  return askWhole("certificate.answer", { certificates, ...placeRequest(query) });
}

/** The column that the player "proof" chooses, on the static site. @param {PositionQuery} query */
export async function chooseByProof(query) {
  const found = await proofOf(query);
  return found ? found.column : chooseColumn("perfect", { ...query });
}
