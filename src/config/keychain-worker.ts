/** The child process that accesses the system keychain: one request on standard input, one answer on standard output. */
import { readFileSync, writeSync } from "node:fs";
import type { KeychainAnswer, KeychainRequest } from "./credentials.ts";

async function answer(request: KeychainRequest): Promise<KeychainAnswer> {
  const { Entry } = await import("@napi-rs/keyring");
  // On Linux the fallback would be the kernel's keyring, which is lost on a restart.
  const entry = new Entry(request.service, request.account, { linux: { store: "secret-service" } });
  switch (request.action) {
    case "get": {
      const key = entry.getPassword();
      return key === null ? { ok: true } : { ok: true, key };
    }
    case "set":
      entry.setPassword(request.key ?? "");
      return { ok: true };
    case "delete":
      entry.deletePassword();
      return { ok: true };
  }
}

function failure(error: unknown): KeychainAnswer {
  const text = error instanceof Error ? error.message : String(error);
  return { ok: false, reason: `cannot be used (${text.split("\n")[0]?.slice(0, 200)})` };
}

const request = JSON.parse(readFileSync(0, "utf8")) as KeychainRequest;
writeSync(1, JSON.stringify(await answer(request).catch(failure)));
