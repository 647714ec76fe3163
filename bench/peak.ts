/** Peak memory of a Node process, which it reports when it exits. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A module to import before the program, and the peak of the last process that did, in MiB. */
export interface PeakHook {
  readonly module: string;
  peak(): number;
}

/** Writes the module to a folder. */
export function peakHook(folder: string): PeakHook {
  const file = join(folder, "peak");
  const module = join(folder, "peak.mjs");
  writeFileSync(
    module,
    `import { writeFileSync } from "node:fs";
process.on("exit", () => writeFileSync(${JSON.stringify(file)}, String(process.resourceUsage().maxRSS)));`,
  );
  return { module, peak: () => Number(readFileSync(file, "utf8")) / 1024 };
}
