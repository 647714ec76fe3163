/** Every command that reads a file: none hangs at a pipe without a writer, and none reads a device or another folder. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InterruptedError } from "../../src/base/index.ts";
import { runInProcess } from "../support/in-process.ts";
import { createTempFolder } from "../support/solx.ts";

const folder = createTempFolder();

/** Commands by the file that they read. */
const FILES: Readonly<Record<string, (path: string) => readonly string[]>> = {
  "identifiers of a batch": (path) => ["token", "meta", `@${path}`, "--sandbox"],
  "identifiers of lists": (path) => ["account", "transfer", `@${path}`, "--sandbox"],
  "a transaction": (path) => ["inspect", `@${path}`],
  "parameters of a call": (path) => ["rpc", "getBalance", `@${path}`, "--rpc", "http://127.0.0.1:9"],
  names: (path) => ["names", "import", path],
};
/** Commands by the folder that they read. */
const FOLDERS: Readonly<Record<string, (path: string) => readonly string[]>> = {
  "a replaying sandbox": (path) => ["sandbox", "--port", "0", "--replay", path],
  "a check of recordings": (path) => ["docs", "--drift", path],
};

let count = 0;
function pathOf(create: (path: string) => void): string {
  count += 1;
  const path = join(folder, `input-${count}.json`);
  create(path);
  return path;
}
const pipe = (path: string) => execFileSync("mkfifo", [path]);
const device = (path: string) => symlinkSync("/dev/zero", path);

function folderOf(create: (path: string) => void): string {
  return pathOf((path) => {
    mkdirSync(path);
    create(join(path, "entry.json"));
  });
}

describe.skipIf(process.platform === "win32")("a file of strangers", () => {
  test.each(Object.entries(FILES))("%s: a pipe without a writer ends with the signal", async (_, args) => {
    const controller = new AbortController();
    const run = runInProcess(args(pathOf(pipe)), { signal: controller.signal });
    controller.abort(new InterruptedError("Stopped.", { terminated: true }));
    expect(await run).toMatchObject({ code: 143, stdout: "" });
  });

  test.each(Object.entries(FILES))("%s: a device is refused", async (_, args) => {
    const { code, stderr } = await runInProcess(args(pathOf(device)));
    expect([code, stderr]).toEqual([2, expect.stringContaining("it is neither a regular file nor a pipe")]);
  });

  test.each(Object.entries(FOLDERS))("%s: neither pipes, devices nor links out of the folder", async (_, args) => {
    const outside = (path: string) => {
      writeFileSync(join(folder, "outside.json"), "{}");
      symlinkSync(join(folder, "outside.json"), path);
    };
    for (const [create, reason] of [
      [pipe, "it is not a regular file"],
      [device, "outside of its folder"],
      [outside, "outside of its folder"],
    ] as const) {
      const { code, stderr } = await runInProcess(args(folderOf(create)));
      expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
    }
  });

  test("the state of a sandbox and certificates are regular files", async () => {
    const state = await runInProcess(["sandbox", "--port", "0", "--state", pathOf(pipe)]);
    expect([state.code, state.stderr]).toEqual([2, expect.stringContaining("not a regular file")]);
    const certificates = pathOf(device);
    const { code, stderr } = await runInProcess(["token", "meta", "SOL", `SOLX_CA_CERT=${certificates}`], {
      env: { SOLX_BUDGET: "redis://127.0.0.1:9" },
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining("it is neither a regular file nor a pipe")]);
  });

  test("something else where the partial file of --out belongs is refused", async () => {
    for (const [create, what] of [
      [mkdirSync, "is a folder"],
      [pipe, "is not a regular file"],
    ] as const) {
      const out = pathOf((path) => create(`${path}.partial`));
      const args = ["token", "list", "--sandbox", "-o", "json", "--out", out];
      for (const more of [[], ["--force"], ["--resume"]]) {
        const { code, stderr } = await runInProcess([...args, ...more]);
        expect(code).toBe(2);
        expect(JSON.parse(stderr).errors).toMatchObject({
          code: "BAD_PARTIAL",
          message: `${out}.partial ${what}.`,
        });
      }
    }
  });
});
