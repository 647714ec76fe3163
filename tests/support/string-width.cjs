module.exports = require("../../src/output/text/width.ts").textWidth;
