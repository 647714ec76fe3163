// Preloaded into solx for the pictures of the documentation: time stands still and the machine has a fixed name, so that
// the same build draws the same picture on every day and machine.

import { syncBuiltinESMExports } from "node:module";
import os from "node:os";

os.hostname = () => "workstation";
syncBuiltinESMExports();
const now = Number(process.env.CAPTURE_TIME);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now);
    else super(...args);
  }
  static now() {
    return now;
  }
};
