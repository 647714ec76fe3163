/** The packed tarball in a plain Node project: its content, the library, its types, the examples and the program. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData, type Problem } from "@arethetypeswrong/core";
import { publint } from "publint";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { packPackage } from "../../scripts/pack.ts";
import { allEndpoints } from "../../src/catalogue/index.ts";
import { JUP, OTHER_WALLET, USDC, WALLET } from "../../src/catalogue/samples.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { IS_OLDEST } from "../support/oldest-node.ts";
import { describeWith } from "../support/programs.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { sendJson, serve } from "../support/server.ts";
import { createTempFolder } from "../support/solx.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const EXAMPLES = readdirSync(join(ROOT, "examples")).filter((name) => name.endsWith(".ts"));
const GUIDE = readFileSync(join(ROOT, "docs/library.md"), "utf8");

const PROGRAM = `
import { createClient, SolxError } from "solx";
const client = createClient({ baseUrl: process.argv[2], key: "library-key-0123456789" });
const meta = await client.token.meta({ address: "${USDC}" });
const rows = [];
for await (const row of client.account.transfer({ address: "${USDC}", flow: "in" }).rows({ limit: 3 })) rows.push(String(row.amount));
let code;
try { await client.token.meta({ address: "nope" }); } catch (error) { code = error instanceof SolxError && [error.exitCode, error.name]; }
const controller = new AbortController();
controller.abort();
let aborted;
try { await client.token.meta({ address: "${USDC}" }, { signal: controller.signal }); } catch (error) { aborted = error.exit; }
await client.close();
console.log(JSON.stringify({ supply: String(meta.supply), rows, code, aborted }));
`;

const UNCAUGHT = `
import { createClient } from "solx";
await createClient({ key: "k" }).token.meta({ address: "nope" });
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

/** Compiler settings of users: both module resolutions, strict, no browser types. One of them checks the declarations. */
const COMPILERS = {
  nodenext: { include: ["*.ts"], options: { module: "nodenext", skipLibCheck: true } },
  bundler: { include: ["typed.ts"], options: { module: "esnext", moduleResolution: "bundler" } },
};
const STRICT = {
  ...{ target: "es2023", lib: ["esnext"], types: ["node"], strict: true, noEmit: true, skipLibCheck: false },
  ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, verbatimModuleSyntax: true },
};

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

const sizeOf = (folder: string) => filesIn(folder).reduce((sum, path) => sum + statSync(path).size, 0);

/** The programs of the guide, each with the imports and variables that the text around it assumes. */
const blocks = [...GUIDE.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = ""]) => {
  const imports = /import \{[^}]*createClient/.test(block) ? "" : 'import { createClient } from "solx";\n';
  const client = /const client\b/.test(block) ? "" : "const client = createClient();\n";
  return `${imports}${client}const [address = "", mint = ""] = process.argv;\n${block}\nexport { address, client, mint };\n`;
});

describeWith("tar")("the packed tarball", () => {
  let project: string;
  let tarball: Buffer;
  beforeAll(() => {
    project = createTempFolder();
    const file = packPackage(project);
    tarball = readFileSync(file);
    mkdirSync(join(project, "node_modules/@types"), { recursive: true });
    execFileSync("tar", ["xzf", file, "-C", join(project, "node_modules")]);
    execFileSync("mv", [join(project, "node_modules/package"), join(project, "node_modules/solx")]);
    for (const other of ["zod", "jq-wasm", "@types/node", "undici-types"])
      symlinkSync(join(ROOT, "node_modules", other), join(project, "node_modules", other));
    writeFileSync(join(project, "package.json"), '{"type":"module"}');
    for (const example of EXAMPLES) copyFileSync(join(ROOT, "examples", example), join(project, example));
  });

  test("contains the expected files, and the guide states its size", () => {
    const folder = join(project, "node_modules/solx");
    expect(readdirSync(folder).sort()).toEqual([
      ...["CHANGELOG.md", "LICENSE", "README.md", "bin", "dist", "package.json"],
    ]);
    const files = filesIn(folder).map((path) => path.slice(folder.length + 1));
    const strange = files.filter((file) =>
      /\.map$|\.test\.|(?<!\.d)\.tsx?$|^dist\/types\/(commands|ui|output)\//.test(file),
    );
    expect(strange).toEqual([]);
    const folders = new Set(
      files.filter((file) => file.startsWith("dist/")).map((file) => file.split("/").slice(1, -1)[0]),
    );
    expect(["completion", "library", "man", "types", undefined]).toEqual(expect.arrayContaining([...folders]));
    const licences = readFileSync(join(folder, "dist/THIRD-PARTY-LICENSES.txt"), "utf8").split(/\n\n(?=\S+ \d\S* \()/);
    expect(licences.length).toBeGreaterThan(10);
    expect(licences.filter((text) => text.length < 300)).toEqual([]);

    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(Object.keys(manifest)).toEqual(expect.arrayContaining(["repository", "homepage", "bugs", "author"]));
    // What npm runs, or warns about, when it installs a tarball; bundled packages would be those of one system.
    for (const script of ["preinstall", "install", "postinstall", "prepare"])
      expect(manifest.scripts).not.toHaveProperty(script);
    expect(manifest.bundleDependencies).toBeUndefined();
    const { dependencies, optionalDependencies } = manifest;
    // What belongs to one system is a package beside the one that is named.
    const needed = Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => name.replace(/\/.*/, ""));
    const size = sizeOf(folder);
    const installed = needed.reduce((sum, name) => sum + sizeOf(join(ROOT, "node_modules", name)), size);
    const [, ...documented] =
      /about ([\d.]+) MB to download and ([\d.]+) MB on disk[^.]*about ([\d.]+) MB after/.exec(GUIDE) ?? [];
    expect(documented).toHaveLength(3);
    for (const [at, bytes] of [tarball.length, size, installed].entries())
      expect(Math.abs(bytes / 1e6 / Number(documented[at]) - 1)).toBeLessThan(0.15);
    // The rules of `solx watch` need a parser of YAML, the facts of an index one of Parquet, ClickHouse and gRPC a client.
    expect(tarball.length).toBeLessThan(2.9e6);
  });

  test.skipIf(IS_OLDEST)("is the one that npm pack gives, wherever it was built", async () => {
    const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
    const { stdout } = await promisify(execFile)("npm", args, { cwd: ROOT, maxBuffer: 2 ** 24 });
    const [{ shasum }] = Object.values<{ shasum: string }>(JSON.parse(stdout)) as [{ shasum: string }];
    expect(shasum).toBe(createHash("sha1").update(tarball).digest("hex"));
    // The same sources give the same bytes: no file has a path of the machine.
    const paths = [ROOT, tmpdir(), "solx-types-"];
    const texts = filesIn(join(project, "node_modules/solx/dist")).map((file) => [file, readFileSync(file, "utf8")]);
    expect(texts.filter(([, text]) => paths.some((path) => text?.includes(path))).map(([file]) => file)).toEqual([]);
  });

  test.skipIf(IS_OLDEST)("is in order to two checkers of packages", async () => {
    const { messages } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
    expect(messages).toEqual([]);
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    if (!("problems" in result)) throw new Error("The package has no types.");
    // There are ES modules alone: every Node that is supported loads them with `require` too. The resolution of compilers
    // before `exports` finds no subpaths.
    const isAccepted = (problem: Problem) =>
      problem.kind === "CJSResolvesToESM" || (problem.kind === "NoResolution" && problem.resolutionKind === "node10");
    expect(result.problems.filter((problem) => !isAccepted(problem))).toEqual([]);
  });

  test("works as a library", async () => {
    const server = await serve((request, response) => {
      const data = request.url?.includes("transfer")
        ? Array.from({ length: 10 }, (_, n) => `{"amount":1844674407370955161${n}}`)
        : '{"supply":"18446744073709551615"}';
      sendJson(response, `{"success":true,"data":${Array.isArray(data) ? `[${data}]` : data}}`);
    });
    // An uncaught error is printed with the line that threw it.
    writeFileSync(join(project, "uncaught.js"), UNCAUGHT);
    const failure = promisify(execFile)(process.execPath, ["uncaught.js"], { cwd: project });
    await expect(failure).rejects.toSatisfy(({ stderr }) => /UsageError:/.test(stderr) && stderr.length < 3000);
    writeFileSync(join(project, "main.js"), PROGRAM);
    const run = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, ["main.js", server.url], { cwd: project }, (error, stdout) =>
        error ? reject(error) : resolve(stdout),
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

  test.skipIf(IS_OLDEST)("is typed from the catalogue, and the guide and the examples compile", async () => {
    writeFileSync(join(project, "typed.ts"), TYPED);
    expect(blocks.length).toBeGreaterThan(8);
    for (const [at, block] of blocks.entries()) writeFileSync(join(project, `guide-${at + 1}.ts`), block);
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const compile = async ([name, { include, options }]: readonly [
      string,
      (typeof COMPILERS)["nodenext" | "bundler"],
    ]) => {
      const config = { compilerOptions: { ...STRICT, ...options }, include };
      writeFileSync(join(project, `tsconfig.${name}.json`), JSON.stringify(config));
      const child = spawn(process.execPath, [tsc, "-p", `tsconfig.${name}.json`], { cwd: project });
      return { name, problems: (await child.stdout.setEncoding("utf8").toArray()).join("") };
    };
    expect(await Promise.all(Object.entries(COMPILERS).map(compile))).toEqual(
      Object.keys(COMPILERS).map((name) => ({ name, problems: "" })),
    );
  });

  test("runs the examples", async () => {
    const folder = join(tmpdir(), "solx-test-worlds");
    const sandbox = await startSandbox({ seed: "test", size: 0.05, folder, port: 0, usage: "memory" });
    onTestFinished(() => sandbox.close());
    const env = {
      ...process.env,
      SOLX_HOME: sandboxEnv().SOLX_HOME,
      SOLX_BASE_URL: sandbox.url,
      SOLX_API_KEY: sandbox.key,
    };
    const run = async (example: string, args: readonly string[] = [], input = "") => {
      const promise = promisify(execFile)(process.execPath, [example, ...args], { cwd: project, env });
      promise.child.stdin?.end(input);
      return (await promise).stdout.trimEnd().split("\n");
    };
    const withArguments = EXAMPLES.filter((example) =>
      /\.ts <\w/.test(readFileSync(join(ROOT, "examples", example), "utf8")),
    );
    const refused = withArguments.map((example) => run(example).catch(({ code, stderr }) => `${code} ${stderr}`));
    expect(await Promise.all(refused)).toEqual(
      withArguments.map((example) => expect.stringMatching(new RegExp(`^2 Usage: node ${example} <[^\n]+\n$`))),
    );
    const [csv, watched, holders, shared, labels, stopped, exact, tested] = await Promise.all([
      run("transfers-to-csv.ts", [OTHER_WALLET, "30d"]),
      run("watch-wallet.ts", [OTHER_WALLET, "0.01", "2"]),
      run("holder-concentration.ts", [USDC, "20"]),
      run("shared-rate-limit.ts", [join(project, "counts"), USDC, JUP]),
      run("many-wallets.ts", [], `${WALLET}\nnope\n`),
      run("stop-and-timeout.ts", [OTHER_WALLET]),
      run("exact-numbers.ts", [OTHER_WALLET]),
      run("sandbox.test.ts"),
    ]);
    expect(csv?.[0]).toMatch(/^time,flow,amount/);
    expect(csv?.[1]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z,(in|out),\d+,\d+,\w+,\w+,\w+,\w+$/);
    expect(new Set(watched).size).toBe(40);
    expect(watched).toHaveLength(40);
    expect(holders).toEqual(expect.arrayContaining([expect.stringMatching(/^top 20: \d+\.\d\d %$/)]));
    expect(shared.map((line) => line.replace(/, 4\d requests left$/, "")).sort()).toEqual([
      `${USDC} USDC`,
      `${JUP} JUP`,
    ]);
    expect(labels).toEqual([expect.stringContaining("Raydium"), expect.stringContaining("! Validation Error")]);
    expect(stopped).toEqual([
      "25 transfers",
      "aborted: AbortError interrupted INTERRUPTED, not retryable",
      "invalid address: UsageError usage 1100, not retryable",
      "no server: NetworkError network REFUSED, retryable (network)",
    ]);
    expect(exact).toEqual([
      "rent_epoch 18446744073709552000n bigint",
      expect.stringMatching(/^SOL \d+\.\d{9}$/),
      "supply 18446744073709551616n bigint",
      "identical",
    ]);
    expect(tested).toEqual(expect.arrayContaining([expect.stringMatching(/^(#|ℹ) fail 0$/)]));
    expect(EXAMPLES).toHaveLength(8);
  });

  test("loads with require, and starts as a program", () => {
    const required = 'const { createClient } = require("solx"); console.log(typeof createClient);';
    writeFileSync(join(project, "required.cjs"), required);
    expect(execFileSync(process.execPath, ["required.cjs"], { cwd: project, encoding: "utf8" })).toBe("function\n");

    const bin = join(project, "node_modules/solx/bin/solx.js");
    expect(execFileSync(process.execPath, [bin, "--help"], { encoding: "utf8" })).toContain("Examples:");
    expect(
      execFileSync(process.execPath, [bin, "docs", "-o", "ndjson"], { encoding: "utf8" }).trimEnd().split("\n"),
    ).toHaveLength(allEndpoints.length);
  });
});
