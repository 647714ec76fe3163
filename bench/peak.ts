/** The most memory that a program of Node held, told by itself at its end. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A module to be imported by the program before its own, and the peak of the last one that was, in MiB. */
export interface PeakHook {
  readonly module: string;
  peak(): number;
}

/** Makes the module in a folder. */
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
