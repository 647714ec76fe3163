/**
 * Interfaces (IDLs) of programs in the properties of a ledger: the instructions of an index are decoded without its node.
 */
import { ignoreFailure, parseJson, stringifyJson } from "../../../base/index.ts";
import type { ChainDecoder } from "../../ledger/index.ts";
import { type Idl, loadIdl, loadIdlDecoder, type NodeConnection } from "../../solana/index.ts";
import { createChainDecoder } from "../facts/convert.ts";

/** The property of a ledger that holds the interface of a program. */
const propertyOf = (program: string): string => `idl:${program}`;

/** Finds the interfaces of programs while they appear. Each is requested once, so that a new run has the current one. */
export class InterfaceReader {
  readonly #node: NodeConnection;
  readonly #requested = new Set<string>();
  readonly #missing = new Set<string>();

  constructor(node: NodeConnection) {
    this.#node = node;
  }

  /** Adds a program whose interface is needed. */
  add(program: string): void {
    if (!this.#requested.has(program)) this.#missing.add(program);
  }

  /** Returns the interfaces that were found since the last call, as properties of the ledger. */
  async read(): Promise<Readonly<Record<string, string>>> {
    if (this.#missing.size === 0) return {};
    const { fetchIdls } = await loadIdl();
    const programs = [...this.#missing];
    this.#missing.clear();
    for (const program of programs) this.#requested.add(program);
    // Instructions without an interface have no arguments by name: that is no reason to end.
    const lookups = await fetchIdls(this.#node, programs).catch(ignoreFailure);
    return Object.fromEntries(
      [...(lookups ?? [])].flatMap(([program, lookup]) =>
        lookup.kind === "found" ? [[propertyOf(program), stringifyJson(lookup.document)]] : [],
      ),
    );
  }
}

/**
 * Returns the decoder of the instructions of an index.
 * @param property returns a property of its ledger
 */
export async function createStoredDecoder(property: (name: string) => string | undefined): Promise<ChainDecoder> {
  const { readIdl } = await loadIdlDecoder();
  const interfaces = new Map<string, Idl>();
  return createChainDecoder((program) => {
    const known = interfaces.get(program);
    if (known) return known;
    const text = property(propertyOf(program));
    if (text === undefined) return undefined;
    const idl = readIdl(parseJson(text));
    interfaces.set(program, idl);
    return idl;
  });
}
