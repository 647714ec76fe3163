/** What to do about an error, in the words of who reads it. */

/** Hints by reader; whoever has no text gets none. */
export interface Hints {
  /** For somebody at a command line, or in the explorer. */
  readonly command?: string | undefined;
  /** For a program that uses the library. */
  readonly program?: string | undefined;
  /** For a model that calls tools, which can ask the user of its server. */
  readonly tool?: string | undefined;
}

/** Returns hints by reader: one text is for all of them. */
export function toHints(hint: string | Hints | undefined): Hints {
  return typeof hint === "string" ? { command: hint, program: hint, tool: hint } : (hint ?? {});
}

/** Returns hints for a text that depends on how each reader does something. */
export function tellAll(ways: Readonly<Record<keyof Hints, string>>, text: (way: string) => string): Hints {
  return { command: text(ways.command), program: text(ways.program), tool: text(ways.tool) };
}

/** How each reader chooses a Solana node. */
export const NODE_CHOICE = {
  command: "--rpc <node>",
  program: "createClient({ rpc })",
  tool: "the user starts this server with --rpc <node>",
} as const satisfies Hints;

/** What to do about a node that is defective or lacks something. */
export const OTHER_NODE: Hints = tellAll(NODE_CHOICE, (way) => `Use another node: ${way}.`);

/** How each reader gets an answer into the cache. */
export const FILL_CACHE: Hints = {
  command: "Run the command once without --cache only.",
  program: 'Request it with a client whose cache is in use: createClient({ cache: { file, mode: "use" } }).',
};

/** Returns what to do when a request has to wait. @param seconds undefined when the time is not known */
export function waitHints(seconds: number | undefined, command: string): Hints {
  const time = seconds === undefined ? "a minute" : `${Math.ceil(seconds)} s`;
  return {
    command,
    program: "Wait and try again, or let the client wait longer: createClient({ maxWait }).",
    tool: `Wait ${time}, then repeat the call.`,
  };
}
