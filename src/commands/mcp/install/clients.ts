/** The programs that start MCP servers: where they read which servers there are. */
import { join } from "node:path";
import { type Env, homeFolder } from "../../../base/index.ts";

/** A place for the configuration of a client; undefined where the home folder or the client's own is unknown. */
type Place = (system: System) => string | undefined;

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

const inHome =
  (...names: readonly string[]): Place =>
  ({ env }) =>
    below(homeFolder(env), ...names);

/** A folder that a variable names, else one in the home folder. */
const inFolderOf =
  (variable: string, folder: readonly string[], file: string): Place =>
  ({ env }) =>
    below(env[variable] || below(homeFolder(env), ...folder), file);

/** The folder for the data of desktop applications. */
const inApplicationData =
  (...names: readonly string[]): Place =>
  ({ env, platform }) => {
    const home = homeFolder(env);
    const roots: Partial<Record<NodeJS.Platform, string | undefined>> = {
      win32: env.APPDATA || below(home, "AppData", "Roaming"),
      darwin: below(home, "Library", "Application Support"),
    };
    const root = platform in roots ? roots[platform] : env.XDG_CONFIG_HOME || below(home, ".config");
    return below(root, ...names);
  };

const below = (root: string | undefined, ...names: readonly string[]) => (root ? join(root, ...names) : undefined);

/** The clients by the names that are typed. */
export const MCP_CLIENTS: Readonly<Record<string, McpClient>> = {
  claude: {
    title: "Claude Code",
    userFile: inFolderOf("CLAUDE_CONFIG_DIR", [], ".claude.json"),
    projectFile: ".mcp.json",
    format: "json",
    container: "mcpServers",
    hasType: true,
  },
  "claude-desktop": {
    title: "Claude Desktop",
    userFile: inApplicationData("Claude", "claude_desktop_config.json"),
    format: "json",
    container: "mcpServers",
    lacksPath: true,
  },
  cursor: {
    title: "Cursor",
    userFile: inHome(".cursor", "mcp.json"),
    projectFile: join(".cursor", "mcp.json"),
    format: "json",
    container: "mcpServers",
  },
  vscode: {
    title: "VS Code",
    userFile: inApplicationData("Code", "User", "mcp.json"),
    projectFile: join(".vscode", "mcp.json"),
    format: "json",
    container: "servers",
    hasType: true,
  },
  codex: {
    title: "Codex",
    userFile: inFolderOf("CODEX_HOME", [".codex"], "config.toml"),
    projectFile: join(".codex", "config.toml"),
    format: "toml",
    container: "mcp_servers",
  },
  gemini: {
    title: "Gemini CLI",
    userFile: inHome(".gemini", "settings.json"),
    projectFile: join(".gemini", "settings.json"),
    format: "json",
    container: "mcpServers",
  },
};
