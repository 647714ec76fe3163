import { defineConfig } from "vitest/config";
import { LongestFirst } from "./scripts/test-order.ts";
import { WAIT } from "./tests/support/wait-for.ts";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.{ts,tsx}"],
    setupFiles: ["tests/support/setup.ts"],
    // Files share the modules of their worker: loading them again for every file took a fifth of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // For a terminal without a size, Ink starts `tput` twice for each of two measurements.
    env: { COLUMNS: "80", LINES: "24" },
    // Many tests wait for processes, or for time to pass: four at a time on two cores, where the default would be one.
    maxWorkers: 4,
    // These only end a test that hangs: a busy machine takes many times as long as a quiet one.
    testTimeout: WAIT,
    hookTimeout: WAIT,
    expect: { poll: { timeout: WAIT / 2 } },
  },
});
