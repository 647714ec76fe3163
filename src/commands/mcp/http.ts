/** `solx mcp --http`: the server over Streamable HTTP, for clients on this machine that have its token. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServerFactory,
  OAuthError,
  OAuthErrorCode,
  originValidationResponse,
  requireBearerAuth,
} from "@modelcontextprotocol/server";
import { sha256, UsageError } from "../../base/index.ts";
import { startFetchServer } from "../../sandbox/index.ts";
import { PORTS, parseNumberOption } from "../number-option.ts";
import type { RunContext } from "../run/context.ts";

const PATH = "/mcp";

const DEFAULT_PORT = 8788;

/** The variable of the token; one is generated for each start without it. */
const TOKEN_VARIABLE = "SOLX_MCP_TOKEN";

const TOKEN_PATTERN = /^[\w.~+/-]{16,200}=*$/;

/** Options of {@link serveHttp}. */
export interface HttpOptions {
  readonly createServer: McpServerFactory;
  readonly onError: (error: Error) => void;
  /** The option `--port` as typed. */
  readonly port: string | undefined;
}

/** Serves until the program is stopped, a normal end. Throws UsageError for an invalid token or port. */
export async function serveHttp(context: RunContext, { createServer, onError, port }: HttpOptions): Promise<void> {
  const { signal } = context.io;
  const chosen = chosenToken(context);
  const token = chosen ?? randomBytes(32).toString("base64url");
  const handler = createMcpHandler(createServer, { onerror: onError });
  const authenticate = requireBearerAuth({ verifier: { verifyAccessToken: createVerifier(token) } });
  const answer = async (request: Request): Promise<Response> => {
    const rejected =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (rejected) return rejected;
    if (URL.parse(request.url)?.pathname !== PATH) return new Response("Not found\n", { status: 404 });
    const identity = await authenticate(request);
    return identity instanceof Response ? identity : handler.fetch(request, { authInfo: identity });
  };
  const server = await startFetchServer(answer, {
    port: port === undefined ? DEFAULT_PORT : parseNumberOption("--port", port, PORTS),
  });
  try {
    const url = server.url + PATH;
    await context.printer.printText(`${JSON.stringify(chosen === undefined ? { url, token } : { url })}\n`);
    await context.reporter.hint(
      `Clients send the header "Authorization: Bearer <token>". Press Ctrl-C to stop the server.`,
    );
    if (!signal.aborted) await once(signal, "abort");
  } finally {
    await handler.close();
    await server.close();
  }
  context.outcome.runsUntilStopped = true;
}

function chosenToken({ io }: RunContext): string | undefined {
  const token = io.env[TOKEN_VARIABLE]?.trim();
  if (token === undefined || token === "") return undefined;
  if (TOKEN_PATTERN.test(token)) return token;
  throw new UsageError(`invalid value of ${TOKEN_VARIABLE}: expected 16 to 200 letters, digits or -._~+/`, {
    hint: "To generate a token: openssl rand -hex 32",
  });
}

/** Returns the check of tokens. Hashes have the same length, so that comparisons take the same time. */
function createVerifier(token: string) {
  const hash = (text: string) => Buffer.from(sha256(text));
  const expected = hash(token);
  return async (candidate: string) => {
    if (!timingSafeEqual(hash(candidate), expected)) {
      throw new OAuthError(OAuthErrorCode.InvalidToken, "invalid token: see the output of solx mcp --http");
    }
    return { token: candidate, clientId: "solx", scopes: [], expiresAt: Number.MAX_SAFE_INTEGER };
  };
}
