module.exports = require("string-width").default;
