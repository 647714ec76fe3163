/** `solx mcp install` and `uninstall`: writes the server into the configuration of a client, after showing the change. */
import { lstatSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import {
  errorMessage,
  failureReason,
  fileError,
  listWords,
  readInputFile,
  replaceText,
  SolxError,
  UsageError,
} from "../../../base/index.ts";
import { displayText } from "../../../client/index.ts";
import { safeText } from "../../../output/index.ts";
import type { RunContext } from "../../run/context.ts";
import { maskNode, programName, programPath, serverOptions } from "../../run/printed-command.ts";
import { canPrompt, promptYesNo } from "../../run/prompt.ts";
import { findUserFile, MCP_CLIENTS, type McpClient } from "./clients.ts";
import { jsonServers } from "./json-servers.ts";
import { lineChanges } from "./line-changes.ts";
import { type ServerFile, withoutServer, withServer } from "./server-file.ts";

/** The name of the server in the configuration of a client. */
const SERVER_NAME = "solx";

/** The options of both commands. */
export interface InstallOptions {
  readonly project?: true;
}

/** Adds the server to a client. */
export async function install(context: RunContext, name: string, options: InstallOptions): Promise<void> {
  const target = await openTarget(context, name, options);
  const entry = serverEntry(context, target.client, options);
  await changeFile(context, target, (text) => withServer(target.servers, text, entry));
}

/** Removes the server from a client. */
export async function uninstall(context: RunContext, name: string, options: InstallOptions): Promise<void> {
  const target = await openTarget(context, name, options);
  await changeFile(context, target, (text) => withoutServer(target.servers, text));
}

interface Target {
  readonly client: McpClient;
  readonly path: string;
  readonly servers: ServerFile;
  readonly mode: number;
}

async function openTarget({ io }: RunContext, name: string, { project }: InstallOptions): Promise<Target> {
  const client = Object.hasOwn(MCP_CLIENTS, name) ? MCP_CLIENTS[name] : undefined;
  const names = Object.keys(MCP_CLIENTS);
  if (!client) {
    throw new UsageError(`unknown client "${displayText(name)}": expected ${listWords(names)}`);
  }
  const { title, container, format, projectFile } = client;
  const path = project
    ? projectFile && resolve(projectFile)
    : findUserFile(client, { env: io.env, platform: process.platform });
  if (path === undefined) {
    throw new UsageError(
      project ? `${title} has no configuration of projects` : `the home folder of ${title} is unknown`,
      {
        hint: project ? `Omit --project.` : "Set HOME.",
      },
    );
  }
  const servers =
    format === "json"
      ? jsonServers(container, SERVER_NAME)
      : (await import("./toml-servers.ts")).tomlServers(container, SERVER_NAME);
  return { client, path, servers, mode: project ? 0o644 : 0o600 };
}

/** Returns how a client starts the server: by its name where the client finds it, else by the path of this program. */
function serverEntry(context: RunContext, { hasType, lacksPath }: McpClient, { project }: InstallOptions): object {
  const { rpc } = context.globals;
  if (rpc !== undefined && maskNode(rpc) !== rpc) {
    throw new UsageError("the URL of a node may contain a key, which is not written into the file of a client", {
      hint: "Save it as a setting: solx config set rpc <url>. Then install without --rpc.",
    });
  }
  const isFound = project || (!lacksPath && programName(context.io)[0] === "solx");
  const [command, ...script] = isFound ? ["solx"] : programPath();
  return { ...(hasType && { type: "stdio" }), command, args: [...script, "mcp", ...serverOptions(context.globals)] };
}

interface FileState {
  readonly text: string;
  readonly isMissing: boolean;
  /** The file itself, where the path is a link. */
  readonly path: string;
  readonly mode: number | undefined;
}

async function readState(path: string, signal: AbortSignal): Promise<FileState> {
  if (!lstatSync(path, { throwIfNoEntry: false })) return { text: "", isMissing: true, path, mode: undefined };
  try {
    const file = realpathSync(path);
    const text = await readInputFile(file, { signal, isInFolder: true });
    return { text, isMissing: false, path: file, mode: statSync(file).mode & 0o777 };
  } catch (error) {
    if (error instanceof SolxError) throw error;
    throw fileError(`cannot read ${path}: ${failureReason(error)}`, error);
  }
}

/** Shows the change of the file, writes it when it is confirmed, and prints what was done. */
async function changeFile(context: RunContext, target: Target, change: (text: string) => string): Promise<void> {
  const { path, mode, client } = target;
  const { signal } = context.io;
  const before = await readState(path, signal);
  let text: string;
  try {
    text = change(before.text);
  } catch (cause) {
    throw new UsageError(`${path} was not changed: ${errorMessage(cause).split("\n")[0]}`, {
      code: "CONFIG",
      hint: "Correct the file, or move it away.",
      cause,
    });
  }
  const isChanged = text !== before.text;
  if (isChanged) {
    await showChange(context, path, lineChanges(path, before.text, text));
    await confirm(context, path);
    const now = await readState(path, signal);
    if (now.text !== before.text) {
      throw new SolxError("unexpected", `${path} changed meanwhile, and was left as it is.`, {
        hint: "Run the command again.",
      });
    }
    await replaceText(before.path, text === "" ? undefined : text, before.mode ?? mode);
  }
  const state = !isChanged ? "unchanged" : text === "" ? "removed" : before.isMissing ? "written" : "changed";
  await context.printer.printObject({ client: client.title, file: path, state });
  if (isChanged) await context.reporter.hint(`Restart ${client.title} to apply it.`);
}

/** Shows a change: its lines for people, an object for programs. */
async function showChange({ reporter }: RunContext, path: string, lines: readonly string[]): Promise<void> {
  if (reporter.isForPrograms()) return reporter.report(`Change of ${path}`, { diff: lines.join("\n") });
  reporter.write(reporter.withoutKeys(lines.map((line) => `${safeText(line)}\n`).join("")));
}

async function confirm(context: RunContext, path: string): Promise<void> {
  if (context.globals.yes) return;
  if (canPrompt(context) && (await promptYesNo(context, `Change ${path}?`))) return;
  throw new UsageError("Nothing was written: the change needs a confirmation.", {
    code: "NOT_CONFIRMED",
    hint: "To confirm it, add --yes.",
  });
}
