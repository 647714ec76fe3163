/** The manual in the build: topics as data, the search index and the man pages. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Plugin } from "rolldown";
import { manFiles, manualPages, searchIndexFile } from "../src/commands/docs/manual/generate.ts";
import type { DatedVersion } from "../src/commands/docs/manual/man-page.ts";
import { TOPICS } from "../src/commands/docs/manual/topics.ts";
import { INDEX_FILE } from "../src/commands/docs/search/search-command.ts";

/** Replaces the module that reads the topics from Markdown by their data: the bundle needs no parser. */
export const topicsPlugin: Plugin = {
  name: "topics",
  load: {
    filter: { id: /src[\\/]commands[\\/]docs[\\/]manual[\\/]topic-source\.ts$/ },
    handler: () => `export const readTopics = () => ${JSON.stringify(TOPICS)};`,
  },
};

/** Writes the search index and the man pages below a folder. */
export function writeManual(folder: string, version: DatedVersion): void {
  const pages = manualPages();
  writeFileSync(`${folder}/${INDEX_FILE}`, searchIndexFile(pages));
  for (const [path, text] of manFiles(version, pages)) {
    mkdirSync(dirname(`${folder}/man/${path}`), { recursive: true });
    writeFileSync(`${folder}/man/${path}`, text);
  }
}
