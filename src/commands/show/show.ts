/** `solx show <anything>`: recognises an address, a signature, a slot, a mint or an explorer link, and shows it. */
import { positionalOf } from "../../catalogue/index.ts";
import { endpointAt } from "../endpoint/answers.ts";
import { runEndpoint, wantedRows } from "../endpoint/run-endpoint.ts";
import type { Frame } from "../run/context.ts";
import { type Ask, addressData, blockData, DETAIL, NEXT, type Thing, thingIn } from "./lookup.ts";

/** Shows whatever was given. */
export async function show(frame: Frame, given: string): Promise<void> {
  const { thing, id } = await thingIn(given);
  if (thing === "account") return showAddress(frame, id);
  if (thing === "block") await showBlock(frame, id);
  else await runEndpoint(frame, endpointAt(DETAIL[thing]), [id], {});
  await tellNext(frame, thing, id);
}

/** The commands that lead on, for a person; a request that is only shown leads nowhere. */
async function tellNext(frame: Frame, thing: Thing, id: string): Promise<void> {
  if (isDry(frame)) return;
  const { suggestion } = await import("../run/program-name.ts");
  for (const path of NEXT[thing]) {
    await frame.hint(`Next: ${suggestion(frame, [...endpointAt(path).command.split(" "), id])}`);
  }
}

function isDry({ globals: { dryRun, curl } }: Frame): boolean {
  return Boolean(dryRun || curl);
}

/** The schemas, for the formats that need one. */
const views = () => import("./view.ts");

/** Asks an endpoint about one thing. */
function asking(frame: Frame): Ask {
  return async (path, id) => {
    const endpoint = endpointAt(path);
    const [name = "address"] = positionalOf(endpoint) ?? [];
    const client = await frame.client();
    return (await client.fetch(endpoint, { [name]: id }, { signal: frame.io.signal })).data;
  };
}

async function showBlock(frame: Frame, slot: string): Promise<void> {
  const endpoint = endpointAt(DETAIL.block);
  if (isDry(frame) || frame.globals.envelope) return runEndpoint(frame, endpoint, [slot], {});
  wantedRows(frame, endpoint);
  const block = await blockData(asking(frame), slot);
  await frame.printObject(block, { entity: async () => (await views()).blockWithSlot() });
}

async function showAddress(frame: Frame, address: string): Promise<void> {
  if (isDry(frame)) return runEndpoint(frame, endpointAt(DETAIL.account), [address], {});
  const { thing, data } = await addressData(asking(frame), address);
  const view = thing === "token" ? "detailWithToken" : "detailWithMetadata";
  await frame.printObject(data, { entity: async () => (await views())[view]() });
  await tellNext(frame, thing, address);
}
