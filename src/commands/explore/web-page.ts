/** `--web`: the pages of the public explorer, without a request to the API. */
import { UsageError } from "../../base/index.ts";
import {
  type Endpoint,
  type Param,
  type ParameterValues,
  positionalOf,
  validateParameter,
  WEB_SITE,
  webPageUrl,
} from "../../catalogue/index.ts";
import { openIdentifiers } from "../endpoint/identifiers.ts";
import { openResolver, resolveTokens, runNameResolver } from "../names/resolve-names.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { noInputReason } from "../run/prompt.ts";
import { identifyEntity } from "../show/lookup.ts";
import { createBrowserOpener } from "./tools.ts";

const MAX_OPENED = 10;

/** What the identifiers of an endpoint are of. */
function entityOf({ group }: Endpoint, { type, accepts }: Param): string {
  if (type === "signature") return "transaction";
  if (type === "slot" || group === "block") return "block";
  if (accepts === "mint" || group === "token") return "token";
  return group === "nft" ? "collection" : group === "market" || group === "program" ? group : "account";
}

/**
 * Opens or prints the pages of the identifiers of an endpoint's command.
 * @throws UsageError when there is none, or one has no page
 */
export async function openEndpointPages(
  context: RunContext,
  endpoint: Endpoint,
  args: readonly string[],
  values: ParameterValues,
): Promise<void> {
  const [name, param] = positionalOf(endpoint) ?? [];
  if (name === undefined || param === undefined) throw noPageError(endpoint);
  const { [name]: fromOption = [], ...others } = values;
  const typed = await openIdentifiers(context, [...args, ...(fromOption as string[])], param.type);
  const { identifiers } = await resolveTokens(context, endpoint, { name, identifiers: typed, values: others });
  if (identifiers.count === 0) throw noPageError(endpoint);
  const urls = urlsOf(context, endpoint, [name, param], identifiers.read(context.io.signal));
  await openPages(context, urls).catch(async (error: unknown) => {
    throw await identifiers.locate(error);
  });
}

async function* urlsOf(
  context: RunContext,
  endpoint: Endpoint,
  [name, param]: readonly [string, Param],
  ids: AsyncIterable<string>,
): AsyncGenerator<string, void> {
  const cluster = await readCluster(context);
  for await (const id of ids) {
    const problem = validateParameter(name, param, id);
    const url = problem === undefined ? webPageUrl(entityOf(endpoint, param), id, cluster) : undefined;
    if (url === undefined) {
      throw new UsageError(problem?.message ?? `"${id}" has no page on ${WEB_SITE}`, {
        ...(problem && { invalid: problem.invalid }),
        hint: "Give an address, a mint, a signature or a slot.",
      });
    }
    yield url;
  }
}

/** Opens or prints the page of what `solx show` recognises. */
export async function openShownPage(context: RunContext, input: string): Promise<void> {
  const resolvers = { names: runNameResolver(context), tokens: await openResolver(context) };
  const { kind, id } = await identifyEntity(input, resolvers, sourceOf(await context.session.settings()).facts);
  const url = webPageUrl(kind, id, await readCluster(context));
  if (url === undefined) throw new UsageError(`"${input}" has no page on ${WEB_SITE}`);
  await openPages(context, [url]);
}

/**
 * Returns the cluster of the node that answers; undefined for mainnet and for nodes whose cluster is unknown.
 * @throws UsageError for a node on this machine, whose chain the public explorer does not know
 */
async function readCluster(context: RunContext): Promise<string | undefined> {
  const name = (await context.session.settings()).node()?.name;
  if (name === "localnet") throw new UsageError(`${WEB_SITE} has no pages of localnet`, { hint: "Remove --rpc." });
  return name;
}

async function openPages(context: RunContext, urls: AsyncIterable<string> | Iterable<string>): Promise<void> {
  const { io, reporter } = context;
  const opensBrowser = isForPerson(context);
  const open = opensBrowser ? createBrowserOpener({ env: io.env, platform: process.platform }) : undefined;
  let count = 0;
  for await (const url of urls) {
    count += 1;
    const result = open && count <= MAX_OPENED ? await open(url) : undefined;
    if (result?.ok) await reporter.hint(result.message);
    else await context.printer.printText(`${url}\n`);
  }
}

/** Whether a person is at the terminal: jobs print URLs. */
function isForPerson({ io }: RunContext): boolean {
  return io.stdout.isTTY === true && noInputReason(io) === undefined;
}

function noPageError({ command }: Endpoint): UsageError {
  return new UsageError(`--web needs an identifier: ${command} alone has no page on ${WEB_SITE}`, {
    hint: "Give an address, a mint, a signature or a slot.",
  });
}
