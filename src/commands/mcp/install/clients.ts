/** The programs that start MCP servers: where they read which servers there are. */
import { join } from "node:path";
import { type Env, homeFolder } from "../../../base/index.ts";

/**
 * A file: its names, below the home folder, the folder for the data of desktop applications, or that which a variable
 * names. Without the variable, all but the last name are a folder in the home folder.
 */
type Place = readonly [folder: string, ...names: readonly string[]];

interface System {
  readonly env: Env;
  readonly platform: NodeJS.Platform;
}

/** A client. */
export interface McpClient {
  readonly title: string;
  /** The file for all projects of the user. */
  readonly userFile: Place;
  /** The file of a project, from its folder; none for clients without projects. */
  readonly projectFile?: string;
  readonly format: "json" | "toml";
  /** The member of the file with the servers by name. */
  readonly container: string;
  /** Whether the client requires the kind of a server. */
  readonly hasType?: true;
  /** Whether the client is started without the PATH of a shell. */
  readonly lacksPath?: true;
}

/** Returns the file for all projects of the user; undefined where the folder that it is in is unknown. */
export function findUserFile(
  { userFile: [folder, ...names] }: McpClient,
  { env, platform }: System,
): string | undefined {
  const home = homeFolder(env);
  const below = (root: string | undefined, ...inner: readonly string[]) => (root ? join(root, ...inner) : undefined);
  if (folder === "home") return below(home, ...names);
  if (folder !== "data") return below(env[folder] || below(home, ...names.slice(0, -1)), names.at(-1) ?? "");
  const roots: Partial<Record<NodeJS.Platform, string | undefined>> = {
    win32: env.APPDATA || below(home, "AppData", "Roaming"),
    darwin: below(home, "Library", "Application Support"),
  };
  return below(platform in roots ? roots[platform] : env.XDG_CONFIG_HOME || below(home, ".config"), ...names);
}

/** The clients by the names that are typed. */
export const MCP_CLIENTS: Readonly<Record<string, McpClient>> = {
  claude: {
    title: "Claude Code",
    userFile: ["CLAUDE_CONFIG_DIR", ".claude.json"],
    projectFile: ".mcp.json",
    format: "json",
    container: "mcpServers",
    hasType: true,
  },
  "claude-desktop": {
    title: "Claude Desktop",
    userFile: ["data", "Claude", "claude_desktop_config.json"],
    format: "json",
    container: "mcpServers",
    lacksPath: true,
  },
  cursor: {
    title: "Cursor",
    userFile: ["home", ".cursor", "mcp.json"],
    projectFile: ".cursor/mcp.json",
    format: "json",
    container: "mcpServers",
  },
  vscode: {
    title: "VS Code",
    userFile: ["data", "Code", "User", "mcp.json"],
    projectFile: ".vscode/mcp.json",
    format: "json",
    container: "servers",
    hasType: true,
  },
  codex: {
    title: "Codex",
    userFile: ["CODEX_HOME", ".codex", "config.toml"],
    projectFile: ".codex/config.toml",
    format: "toml",
    container: "mcp_servers",
  },
  gemini: {
    title: "Gemini CLI",
    userFile: ["home", ".gemini", "settings.json"],
    projectFile: ".gemini/settings.json",
    format: "json",
    container: "mcpServers",
  },
};
