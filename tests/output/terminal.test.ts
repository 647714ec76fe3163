import { describe, expect, it } from "vitest";
import { isTerminal, shouldUseColor, terminalWidth } from "../../src/output/index.ts";

describe("shouldUseColor", () => {
  it.each<[string, Parameters<typeof shouldUseColor>[0], boolean]>([
    ["a terminal", { env: {}, isTTY: true }, true],
    ["a pipe", { env: {}, isTTY: false }, false],
    ["NO_COLOR=1", { env: { NO_COLOR: "1" }, isTTY: true }, false],
    ["NO_COLOR=0", { env: { NO_COLOR: "0" }, isTTY: true }, false],
    ["NO_COLOR empty", { env: { NO_COLOR: "" }, isTTY: true }, true],
    ["NO_COLOR over FORCE_COLOR", { env: { NO_COLOR: "1", FORCE_COLOR: "3" }, isTTY: true }, false],
    ["FORCE_COLOR=1 in a pipe", { env: { FORCE_COLOR: "1" }, isTTY: false }, true],
    ["FORCE_COLOR=3 in a pipe", { env: { FORCE_COLOR: "3" }, isTTY: false }, true],
    ["FORCE_COLOR=0 on a terminal", { env: { FORCE_COLOR: "0" }, isTTY: true }, false],
    ["FORCE_COLOR=false", { env: { FORCE_COLOR: "false" }, isTTY: true }, false],
    ["FORCE_COLOR over CLICOLOR", { env: { FORCE_COLOR: "1", CLICOLOR: "0" }, isTTY: false }, true],
    ["CLICOLOR_FORCE=1 in a pipe", { env: { CLICOLOR_FORCE: "1" }, isTTY: false }, true],
    ["CLICOLOR_FORCE=0", { env: { CLICOLOR_FORCE: "0" }, isTTY: false }, false],
    ["CLICOLOR=0", { env: { CLICOLOR: "0" }, isTTY: true }, false],
    ["CLICOLOR=1 in a pipe", { env: { CLICOLOR: "1" }, isTTY: false }, false],
    ["TERM=dumb", { env: { TERM: "dumb" }, isTTY: true }, false],
    ["FORCE_COLOR on a dumb terminal", { env: { TERM: "dumb", FORCE_COLOR: "1" }, isTTY: true }, true],
    ["always | cat", { flag: "always", env: { NO_COLOR: "1" }, isTTY: false }, true],
    ["never", { flag: "never", env: { FORCE_COLOR: "1" }, isTTY: true }, false],
    ["auto", { flag: "auto", env: {}, isTTY: true }, true],
    ["--no-color", { flag: false, env: {}, isTTY: true }, false],
    ["SOLX_FORCE_TTY", { env: { SOLX_FORCE_TTY: "120" }, isTTY: false }, true],
  ])("%s", (_what, input, expected) => {
    expect(shouldUseColor(input)).toBe(expected);
  });
});

describe("isTerminal", () => {
  it.each<[string | undefined, boolean, boolean]>([
    [undefined, true, true],
    [undefined, false, false],
    ["", false, false],
    ["0", false, false],
    ["1", false, true],
    ["100", false, true],
    ["50%", false, true],
  ])("SOLX_FORCE_TTY=%s, terminal %s: %s", (value, isTTY, expected) => {
    expect(isTerminal({ env: { SOLX_FORCE_TTY: value }, isTTY })).toBe(expected);
  });
});

describe("terminalWidth", () => {
  it.each<[Parameters<typeof terminalWidth>[0], number]>([
    [{ columns: 120, env: {} }, 120],
    [{ columns: undefined, env: {} }, 80],
    [{ columns: 0, env: {} }, 80],
    [{ columns: Number.NaN, env: {} }, 80],
    [{ columns: 120, env: { COLUMNS: "60" } }, 60],
    [{ columns: 120, env: { COLUMNS: "0" } }, 120],
    [{ columns: 120, env: { COLUMNS: "abc" } }, 120],
    [{ columns: undefined, env: { COLUMNS: "-5" } }, 80],
    [{ columns: undefined, env: { COLUMNS: "200" }, isTTY: false }, 200],
    [{ columns: 120, env: { SOLX_FORCE_TTY: "40", COLUMNS: "60" } }, 40],
    [{ columns: 120, env: { SOLX_FORCE_TTY: "50%" } }, 60],
    [{ columns: 1, env: { SOLX_FORCE_TTY: "50%" } }, 1],
    [{ columns: undefined, env: {}, isTTY: true }, 80],
    [{ columns: undefined, env: {}, isTTY: false }, Number.POSITIVE_INFINITY],
    [{ columns: undefined, env: { SOLX_FORCE_TTY: "true" }, isTTY: false }, 80],
  ])("%j is %d", (input, width) => {
    expect(terminalWidth(input)).toBe(width);
  });
});
