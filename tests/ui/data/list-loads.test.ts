import { describe, expect, it } from "vitest";
import type { EndpointRequest } from "../../../src/ui/navigation/data-store.ts";
import { json, refusal, serve, success, WALLET } from "../../client/servers.ts";
import { waitFor } from "../../support/wait-for.ts";
import { endpoint, world } from "./setup.ts";

const TRANSFERS: EndpointRequest = { endpoint: endpoint("v2-account-transfer"), params: { address: WALLET } };
const PAGE = 100;

/** A server with a list of so many rows. */
function listServer(count: number, refuses: (page: number) => boolean = () => false) {
  return serve((request, response) => {
    const page = Number(new URL(request.url ?? "", "http://localhost").searchParams.get("page") ?? 1);
    if (refuses(page)) return json(response, refusal(500, "broken"), 500);
    const first = (page - 1) * PAGE;
    const rows = Array.from({ length: Math.max(0, Math.min(PAGE, count - first)) }, (_, at) => ({
      trans_id: `row-${first + at}`,
      block_time: 1_700_000_000 - first - at,
      amount: first + at,
    }));
    json(response, success(rows));
  });
}

/** Loads rows until it stops. */
async function load(data: ReturnType<typeof world>["data"], pages?: number) {
  const leave = data.loads.watch(TRANSFERS, () => {});
  data.loads.start(TRANSFERS, pages);
  expect(data.loads.read(TRANSFERS).isLoading).toBe(true);
  await waitFor(() => expect(data.loads.read(TRANSFERS).isLoading).toBe(false));
  return { leave, state: data.loads.read(TRANSFERS) };
}

describe("loading a list", () => {
  it("reads all rows once, with the largest pages, and counts their cost", async () => {
    const server = await listServer(250);
    const { state } = await load(world(server).data);
    expect(state).toMatchObject({ isComplete: true, problem: undefined });
    expect(new Set(state.rows.map((row) => JSON.stringify(row))).size).toBe(250);
    expect(state.firstRows).toHaveLength(PAGE);
    expect(state.units).toBe(state.requests * TRANSFERS.endpoint.cost.units);
    expect(server.requests.every(({ url }) => url?.includes("page_size=100"))).toBe(true);
  });

  it("reads as many pages as requested, then the following ones, without requesting more", async () => {
    const server = await listServer(450);
    const { data } = world(server);
    const first = await load(data, 2);
    expect(first.state).toMatchObject({ isComplete: false, requests: 2 });
    expect(first.state.rows).toHaveLength(2 * PAGE);
    expect(server.requests).toHaveLength(2);
    const { state } = await load(data);
    expect(state.rows).toHaveLength(450);
    expect(state.isComplete).toBe(true);
    expect(state.firstRows).toBe(first.state.firstRows);
  });

  it("keeps what is loaded when it is stopped, left or fails, and continues there", async () => {
    let isBroken = true;
    const server = await listServer(450, (page) => isBroken && page === 4);
    const { data } = world(server);
    const { state } = await load(data);
    expect(state).toMatchObject({ isComplete: false, problem: { exit: "server" } });
    expect(state.rows).toHaveLength(3 * PAGE);
    isBroken = false;
    data.loads.start(TRANSFERS);
    data.loads.stop(TRANSFERS);
    expect(data.loads.read(TRANSFERS)).toMatchObject({ isLoading: false, problem: undefined });
    const again = await load(data);
    expect(again.state.rows.map((row) => (row as { readonly amount: number }).amount)).toEqual(
      Array.from({ length: 450 }, (_, at) => at),
    );
    again.leave();
    expect(data.loads.read(TRANSFERS).rows).toHaveLength(450);
    data.loads.discard(TRANSFERS);
    expect(data.loads.read(TRANSFERS).rows).toHaveLength(0);
  });

  it("stops without a subscription", async () => {
    const server = await serve(() => {});
    const { data } = world(server);
    const leave = data.loads.watch(TRANSFERS, () => {});
    data.loads.start(TRANSFERS);
    await waitFor(() => expect(server.requests).toHaveLength(1));
    leave();
    await waitFor(() => expect(data.loads.read(TRANSFERS).isLoading).toBe(false));
  });
});
