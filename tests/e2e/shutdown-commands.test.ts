/**
 * Every command against every peer that falls silent in its turn: a signal ends the process, with the code of the signal.
 * Commands come from the program's own table, and their lines from the examples of its help. By default, each family of
 * commands is tried with one of its commands, peers and moments, chosen by `SHUTDOWN_SEED`; with SHUTDOWN_CASES=all,
 * every command with every signal.
 */
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { constants } from "node:os";
import { text } from "node:stream/consumers";
import { describe, type TestContext, test } from "vitest";
import { COMMANDS } from "../../src/commands/commands.ts";
import { type CommandDefinition, examplesOf } from "../../src/commands/run/command-definition.ts";
import { cleanEnv, createTempFolder, startSolx } from "../support/solx.ts";
import { waitFor } from "../support/wait-for.ts";

/** The exit codes: a closed terminal terminates, as SIGTERM does. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 } as const;
type SignalName = keyof typeof SIGNALS;
/** Commands whose regular end is the signal. */
const SERVICES: ReadonlySet<string> = new Set(["index", "sandbox", "mcp", "explore"]);

/** What a peer says before it falls silent. */
const SAYINGS = [
  "",
  "HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n",
  'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n{"data":[',
];

/** Where the peer stands. */
const PLACES: Readonly<Record<string, (address: string) => Record<string, string>>> = {
  API: (address) => ({ SOLX_BASE_URL: `http://${address}` }),
  node: (address) => ({ SOLX_BASE_URL: `http://${address}`, SOLX_RPC_URL: `http://${address}` }),
  TLS: (address) => ({ SOLX_BASE_URL: `https://${address}`, SOLX_RPC_URL: `https://${address}` }),
  proxy: (address) => ({ HTTP_PROXY: `http://${address}`, SOLX_BASE_URL: "http://api.example" }),
  Redis: (address) => ({ SOLX_BASE_URL: `http://${address}`, SOLX_BUDGET: `redis://${address}` }),
  Sentinel: (address) => ({ SOLX_BASE_URL: `http://${address}`, SOLX_BUDGET: `redis+sentinel://${address}/main` }),
};

/** When the signal comes: as soon as the program handles it, or when the peer was met or something was printed. */
const MOMENTS = ["start", "met"] as const;

interface Case {
  readonly words: readonly string[];
  readonly signal: SignalName;
  readonly place: string;
  readonly saying: string;
  readonly moment: (typeof MOMENTS)[number];
}

/** The lines of a command and those below it: examples up to another program, and without flags that ask for little. */
function linesOf(definition: CommandDefinition): readonly (readonly string[])[] {
  const lines = examplesOf(definition).flatMap(([, example]) => {
    const line = example.replace(/\s*[|>].*$/, "");
    const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
    const isPlain =
      words[0] === "solx" && !/[&;`$]/.test(line) && !words.some((word) => /^(--sandbox|--dry-run)/.test(word));
    return isPlain ? [words.slice(1)] : [];
  });
  const own = definition.run && lines[0] ? [lines[0]] : [];
  return [...own, ...(definition.commands ?? []).flatMap(linesOf)];
}

const seed = Number(process.env.SHUTDOWN_SEED ?? 7);
let random = seed;
/** Returns an element, by a linear congruential generator. */
function choose<T>(items: readonly T[]): T {
  random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
  return items[(random >>> 8) % items.length] as T;
}

const withPeer = (words: readonly string[], signal: SignalName): Case => ({
  words,
  signal,
  place: choose(Object.keys(PLACES)),
  saying: choose(SAYINGS),
  moment: choose(MOMENTS),
});

const signals = Object.keys(SIGNALS) as SignalName[];
const isExhaustive = process.env.SHUTDOWN_CASES === "all";
const cases = COMMANDS.flatMap((definition): readonly Case[] => {
  const lines = linesOf(definition);
  if (isExhaustive) return lines.flatMap((words) => signals.map((signal) => withPeer(words, signal)));
  return lines.length === 0 ? [] : [withPeer(choose(lines), choose(signals))];
});

/** A server that takes connections, says something to each request, and nothing more. */
async function silentPeer(saying: string, onTestFinished: TestContext["onTestFinished"]) {
  const met = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.once("data", () => {
      socket.write(saying);
      met.resolve();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, met: met.promise };
}

const SIGHUP_BIT = 1n << BigInt(constants.signals.SIGHUP - 1);

/** Whether the program handles signals: Node itself handles all of them but SIGHUP. */
function handlesSignals(pid: number): boolean {
  const path = `/proc/${pid}/status`;
  const mask = existsSync(path) ? /SigCgt:\s+(\w+)/.exec(readFileSync(path, "utf8"))?.[1] : undefined;
  return (BigInt(`0x${mask ?? 0}`) & SIGHUP_BIT) !== 0n;
}

describe.skipIf(process.platform !== "linux")(`a signal ends every command (SHUTDOWN_SEED=${seed})`, () => {
  test.concurrent.for(cases)(
    "$signal, $place, $moment: solx $words",
    async ({ words, signal, place, saying, moment }, { expect, onTestFinished }) => {
      const { address, met } = await silentPeer(saying, onTestFinished);
      const env = {
        ...PLACES[place]?.(address),
        SOLX_HOME: createTempFolder(),
        EDITOR: "true",
      };
      const child = startSolx(words, { env: cleanEnv(env), cwd: createTempFolder() });
      onTestFinished(() => void child.kill("SIGKILL"));
      const exit = once(child, "exit");
      // Standard input stays open, and nobody reads the output, until the peer was met.
      child.stdin.on("error", () => {});
      if (moment === "met") {
        child.stdin.end();
        await Promise.race([met, exit, once(child.stdout, "readable"), once(child.stderr, "readable")]);
      }
      await waitFor(() => expect(child.exitCode !== null || handlesSignals(child.pid as number)).toBe(true));
      const hasEnded = child.exitCode !== null;
      child.kill(signal);
      const texts = Promise.all([text(child.stdout), text(child.stderr)]);
      const [code, killedBy] = await exit;
      expect(killedBy).toBeNull();
      if (hasEnded || code === SIGNALS[signal]) return;
      // What had its outcome when the signal came keeps its code; services end in order.
      const [output, errors] = await texts;
      const isDone = code === 0 ? SERVICES.has(String(words[0])) || output + errors !== "" : errors !== "";
      expect([isDone, errors]).toEqual([true, expect.not.stringMatching(/TERMINATED|INTERRUPTED/)]);
    },
  );
});
