/** The names that the tables of a run show: the user's own, built in, in the answers, stored by earlier runs, and requested. */
import { pluralize, SolxError, toSentence } from "../../base/index.ts";
import { ADDRESS_BOOK, readTextMap } from "../../config/index.ts";
import {
  createNames,
  type IdentifierUse,
  type LearnedName,
  type NameSource,
  type Names,
  planNameRequests,
  unnamedAddresses,
} from "../../output/index.ts";
import type { RunContext } from "../run/context.ts";
import { answeredBy, sourceOf } from "../run/data-source.ts";
import { type NameStore, openNameStore } from "./name-store.ts";

/** The most addresses whose names a run requests, so that a long list does not cost as much again. */
const MAX_REQUESTED = 100;

/** Opens the names of a run; with `fetch`, unknown ones are requested. New names are stored when the run is over. */
export async function openTableNames(context: RunContext, mode: "known" | "fetch"): Promise<NameSource> {
  const settings = await context.session.settings();
  const book = readTextMap(settings.paths, ADDRESS_BOOK);
  if (book.problem) await context.reporter.note(`Warning: ${book.problem.message}`);
  const names = createNames(book.entries);
  const store = openNameStore(settings);
  const fetchNames = mode === "fetch" ? createFetcher(context, names) : undefined;
  context.session.onClose(async () => {
    if (store) storeNames(store, names);
    if (store?.problem() && context.globals.verbose) {
      const { operation, reason, message } = store.problem() ?? {};
      await context.reporter.note(`Names of earlier runs are not used (${operation}: ${reason}): ${message}`);
    }
  });
  return {
    of: names.of,
    async prepare(values, uses) {
      for (const value of values) names.learn(value);
      if (store) restoreNames(store, names, uses);
      await fetchNames?.(unnamedAddresses(uses, names.of));
    },
  };
}

/** Reads the stored names of identifiers, and those of the tokens of pools among them. */
function restoreNames(store: NameStore, names: Names, uses: readonly IdentifierUse[]): void {
  const read = (addresses: readonly string[]) => {
    const entries = store.read(addresses);
    names.restore(entries);
    return entries;
  };
  const pools = read(unnamedAddresses(uses, names.of).map(({ id }) => id)).filter(({ kind }) => kind === "market");
  read(pools.flatMap(({ name }) => name.split("/")).filter((mint) => names.of(mint) === undefined));
}

/** Stores the names that are new or have changed. */
function storeNames(store: NameStore, names: Names): void {
  const learned = [...names.learned()];
  const stored = new Map(store.read(learned.map(({ address }) => address)).map((entry) => [entry.address, entry]));
  const isStored = ({ address, kind, name }: LearnedName) =>
    stored.get(address)?.name === name && stored.get(address)?.kind === kind;
  store.write(learned.filter((entry) => !isStored(entry)));
  store.close();
}

/** Returns what requests names, each once; a failure is noted and ends the requests, not the command. */
function createFetcher(context: RunContext, names: Names): (uses: readonly IdentifierUse[]) => Promise<void> {
  const requested = new Set<string>();
  const spent = { requests: 0, units: 0, skipped: 0 };
  let isOver = false;
  context.session.onClose(async () => {
    if (spent.requests === 0) return;
    const more =
      spent.skipped === 0
        ? ""
        : ` Names of ${pluralize(spent.skipped, "more address", "more addresses")} were not requested.`;
    await context.reporter.note(`Names: ${pluralize(spent.requests, "request")}, ${spent.units} units.${more}`);
  });
  return async (uses) => {
    const fresh = uses.filter(({ id }) => !requested.has(id));
    const allowed = isOver ? [] : fresh.slice(0, MAX_REQUESTED - requested.size);
    spent.skipped += fresh.length - allowed.length;
    for (const { id } of fresh) requested.add(id);
    if (allowed.length === 0) return;
    const settings = await context.session.settings();
    const client = await context.session.client();
    try {
      for (const { endpoint, params, units } of planNameRequests(allowed, answeredBy(settings))) {
        const answer = await client.fetch(endpoint, params, { signal: context.io.signal });
        spent.requests += 1;
        spent.units += answer.age === undefined && sourceOf(settings).facts.chargesUnits ? units : 0;
        names.learn(answer.data);
      }
    } catch (error) {
      if (!(error instanceof SolxError) || context.io.signal?.aborted) throw error;
      isOver = true;
      await context.reporter.note(`Names were not requested: ${toSentence(error)}`);
    }
  };
}
