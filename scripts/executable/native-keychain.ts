/**
 * Takes the place of the keychain's package in a single executable: the native module is embedded, and the system loads
 * such modules only from files.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { getRawAsset } from "node:sea";

const FILE = "keyring.node";
const code = Buffer.from(getRawAsset(FILE));

/** An entry of the system's keychain. */
export const { Entry } = process.platform === "win32" ? loadFromCopy() : loadFromTemporaryFile();

/** Loads the module from a file that is removed at once: others can write to the folder of temporary files. */
function loadFromTemporaryFile() {
  const folder = mkdtempSync(join(tmpdir(), "solx-keychain-"));
  try {
    const path = join(folder, FILE);
    writeFileSync(path, code);
    return load(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Windows does not remove files that are loaded. Its folder of temporary files belongs to the user: the file stays. */
function loadFromCopy() {
  const digest = createHash("sha256").update(code).digest("hex").slice(0, 16);
  const path = join(tmpdir(), `solx-${digest}-${FILE}`);
  if (!existsSync(path) || !readFileSync(path).equals(code)) writeFileSync(path, code);
  return load(path);
}

function load(path: string): typeof import("@napi-rs/keyring") {
  const module = { exports: {} };
  process.dlopen(module, path, constants.dlopen.RTLD_LAZY);
  return module.exports as typeof import("@napi-rs/keyring");
}
