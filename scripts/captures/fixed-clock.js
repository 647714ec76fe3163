// Preloaded into solx for the pictures of the documentation: time stands still, so that the same build draws the same
// picture on every day.
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
