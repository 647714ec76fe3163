/** The command of an endpoint: one builder for every endpoint of the catalogue. */
import { Option } from "commander";
import {
  commandLine,
  type Endpoint,
  endpoints,
  type NodeSupportLevel,
  nodeSupportOf,
  optionName,
  type Param,
  positionalOf,
} from "../../catalogue/index.ts";
import { sharesGlobalOption } from "../options/global-options.ts";
import type { CommandDefinition, Example } from "../run/command-definition.ts";
import type { RunContext } from "../run/context.ts";
import { GROUPS, groupSummary } from "./groups.ts";
import { describeIdentifier, isRowLimit, parameterOptions } from "./parameter-options.ts";

/**
 * Returns the commands of a family's endpoints: its groups, and the endpoints without a group.
 * @param others commands of groups that are made of several endpoints
 */
export function familyCommands(
  members: readonly Endpoint[],
  others: Readonly<Record<string, readonly CommandDefinition[]>> = {},
): readonly CommandDefinition[] {
  return [...Map.groupBy(members, ({ group }) => group)].flatMap(([name, inGroup]): CommandDefinition[] => {
    if (name === "") return inGroup.map((endpoint) => endpointCommand(endpoint));
    return [
      {
        name,
        summary: groupSummary(name, inGroup[0]?.family ?? "v2"),
        aliases: GROUPS[name]?.aliases ?? [],
        audience: "none",
        get commands() {
          const ofEndpoints = inGroup.map((endpoint) => {
            const isFolded = inGroup.some(({ name: plain }) => endpoint.name !== plain && isTwin(endpoint.name, plain));
            return endpointCommand(endpoint, isFolded);
          });
          return [...ofEndpoints, ...(others[name] ?? [])];
        },
      },
    ];
  });
}

/** Returns whether a name is that of a plain command for several identifiers, or of its newer version. */
const isTwin = (name: string, plain: string): boolean => [`${plain}-multi`, `${plain}-v2`].includes(name);

/** How far a Solana node answers, as a line of the help. */
const NODE_FOOTNOTES: Readonly<Record<NodeSupportLevel, string>> = {
  full: "From a Solana node (--rpc): all fields.",
  partial: "From a Solana node (--rpc): partly; for the fields, run: solx docs {route}",
  "per-transaction": "From a Solana node (--rpc): one call per transaction, newest first; see: solx docs {route}",
  none: "Not from a Solana node (--rpc).",
};

/** Returns the command of an endpoint. @param isFolded whether the help of its group leaves it out */
function endpointCommand(endpoint: Endpoint, isFolded = false): CommandDefinition {
  const [name, param] = positionalOf(endpoint) ?? [];
  return {
    name: endpoint.name,
    ...(endpoint.aliases && { aliases: endpoint.aliases }),
    summary: endpoint.summary,
    audience: "data",
    isFolded,
    endpoint,
    ...(name !== undefined &&
      param && {
        arguments: [
          {
            name: `[${name}...]`,
            description: `${describeIdentifier(param)}; several, @file, or - for standard input`,
          },
        ],
      }),
    get options() {
      return parameterOptions(endpoint);
    },
    get examples() {
      const source = endpoint.family === "node" ? " --rpc mainnet" : "";
      return endpoint.examples.map(({ about, params }): Example => [about, commandLine(endpoint, params) + source]);
    },
    get footnote() {
      if (endpoint.family === "node")
        return "Only from a Solana node: add --rpc mainnet, devnet, testnet, localnet or a URL.";
      const newer = endpoints.find(({ command }) => command === `${endpoint.command}-v2`);
      const node = NODE_FOOTNOTES[nodeSupportOf(endpoint).level].replace("{route}", endpoint.route);
      return newer ? `${newer.summary}: solx ${newer.command}\n${node}` : node;
    },
    get details() {
      const notes = endpoint.notes?.map((note) => `- ${note}`) ?? [];
      return [...notes, `Reference: solx docs ${endpoint.route}`].join("\n");
    },
    async run(context, { args, options }) {
      const identifiers = name === undefined ? [] : args;
      const typed = parameterValues(endpoint, options as Readonly<Record<string, unknown>>, context);
      const values =
        context.globals.sortBy === undefined
          ? typed
          : (await import("./row-options.ts")).withApiOrder(context, endpoint, typed);
      if (context.globals.web) {
        const { openEndpointPages } = await import("../explore/web-page.ts");
        return openEndpointPages(context, endpoint, identifiers, values);
      }
      if (context.globals.interactive) {
        const { exploreEndpoint } = await import("../explore/explore.ts");
        return exploreEndpoint(context, endpoint, identifiers, values);
      }
      const { runEndpoint } = await import("./run-endpoint.ts");
      return runEndpoint(context, endpoint, identifiers, values);
    },
  };
}

/** Returns the values of an endpoint's parameters among the options of a command. */
export function parameterValues(
  endpoint: Endpoint,
  options: Readonly<Record<string, unknown>>,
  context: RunContext,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(endpoint.query)) {
    if (isRowLimit(name, param)) continue;
    const key = new Option(`--${optionName(name)}`).attributeName();
    const value = sharesGlobalOption(name) ? takeGlobalOption(context, key, param) : options[key];
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/**
 * Takes the value of a global option that is also a parameter: `--time` is a time format everywhere, and a range at one
 * endpoint. A value that reads as a range is the parameter's, and no time format then.
 */
function takeGlobalOption(context: RunContext, key: string, param: Param): unknown {
  const value = (context.globals as Readonly<Record<string, unknown>>)[key];
  if (param.arity !== "range" || typeof value !== "string" || !/\d/.test(value)) return undefined;
  context.globals = { ...context.globals, [key]: undefined };
  return value;
}
