import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.{ts,tsx}"],
    setupFiles: ["tests/support/setup.ts"],
    // Files share the modules of their worker: loading them again for every file took a fifth of the time.
    isolate: false,
    // For a terminal without a size, Ink starts `tput` twice for each of two measurements.
    env: { COLUMNS: "80", LINES: "24" },
    // Many tests wait for processes, or for time to pass: three at a time on two cores, where the default would be one.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
