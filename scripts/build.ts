/**
 * Builds `dist/`: one bundle of code-split ESM (start-up time is mostly module loading), the type declarations, and
 * the licences of what is bundled.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
rmSync("dist", { recursive: true, force: true });

const { output } = await build({
  input: {
    main: "src/main.ts",
    index: "src/index.ts",
    "keychain-worker": "src/config/keychain-worker.ts",
  },
  platform: "node",
  external: ["jq-wasm", "@napi-rs/keyring"],
  output: {
    dir: "dist",
    format: "esm",
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  },
  logLevel: "warn",
});

const bundled = new Set(
  output
    .flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
    .map(packageOf)
    .filter((name) => name !== undefined),
);
writeFileSync("dist/THIRD-PARTY-LICENSES.txt", [...bundled].sort().map(notice).join("\n\n"));

execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" });

/** The folder of the package that a module belongs to; undefined for our own. */
function packageOf(id: string): string | undefined {
  const parts = relative(root, id).split(sep);
  const at = parts.lastIndexOf("node_modules");
  if (at < 0) return undefined;
  return parts.slice(0, at + (parts[at + 1]?.startsWith("@") ? 3 : 2)).join(sep);
}

/** Name, version and licence text of a package. */
function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8").trim() : "";
  return `${name} ${version} (${license})\n${"-".repeat(40)}\n${text}`;
}
