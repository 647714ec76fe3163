/** `solx show <anything>`: recognises an address, a signature, a slot, a mint or an explorer link, and shows it. */
import { positionalOf } from "../../catalogue/index.ts";
import { endpointAt } from "../endpoint/answers.ts";
import { parseRequestedRows, runEndpoint } from "../endpoint/run-endpoint.ts";
import type { RunContext } from "../run/context.ts";
import { type Ask, addressData, blockData, DETAIL, NEXT, type Thing, thingIn } from "./lookup.ts";

/** Shows whatever was given. */
export async function show(context: RunContext, given: string): Promise<void> {
  const { thing, id } = await thingIn(given);
  if (thing === "account") return showAddress(context, id);
  if (thing === "block") await showBlock(context, id);
  else await runEndpoint(context, endpointAt(DETAIL[thing]), [id], {});
  await tellNext(context, thing, id);
}

/** The commands that lead on, for a person; a request that is only shown leads nowhere. */
async function tellNext(context: RunContext, thing: Thing, id: string): Promise<void> {
  if (isDry(context)) return;
  const { suggestCommand: suggestion } = await import("../run/program-name.ts");
  for (const path of NEXT[thing]) {
    await context.reporter.hint(`Next: ${suggestion(context, [...endpointAt(path).command.split(" "), id])}`);
  }
}

function isDry({ globals: { dryRun, curl } }: RunContext): boolean {
  return Boolean(dryRun || curl);
}

/** Asks an endpoint about one thing. */
function asking(context: RunContext): Ask {
  return async (path, id) => {
    const endpoint = endpointAt(path);
    const [name = "address"] = positionalOf(endpoint) ?? [];
    const client = await context.client();
    return (await client.fetch(endpoint, { [name]: id }, { signal: context.io.signal })).data;
  };
}

async function showBlock(context: RunContext, slot: string): Promise<void> {
  const endpoint = endpointAt(DETAIL.block);
  if (isDry(context) || context.globals.envelope) return runEndpoint(context, endpoint, [slot], {});
  parseRequestedRows(context, endpoint);
  const block = await blockData(asking(context), slot);
  await context.printObject(block, { entity: blockSchema });
}

async function showAddress(context: RunContext, address: string): Promise<void> {
  if (isDry(context)) return runEndpoint(context, endpointAt(DETAIL.account), [address], {});
  const { thing, data } = await addressData(asking(context), address);
  await context.printObject(data, { entity: thing === "token" ? tokenSchema : accountSchema });
  await tellNext(context, thing, address);
}

/** Loads what schemas are made of; only some formats need one. */
async function schemaParts() {
  const [z, entities, { f }] = await Promise.all([
    import("zod"),
    import("../../catalogue/entities/index.ts"),
    import("../../catalogue/kinds.ts"),
  ]);
  return { z, entities, f };
}

/** The schema of a token together with its mint account. */
async function tokenSchema() {
  const { z, entities, f } = await schemaParts();
  return z.looseObject({
    token: f.object("The token", entities.TokenMeta),
    account: f.object("The account of the mint", entities.AccountDetail),
  });
}

/** The schema of an account with its metadata: names first, then the account itself, then the rest. */
async function accountSchema() {
  const { z, entities } = await schemaParts();
  const { account, ...detail } = entities.AccountDetail.shape;
  const { account_address: _, account_label, account_domain, account_tags, ...rest } = entities.AccountMetadata.shape;
  return z.looseObject({ account, account_label, account_domain, account_tags, ...detail, ...rest });
}

/** The schema of a block with its slot. */
async function blockSchema() {
  const { z, entities, f } = await schemaParts();
  return z.looseObject({ slot: f.slot("Slot of the block"), ...entities.Block.shape });
}
