/** The jq engine: a thin seam around the WebAssembly package. */

/** What one run of jq gave. */
export interface JqRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The exit codes of jq for a program that does not compile, and for one that fails. */
const COMPILE_ERROR = 3;
const RUNTIME_ERROR = 5;

/**
 * Runs a jq program on JSON text; results come one per line, as compact JSON. The package gives either the results or
 * the complaint; the program is wrapped so that a failure after some results loses neither.
 */
export async function runJq(json: string, program: string): Promise<JqRun> {
  const { raw } = await import("jq-wasm");
  const run = (text: string) => raw(json, text, ["-c"]);
  try {
    const lines = (await run(`try (${program}\n| [0, .]) catch [1, .]`)).split("\n").filter((line) => line !== "");
    const failed = lines.at(-1)?.startsWith("[1,") ? lines.pop() : undefined;
    const stdout = lines.map((line) => line.slice("[0,".length, -1)).join("\n");
    return { stdout, stderr: failed ? complaint(failed) : "", exitCode: failed ? RUNTIME_ERROR : 0 };
  } catch {
    return await run(program).then((stdout) => ({ stdout, stderr: "", exitCode: 0 }), failure);
  }
}

function complaint(line: string): string {
  const [, message] = JSON.parse(line) as [number, unknown];
  return `jq: error: ${typeof message === "string" ? message : line.slice("[1,".length, -1)}`;
}

function failure(error: Error): JqRun {
  const stderr = error.message.replace(/^Failed to execute raw query: /, "");
  return { stdout: "", stderr, exitCode: stderr.includes("compile error") ? COMPILE_ERROR : RUNTIME_ERROR };
}
