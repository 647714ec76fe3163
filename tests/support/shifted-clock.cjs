/**
 * Loaded before a program (`--require`): shifts its clock by the milliseconds in the file that SHIFTED_CLOCK names, also
 * while it runs. Timers and `performance.now` go on as they do when the clock of a machine is set.
 */
const { readFileSync } = require("node:fs");

const SystemDate = Date;
/** Milliseconds between looks into the file. */
const LOOK_MS = 20;
let [shift, looked] = [0, Number.NEGATIVE_INFINITY];

function now() {
  const monotonic = performance.now();
  if (monotonic - looked > LOOK_MS) {
    looked = monotonic;
    // While the file is being written, it is empty.
    shift = Number(readFileSync(process.env.SHIFTED_CLOCK, "utf8")) || shift;
  }
  return SystemDate.now() + shift;
}

globalThis.Date = class extends SystemDate {
  static now = now;

  constructor(...values) {
    super(...(values.length === 0 ? [now()] : values));
  }
};
