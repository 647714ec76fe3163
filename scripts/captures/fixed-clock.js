// Preloaded into solx for the pictures of the documentation: time stands still, so that the same build draws the same
// picture on every day.
const NOW = Date.UTC(2026, 0, 15, 12);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(NOW);
    else super(...args);
  }
  static now() {
    return NOW;
  }
};
