/** The jq engine: a thin seam around the WebAssembly package. */

/** What one run of jq gave. */
export interface JqRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs a jq program on JSON text; results come one per line, as compact JSON. */
export async function runJq(json: string, program: string): Promise<JqRun> {
  const { raw } = await import("jq-wasm");
  return await raw(json, program, ["-c"]);
}
