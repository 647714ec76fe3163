/** `solx show <anything>`: prints the details of an address, signature, slot, mint or explorer link. */
import { isObject } from "../../base/index.ts";
import { loadEntities, loadFields, positionalOf } from "../../catalogue/index.ts";
import { endpointAt, parseRequestedRows } from "../endpoint/answers.ts";
import { runEndpoint } from "../endpoint/run-endpoint.ts";
import { openResolver, runNameResolver } from "../names/resolve-names.ts";
import type { RunContext } from "../run/context.ts";
import { answeredBy, sourceOf } from "../run/data-source.ts";
import { DETAIL_PATHS, type FetchEntity, fetchSubject, identifyEntity, type LookupKind, NEXT_PATHS } from "./lookup.ts";

/**
 * Recognises the input and prints its details: an object with `kind` and `id`, then the fields of that kind. A preview
 * and `--envelope` are about the first request.
 */
export async function show(context: RunContext, input: string): Promise<void> {
  const { kind, id } = await (await createIdentifier(context))(input);
  const endpoint = endpointAt(DETAIL_PATHS[kind]);
  const { dryRun, curl, envelope } = context.globals;
  if (dryRun || curl || envelope) return runEndpoint(context, endpoint, [id], {});
  parseRequestedRows(context, endpoint);
  const subject = await fetchSubject(createFetch(context), kind, id);
  const fields = isObject(subject.data) ? subject.data : { data: subject.data };
  await context.printer.printObject({ kind: subject.kind, id, ...fields }, { entity: SCHEMAS[subject.kind] });
  await printNextCommands(context, subject.kind, id);
}

/** Returns a function that finds out what a word stands for, with the names and tokens of this run. */
export async function createIdentifier(context: RunContext) {
  const resolvers = { names: runNameResolver(context), tokens: await openResolver(context) };
  const { facts } = sourceOf(await context.session.settings());
  return (word: string) => identifyEntity(word, resolvers, facts);
}

/** Suggests follow-up commands on a terminal. */
async function printNextCommands(context: RunContext, kind: LookupKind, id: string): Promise<void> {
  const { suggestCommand } = await import("../run/printed-command.ts");
  const isAnswered = answeredBy(await context.session.settings());
  for (const path of NEXT_PATHS[kind]) {
    if (!isAnswered(endpointAt(path))) continue;
    await context.reporter.hint(`Next: ${suggestCommand(context, [...endpointAt(path).command.split(" "), id])}`);
  }
}

/** Returns a function that fetches the data of one identifier with the client of this run. */
export function createFetch(context: RunContext): FetchEntity {
  return async (path, id) => {
    const endpoint = endpointAt(path);
    const [name = "address"] = positionalOf(endpoint) ?? [];
    const client = await context.session.client();
    return (await client.fetch(endpoint, { [name]: id }, { signal: context.io.signal })).data;
  };
}

/** Returns the schema of what is printed of a kind. */
export const subjectSchema = (kind: LookupKind) => SCHEMAS[kind]();

/** Loads the parts of schemas on demand: only some output formats need one. */
async function schemaParts() {
  const [entities, { builders, f }] = await Promise.all([loadEntities(), loadFields()]);
  return { builders, entities, f };
}

async function subjectFields() {
  const { f } = await schemaParts();
  return { kind: f.enum("Kind of the entity", Object.keys(DETAIL_PATHS)), id: f.hash("Its identifier") };
}

const SCHEMAS = {
  /** A token together with its mint account. */
  async token() {
    const { builders, entities, f } = await schemaParts();
    return builders.looseObject({
      ...(await subjectFields()),
      token: f.object("The token", entities.TokenMeta),
      account: f.object("The account of the mint", entities.AccountDetail),
    });
  },
  /** An account with its metadata: names first, then the account itself, then the rest. */
  async account() {
    const { builders, entities } = await schemaParts();
    const { account, ...detail } = entities.AccountDetail.shape;
    const { account_address: _, account_label, account_domain, account_tags, ...rest } = entities.AccountMetadata.shape;
    const names = { account, account_label, account_domain, account_tags };
    return builders.looseObject({ ...(await subjectFields()), ...names, ...detail, ...rest });
  },
  /** A block with its slot. */
  async block() {
    const { builders, entities, f } = await schemaParts();
    return builders.looseObject({
      ...(await subjectFields()),
      slot: f.slot("Slot of the block"),
      ...entities.Block.shape,
    });
  },
  async transaction() {
    const { builders, entities } = await schemaParts();
    return builders.looseObject({ ...(await subjectFields()), ...entities.TransactionDetail.shape });
  },
} as const satisfies Record<LookupKind, unknown>;
