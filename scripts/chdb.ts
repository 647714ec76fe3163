/**
 * Installs chdb, the ClickHouse of the tests, unless it is there. It is no dependency of the checkout: it has 540 MB.
 *
 *     node scripts/chdb.ts
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { CHDB, CHDB_FOLDER, isChdbInstalled, loadChdb } from "../tests/support/clickhouse/chdb.ts";

/** The time as of which packages that chdb needs are chosen. */
const INSTALLED_AS_OF = "2026-11-28";

if (!isChdbInstalled()) {
  mkdirSync(dirname(CHDB_FOLDER), { recursive: true });
  // An installation that was interrupted, or is under way, must not pass for a complete one.
  const folder = mkdtempSync(`${CHDB_FOLDER}-`);
  try {
    const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
    execFileSync("npm", ["install", "--prefix", folder, ...options, `--before=${INSTALLED_AS_OF}`, CHDB], {
      stdio: ["ignore", "inherit", "inherit"],
      shell: process.platform === "win32",
    });
    loadChdb(folder);
    renameSync(folder, CHDB_FOLDER);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(`${CHDB} is in ${CHDB_FOLDER}`);
