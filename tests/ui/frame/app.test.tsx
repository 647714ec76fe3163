import { describe, expect, test } from "vitest";
import { renderExplorer } from "../support.tsx";

describe("the frame", () => {
  test("says that a window is too small, and recovers", async () => {
    const window = renderExplorer({ width: 50, height: 10 });
    await window.waitFor(/solx needs 60 × 15/);
    await window.resize(80, 24);
    expect(await window.waitFor(/home/)).not.toMatch(/needs/);
  });

  test("opens what is pasted anywhere, line breaks around it or not", async () => {
    const window = renderExplorer();
    await window.paste("\n EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v\n");
    await window.waitFor(/EPjF…Dt1v/);
    await window.press("esc");
    expect(window.frame()).not.toMatch(/EPjF/);
  });

  test("leaves with q", async () => {
    const window = renderExplorer();
    await window.press("q");
    expect(window.quits()).toBe(1);
  });
});
