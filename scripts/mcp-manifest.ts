/** The manifest of the MCP bundle. */
import { parseLimits, toolDefinitions } from "../src/commands/mcp/definitions.ts";

/** Fields of `package.json` that the manifest repeats. */
interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author: string;
  readonly license: string;
  readonly homepage: string;
  readonly bugs: string;
  readonly keywords: readonly string[];
  readonly repository: { readonly type: string; readonly url: string };
  readonly engines: { readonly node: string };
}

/** Returns the manifest: how an application starts the server, and the settings that it asks for. */
export function bundleManifest(manifest: PackageManifest): object {
  const { name, version, description, author, license, homepage, bugs, keywords, repository, engines } = manifest;
  return {
    manifest_version: "0.3",
    name,
    display_name: "solx: Solana explorer data",
    version,
    description,
    author: { name: author },
    repository: { type: repository.type, url: repository.url.replace(/^git\+/, "") },
    homepage,
    documentation: homepage,
    support: bugs,
    license,
    keywords,
    server: {
      type: "node",
      entry_point: "bin/solx.js",
      mcp_config: {
        command: "node",
        // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the application replaces these
        args: ["${__dirname}/bin/solx.js", "mcp"],
        env: { SOLX_API_KEY: "${user_config.api_key}", SOLX_SANDBOX: "${user_config.sandbox}" },
        // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the application replaces these
      },
    },
    tools: toolDefinitions(parseLimits({})).map((tool) => ({ name: tool.name, description: tool.description })),
    prompts_generated: true,
    compatibility: { platforms: ["darwin", "linux", "win32"], runtimes: { node: engines.node } },
    user_config: {
      api_key: {
        type: "string",
        title: "API key",
        description: "Key of the API. Leave it empty to use the key that solx auth login stored.",
        sensitive: true,
        required: false,
        default: "",
      },
      sandbox: {
        type: "boolean",
        title: "Sandbox",
        description: "Simulated data, without a key and without a network",
        required: false,
        default: false,
      },
    },
  };
}
