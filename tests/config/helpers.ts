/** A separate home folder for each test, and settings loaded from it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import type { Env } from "../../src/base/index.ts";
import { type LoadOptions, loadSettings, type Settings } from "../../src/config/index.ts";

/** A folder that is gone after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "solx-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A separate `SOLX_HOME`. */
export class Home {
  readonly path = folder();
  readonly config = join(this.path, "config.json");
  readonly credentials = join(this.path, "credentials.json");

  /** Writes the settings file: text as it is, anything else as JSON. */
  write(content: unknown): this {
    writeFileSync(this.config, typeof content === "string" ? content : JSON.stringify(content));
    return this;
  }

  /** The settings file, parsed. */
  read(): Record<string, unknown> {
    return JSON.parse(readFileSync(this.config, "utf8"));
  }

  /** The keys file, parsed. */
  keys(): Record<string, unknown> {
    return existsSync(this.credentials) ? JSON.parse(readFileSync(this.credentials, "utf8")) : {};
  }

  load(options: Partial<Omit<LoadOptions, "env">> & { env?: Env } = {}): Promise<Settings> {
    return loadSettings({ flags: {}, ...options, env: { SOLX_HOME: this.path, ...options.env } });
  }
}

/** The permission bits of a file. */
export function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

/** A keychain that keeps its entries in a folder, or misbehaves. */
export function fakeKeychain(behaviour: "works" | "hangs" | "crashes" | "babbles" | "refuses") {
  const root = folder();
  const entries = join(root, "entries");
  mkdirSync(entries);
  const worker = join(root, "worker.mjs");
  writeFileSync(
    worker,
    `
    import { existsSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
    const { action, service, account, key } = JSON.parse(readFileSync(0, "utf8"));
    const file = ${JSON.stringify(`${entries}/`)} + encodeURIComponent(service + " " + account);
    writeFileSync(${JSON.stringify(join(root, "argv"))}, process.argv.join(" "));
    const say = (answer) => writeSync(1, JSON.stringify(answer));
    switch (${JSON.stringify(behaviour)}) {
      case "hangs": setInterval(() => {}, 1000); break;
      case "crashes": throw new Error("no keychain");
      case "babbles": writeSync(1, "hello"); break;
      case "refuses": say({ ok: false, reason: "is locked" }); break;
      default:
        if (action === "set") writeFileSync(file, key);
        if (action === "delete") rmSync(file, { force: true });
        say(action === "get" && existsSync(file) ? { ok: true, key: readFileSync(file, "utf8") } : { ok: true });
    }
    `,
  );
  return { entries, root, options: { worker: pathToFileURL(worker), platform: "darwin" as const } };
}
