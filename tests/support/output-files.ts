/** Files that `--out` writes, and the servers of their lists. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { serve, type TestServer } from "./server.ts";
import { createTempFolder } from "./solx.ts";

/** Creates a folder for the files of a test file; its servers are closed after all tests. */
export function createOutputFolder() {
  const folder = createTempFolder();
  const opened: TestServer[] = [];
  let files = 0;
  afterAll(() => Promise.all(opened.map((server) => server.close())));
  return {
    folder,
    /** Returns the path of a file that no other test uses. */
    fresh(ending: string): string {
      files += 1;
      return join(folder, `${files}.${ending}`);
    },
    /** Returns the names of the files that belong to one that is being written. */
    left: (file: string): string[] => readdirSync(folder).filter((name) => join(folder, name).startsWith(`${file}.`)),
    /** Starts a server. */
    async open(answer: Parameters<typeof serve>[0]): Promise<TestServer> {
      const server = await serve(answer);
      opened.push(server);
      return server;
    },
  };
}
