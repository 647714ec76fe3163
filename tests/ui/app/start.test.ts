import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { type ExitReason, explore } from "../../../src/ui/app/start.tsx";
import { NO_CUSTOM_KEYS } from "../../../src/ui/navigation/keys/custom-keys.ts";
import type { Services } from "../../../src/ui/navigation/services.ts";
import { fakeServices } from "../support.tsx";

/** A terminal that records its output. */
class Screen extends EventEmitter {
  readonly isTTY = true;
  readonly columns = 80;
  readonly rows = 24;
  text = "";

  write(text: string, done?: () => void): boolean {
    this.text += text;
    done?.();
    return true;
  }
}

class Keyboard extends EventEmitter {
  readonly isTTY = true;
  isRaw = false;
  #waiting: string[] = [];

  setRawMode(isRaw: boolean): void {
    this.isRaw = isRaw;
  }

  send(text: string): void {
    this.#waiting.push(text);
    this.emit("readable");
  }

  read(): string | null {
    return this.#waiting.shift() ?? null;
  }

  setEncoding(): void {}
  ref(): void {}
  unref(): void {}
}

/** Returns whether the last sequence written for a terminal mode turns it off. */
function isOff(text: string, on: string, off: string): boolean {
  return text.lastIndexOf(off) >= text.lastIndexOf(on);
}

function isRestored(text: string): boolean {
  return (
    isOff(text, "\u001B[?1049h", "\u001B[?1049l") &&
    isOff(text, "\u001B[?25l", "\u001B[?25h") &&
    isOff(text, "\u001B[?2004h", "\u001B[?2004l") &&
    isOff(text, "\u001B[?1000h", "\u001B[?1000l") &&
    isOff(text, "\u001B[?2026h", "\u001B[?2026l")
  );
}

/** Starts the explorer, waits for a frame, ends it, and waits for its exit. */
async function lived(
  end: (world: World) => void,
  services: Partial<Services> = {},
): Promise<World & { how: ExitReason }> {
  const world = { screen: new Screen(), keyboard: new Keyboard(), stop: new AbortController(), log: [] as string[] };
  const running = explore({
    services: fakeServices({ log: (text) => world.log.push(text), ...services }),
    route: { kind: "page", page: "bookmarks" },
    stdin: world.keyboard as unknown as NodeJS.ReadStream,
    stdout: world.screen as unknown as NodeJS.WriteStream,
    signal: world.stop.signal,
  });
  await expect.poll(() => world.screen.text.includes("search") || world.log.length > 0).toBe(true);
  end(world);
  return { ...world, how: await running };
}

interface World {
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  readonly stop: AbortController;
  readonly log: readonly string[];
}

const NO_CUSTOMIZATION = {
  keys: NO_CUSTOM_KEYS,
  hotkeyRoutes: new Map(),
  theme: undefined,
  styles: {},
  problems: [],
};

describe("the terminal is restored", () => {
  test("when the user quits with the mouse on", async () => {
    const { how, screen, keyboard } = await lived(({ keyboard: keys }) => keys.send("q"));
    expect(how).toEqual({ how: "left" });
    expect(screen.text).toContain("\u001B[?1000h");
    expect(isRestored(screen.text)).toBe(true);
    expect(keyboard.isRaw).toBe(false);
  });

  test("the mouse is off when the configuration says so, and m turns it on for later runs", async () => {
    const switches: unknown[] = [];
    const { memory } = fakeServices();
    const setSwitch = async (...change: unknown[]) => void switches.push(change);
    const services = { customization: { ...NO_CUSTOMIZATION, mouse: false }, memory: { ...memory, setSwitch } };
    const { screen } = await lived(({ keyboard, screen: before }) => {
      expect(before.text).not.toContain("\u001B[?1000h");
      keyboard.send("m");
      keyboard.send("q");
    }, services);
    expect(screen.text).toContain("\u001B[?1000h");
    expect(switches).toEqual([["mouse", true]]);
    expect(isRestored(screen.text)).toBe(true);
  });

  test("when the signal aborts", async () => {
    const { how, screen, keyboard } = await lived(({ stop }) => stop.abort());
    expect(how).toEqual({ how: "left" });
    expect(isRestored(screen.text)).toBe(true);
    expect(keyboard.isRaw).toBe(false);
  });

  test("when its terminal closes", async () => {
    const { how } = await lived(({ screen }) => screen.emit("error", new Error("EIO")));
    expect(how).toEqual({ how: "gone" });
  });

  test("when rendering fails, which is reported and logged", async () => {
    let isBroken = false;
    const now = () => {
      if (isBroken) throw new Error("a clock that broke");
      return 0;
    };
    const breaks = ({ keyboard }: World) => {
      isBroken = true;
      keyboard.send("U");
    };
    const { how, screen, keyboard, log } = await lived(breaks, { now });
    expect(how).toMatchObject({ how: "fault", error: { message: "a clock that broke" } });
    expect(log.join("\n")).toMatch(/a clock that broke[\s\S]*at /);
    expect(isRestored(screen.text)).toBe(true);
    expect(keyboard.isRaw).toBe(false);
  });

  test("console output goes to the log meanwhile and to its destination afterwards", async () => {
    const { error } = globalThis.console;
    const { screen, log } = await lived(({ stop }) => {
      globalThis.console.error("a message of %s", "a dependency");
      stop.abort();
    });
    expect(log).toEqual(["a message of a dependency"]);
    expect(screen.text).not.toMatch(/message of/);
    expect(globalThis.console.error).toBe(error);
  });
});
