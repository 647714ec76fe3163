/** The environment for the built program with a sandbox whose ledger is created once per build. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
const PREFIX = "solx-e2e-";
const DAY_MS = 86_400_000;

let home: string | undefined;

/** Returns the folder of this build; those of old builds are removed. */
function homeOfBuild(): string {
  home ??= createHome();
  return home;
}

function createHome(): string {
  const build = createHash("sha256").update(readdirSync(DIST).sort().join()).digest("hex").slice(0, 16);
  const home = join(tmpdir(), `${PREFIX}${build}`);
  mkdirSync(home, { recursive: true });
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name);
    if (!name.startsWith(PREFIX) || path === home) continue;
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) < DAY_MS) continue;
    rmSync(path, { recursive: true, force: true });
  }
  return home;
}

/** Returns the environment of a run with the sandbox: a small world, no key, and no network access. */
export function sandboxEnv(env: Record<string, string | undefined> = {}): Record<string, string | undefined> {
  return {
    SOLX_HOME: homeOfBuild(),
    SOLX_API_KEY: undefined,
    HTTPS_PROXY: "http://127.0.0.1:1",
    HTTP_PROXY: "http://127.0.0.1:1",
    ...env,
  };
}
