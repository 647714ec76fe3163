/** The packed tarball in a plain Node project: the library, its types and the program. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { json, serve } from "../support/server.ts";
import { scratch } from "../support/solx.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

const PROGRAM = `
import { createClient, numericText, SolxError } from "solx";
const client = createClient({ baseUrl: process.argv[2], key: "library-key-0123456789" });
const meta = await client.token.meta({ address: "${USDC}" });
const rows = [];
for await (const row of client.account.transfer({ address: "${USDC}", flow: "in" }).rows({ limit: 3 })) rows.push(numericText(row.amount));
let code;
try { await client.token.meta({ address: "nope" }); } catch (error) { code = error instanceof SolxError && [error.exitCode, error.name]; }
const controller = new AbortController();
controller.abort();
let aborted;
try { await client.token.meta({ address: "${USDC}" }, { signal: controller.signal }); } catch (error) { aborted = error.exit; }
await client.close();
console.log(JSON.stringify({ supply: meta.supply, rows, code, aborted }));
`;

const TYPED = `
import { createClient } from "solx";
const client = createClient({ key: "k" });
const good: string = (await client.token.meta({ address: "x" })).address;
// @ts-expect-error a wrong parameter name
client.account.transfer({ address: "x", flw: "in" });
// @ts-expect-error a value that is not allowed
client.account.transfer({ address: "x", flow: "up" });
// @ts-expect-error the identifier is missing
client.account.transfer({});
export { good };
`;

describe("the packed tarball", () => {
  let project: string;
  beforeAll(() => {
    project = scratch();
    const npm = ["pack", "--ignore-scripts", "--silent", "--pack-destination", project];
    execFileSync("npm", npm, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
    const tarball = readdirSync(project).find((name) => name.endsWith(".tgz")) as string;
    mkdirSync(join(project, "node_modules"));
    execFileSync("tar", ["xzf", join(project, tarball), "-C", join(project, "node_modules")]);
    execFileSync("mv", [join(project, "node_modules", "package"), join(project, "node_modules", "solx")]);
    for (const name of ["zod", "jq-wasm"])
      symlinkSync(join(ROOT, "node_modules", name), join(project, "node_modules", name));
    writeFileSync(join(project, "package.json"), '{"type":"module"}');
  });

  test("works as a library", async () => {
    const server = await serve((request, response) => {
      const data = request.url?.includes("transfer")
        ? Array.from({ length: 10 }, (_, n) => `{"amount":1844674407370955161${n}}`)
        : '{"supply":"18446744073709551615"}';
      json(response, `{"success":true,"data":${Array.isArray(data) ? `[${data}]` : data}}`);
    });
    writeFileSync(join(project, "main.js"), PROGRAM);
    const run = await new Promise<string>((resolve, reject) => {
      import("node:child_process").then(({ execFile }) =>
        execFile(process.execPath, ["main.js", server.url], { cwd: project }, (error, stdout) =>
          error ? reject(error) : resolve(stdout),
        ),
      );
    });
    expect(JSON.parse(run)).toEqual({
      supply: "18446744073709551615",
      rows: ["18446744073709551610", "18446744073709551611", "18446744073709551612"],
      code: [2, "UsageError"],
      aborted: "interrupted",
    });
    expect(server.requests.every(({ headers }) => headers.token === "library-key-0123456789")).toBe(true);
  });

  test("is typed from the catalogue", () => {
    writeFileSync(join(project, "typed.ts"), TYPED);
    const options = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--module",
      "nodenext",
      "--target",
      "es2023",
      "--types",
      "",
    ];
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    try {
      execFileSync(process.execPath, [tsc, ...options, "typed.ts"], { cwd: project, encoding: "utf8" });
    } catch (error) {
      expect.fail((error as { stdout: string }).stdout);
    }
  });

  test("starts as a program", () => {
    const bin = join(project, "node_modules/solx/bin/solx.js");
    expect(execFileSync(process.execPath, [bin, "--help"], { encoding: "utf8" })).toContain("Examples:");
    expect(
      execFileSync(process.execPath, [bin, "docs", "-o", "ndjson"], { encoding: "utf8" }).trimEnd().split("\n"),
    ).toHaveLength(65);
  });
});
