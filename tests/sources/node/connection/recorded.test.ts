/** Every recorded answer of a node, unchanged: results with all digits, or typed errors with advice. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isObject, type JsonObject, parseJson, SolxError, stringifyJson } from "../../../../src/base/index.ts";
import { nodeClient, serveNode } from "./node-server.ts";

const RECORDED = new URL("../../../../shared/rpc-recorded/", import.meta.url);
const names = existsSync(RECORDED) ? readdirSync(RECORDED).filter((name) => name.endsWith(".json")) : [];

it.runIf(names.length > 0)("recorded answers are results or typed errors", async () => {
  const recordings = names.map((name) => parseJson(readFileSync(new URL(name, RECORDED), "utf8")) as JsonObject);
  const server = await serveNode(({ calls, response }) =>
    response.end(stringifyJson(recordings[Number(calls[0]?.params[0])]?.body ?? null)),
  );
  const node = nodeClient(server, { retries: 0 }).node();
  for (const [at, { method, body }] of recordings.entries()) {
    const outcome = await node.call(String(method), [at]).catch((error) => error);
    const result = isObject(body) ? body.result : undefined;
    if (result !== undefined) {
      expect(stringifyJson(outcome), names[at]).toBe(stringifyJson(result));
      continue;
    }
    expect(outcome, names[at]).toBeInstanceOf(SolxError);
    expect(outcome.hint, names[at]).toBeTruthy();
    if (isObject(body) && isObject(body.error)) expect(outcome.code, names[at]).toBe(body.error.code);
  }
});
