// Builds dist/ when npm installs a checkout or a git dependency. Plain JavaScript that runs on any Node.
// A packed clone contains its dependencies (`bundleDependencies`): what npm has installed for it meanwhile can be lost.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, realpathSync, unlinkSync } from "node:fs";
import { join } from "node:path";

const { _PACOTE_NO_PREPARE_: nested, npm_execpath: npm, npm_config_prefix: prefix = "" } = process.env;

// npm runs this script twice for a git dependency: first in an installation of the clone, which leaves out development
// dependencies if the outer one is global, and then to pack the clone. The build is done once, in the second run.
if (nested === undefined) build();
else replaceLink();

/** Builds, on the Node of the development dependencies: `npm ci` installs them and runs this script again. */
function build() {
  const args = existsSync("node_modules/rolldown") ? ["scripts/build.ts"] : [npm, "ci", "--include=dev"];
  const local = ([name]) => !/^npm_config_(global|location|prefix|omit)$/i.test(name);
  const env = Object.fromEntries(Object.entries(process.env).filter(local));
  const { status, error } = spawnSync(process.execPath, args, { stdio: "inherit", env });
  if (error) throw error;
  process.exitCode = status ?? 1;
}

/** Replaces the link to the clone that npm has put where it then extracts the global package, which would be lost. */
function replaceLink() {
  for (const folder of ["lib/node_modules", "node_modules"]) {
    const link = join(prefix, folder, "solx");
    if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
    if (realpathSync(link) !== process.cwd()) continue;
    unlinkSync(link);
    mkdirSync(link);
  }
}
