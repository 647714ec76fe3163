/** `solx show <anything>`: prints the details of an address, signature, slot, mint or explorer link. */
import { loadEntities, loadFields, positionalOf } from "../../catalogue/index.ts";
import { endpointAt } from "../endpoint/answers.ts";
import { parseRequestedRows } from "../endpoint/requested-rows.ts";
import { runEndpoint } from "../endpoint/run-endpoint.ts";
import type { RunContext } from "../run/context.ts";
import {
  DETAIL_PATHS,
  type FetchEntity,
  fetchAddress,
  fetchBlock,
  identifyEntity,
  type LookupKind,
  NEXT_PATHS,
} from "./lookup.ts";

/** Recognises the input and prints its details. */
export async function show(context: RunContext, input: string): Promise<void> {
  const { kind, id } = await identifyEntity(input);
  if (kind === "account") return showAddress(context, id);
  if (kind === "block") await showBlock(context, id);
  else await runEndpoint(context, endpointAt(DETAIL_PATHS[kind]), [id], {});
  await printNextCommands(context, kind, id);
}

/** Suggests follow-up commands on a terminal, except when the request is only previewed. */
async function printNextCommands(context: RunContext, kind: LookupKind, id: string): Promise<void> {
  if (isPreview(context)) return;
  const { suggestCommand } = await import("../run/program-name.ts");
  for (const path of NEXT_PATHS[kind]) {
    await context.reporter.hint(`Next: ${suggestCommand(context, [...endpointAt(path).command.split(" "), id])}`);
  }
}

function isPreview({ globals: { dryRun, curl } }: RunContext): boolean {
  return Boolean(dryRun || curl);
}

/** Returns a function that fetches the data of one identifier with the client of this run. */
function createFetch(context: RunContext): FetchEntity {
  return async (path, id) => {
    const endpoint = endpointAt(path);
    const [name = "address"] = positionalOf(endpoint) ?? [];
    const client = await context.client();
    return (await client.fetch(endpoint, { [name]: id }, { signal: context.io.signal })).data;
  };
}

async function showBlock(context: RunContext, slot: string): Promise<void> {
  const endpoint = endpointAt(DETAIL_PATHS.block);
  if (isPreview(context) || context.globals.envelope) return runEndpoint(context, endpoint, [slot], {});
  parseRequestedRows(context, endpoint);
  const block = await fetchBlock(createFetch(context), slot);
  await context.printObject(block, { entity: blockSchema });
}

async function showAddress(context: RunContext, address: string): Promise<void> {
  if (isPreview(context)) return runEndpoint(context, endpointAt(DETAIL_PATHS.account), [address], {});
  const { kind, data } = await fetchAddress(createFetch(context), address);
  await context.printObject(data, { entity: kind === "token" ? tokenSchema : accountSchema });
  await printNextCommands(context, kind, address);
}

/** Loads the parts of schemas on demand: only some output formats need one. */
async function schemaParts() {
  const [entities, { builders, f }] = await Promise.all([loadEntities(), loadFields()]);
  return { builders, entities, f };
}

/** Returns the schema of a token together with its mint account. */
async function tokenSchema() {
  const { builders, entities, f } = await schemaParts();
  return builders.looseObject({
    token: f.object("The token", entities.TokenMeta),
    account: f.object("The account of the mint", entities.AccountDetail),
  });
}

/** Returns the schema of an account with its metadata: names first, then the account itself, then the rest. */
async function accountSchema() {
  const { builders, entities } = await schemaParts();
  const { account, ...detail } = entities.AccountDetail.shape;
  const { account_address: _, account_label, account_domain, account_tags, ...rest } = entities.AccountMetadata.shape;
  return builders.looseObject({ account, account_label, account_domain, account_tags, ...detail, ...rest });
}

/** Returns the schema of a block with its slot. */
async function blockSchema() {
  const { builders, entities, f } = await schemaParts();
  return builders.looseObject({ slot: f.slot("Slot of the block"), ...entities.Block.shape });
}
