/** The server of Yellowstone gRPC that `--grpc` names: its address, its token, and the way to it. */
import { UsageError } from "../../base/index.ts";
import { type BlockCommitment, type BlockStream, loadBlockStream } from "../../chain/indexer/index.ts";
import { type KeyOwner, loadSecret, type Settings } from "../../config/index.ts";
import { displayProxy, resolveProxy } from "../../sources/api/index.ts";
import { readCertificates } from "../run/client-options.ts";
import type { RunContext } from "../run/context.ts";

/** The environment variable of the token. */
const TOKEN_VARIABLE = "SOLX_GRPC_TOKEN";
const HINT = `Set ${TOKEN_VARIABLE}, or save the token: solx auth login --grpc https://host`;

/** Returns the address of a server. @throws UsageError for one with a secret: others see the arguments of a command */
export function parseGrpcAddress(text: string): URL {
  const url = URL.parse(text.trim());
  if (!url || !["https:", "http:"].includes(url.protocol))
    throw new UsageError("invalid address of a gRPC server: it does not begin with https:// or http://", {
      hint: "Expected https://host:443, or http://host:10000 without TLS.",
    });
  if (url.username + url.password + url.search + url.hash !== "" || url.pathname !== "/")
    throw new UsageError("the address of a gRPC server must have a host and a port only, and no token", {
      code: "TOKEN_IN_ADDRESS",
      hint: HINT,
    });
  return url;
}

/** Returns whom the token of a server is saved for. */
export const tokenOwner = ({ owner }: Settings, url: URL): KeyOwner => ({ ...owner, profile: `grpc@${hostOf(url)}` });

const hostOf = ({ protocol, hostname, port }: URL): string =>
  `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;

/**
 * Subscribes to the blocks of a server, if one is named.
 * @throws UsageError for an address or a proxy that cannot be used, AuthError for a token that is not accepted
 */
export async function openGrpc(
  { io }: RunContext,
  settings: Settings,
  text: string | undefined,
  options: { readonly commitment: BlockCommitment; readonly onNote: (text: string) => void },
): Promise<BlockStream | undefined> {
  if (text === undefined) return undefined;
  const url = parseGrpcAddress(text);
  const [{ openBlockStream }, token] = await Promise.all([loadBlockStream(), readToken(settings, url, io.signal)]);
  return openBlockStream(await describeServer(settings, url, token, HINT), options);
}

/** @throws AuthError for a token that the server does not accept, NetworkError when it cannot say so */
export async function checkGrpcToken(settings: Settings, url: URL, token: string, signal: AbortSignal): Promise<void> {
  const { checkStreamToken } = await loadBlockStream();
  const hint = "Nothing was saved. To save a token that is not checked, add --no-check.";
  return checkStreamToken(await describeServer(settings, url, token, hint), signal);
}

async function describeServer(settings: Settings, url: URL, token: string | undefined, hint: string) {
  const [name, isSecure] = [hostOf(url), url.protocol === "https:"];
  const certificates = isSecure ? await trustedCertificates(settings) : undefined;
  const server = { name, target: `dns:${name}`, isSecure, certificates, token, hint };
  return { ...server, ...proxyOptions(url, resolveProxy(url, settings.env)) };
}

/** Returns the token of a server: that of the environment, or the saved one. */
async function readToken(settings: Settings, url: URL, signal: AbortSignal): Promise<string | undefined> {
  const typed = settings.env[TOKEN_VARIABLE];
  if (typed) return typed;
  const found = await loadSecret(tokenOwner(settings, url), signal, {
    name: `The token of ${hostOf(url)}`,
    hint: `Unlock the keychain and retry, or: ${HINT}`,
  });
  return found?.value;
}

async function trustedCertificates(settings: Settings): Promise<string | undefined> {
  const own = await readCertificates(settings);
  if (own === undefined) return undefined;
  const { getCACertificates } = await import("node:tls");
  return [...getCACertificates("default"), own].join("\n");
}

/** Returns the way over a proxy, to which the library opens tunnels without TLS only. */
function proxyOptions(url: URL, proxy: URL | undefined) {
  if (!proxy) return {};
  if (proxy.protocol !== "http:")
    throw new UsageError(`--grpc cannot use the proxy ${displayProxy(proxy)}: only proxies with http://`, {
      code: "BAD_PROXY",
      hint: `Exclude the server: NO_PROXY=${url.hostname}`,
    });
  const credentials = [proxy.username, proxy.password].map(decodeURIComponent).join(":");
  return {
    target: `dns:${proxy.hostname}:${proxy.port || "80"}`,
    channel: {
      "grpc.http_connect_target": `dns:${hostOf(url)}`,
      "grpc.default_authority": hostOf(url),
      ...(proxy.username !== "" && { "grpc.http_connect_creds": credentials }),
    },
  };
}
