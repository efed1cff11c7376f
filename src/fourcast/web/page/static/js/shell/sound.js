// Small sounds made by the browser itself; off until somebody switches them on.

import { getPref, setPref } from "./prefs.js";

/** @typedef {[frequency: number, delay: number, length: number, type: OscillatorType, volume: number]} Tone */

/** @type {Record<"land" | "win" | "end" | "notice", Tone[]>} */
const SOUNDS = {
  land: [
    [180, 0, 0.09, "triangle", 0.5],
    [92, 0.012, 0.13, "sine", 0.7],
  ],
  win: [
    [523, 0, 0.18, "triangle", 0.35],
    [659, 0.12, 0.18, "triangle", 0.35],
    [784, 0.24, 0.35, "triangle", 0.35],
  ],
  end: [
    [392, 0, 0.2, "triangle", 0.3],
    [330, 0.16, 0.35, "triangle", 0.3],
  ],
  notice: [[740, 0, 0.14, "sine", 0.3]],
};

/** @type {AudioContext | null} */
let context = null;

export const soundIsOn = () => getPref("sound", false) === true;

/** Switch sounds on or off; a click switches, which is what browsers ask for before any sound.
 * @param {boolean} isOn */
export function setSound(isOn) {
  setPref("sound", isOn);
  if (isOn) play("land");
}

/** Play a sound by name, if sounds are on. @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (!soundIsOn() || !window.AudioContext) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  const now = context.currentTime;
  for (const [frequency, delay, length, type, volume] of SOUNDS[name]) {
    const tone = new OscillatorNode(context, { type, frequency });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, now + delay);
    gain.gain.linearRampToValueAtTime(volume * 0.4, now + delay + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, now + delay + length);
    tone.connect(gain).connect(context.destination);
    tone.start(now + delay);
    tone.stop(now + delay + length);
  }
}
