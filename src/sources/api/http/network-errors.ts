/** Failures below HTTP: a message and a remedy for each. */
import {
  type Hints,
  InterruptedError,
  NetworkError,
  ServerError,
  type SolxError,
  tellAll,
} from "../../../base/index.ts";
import { truncatedError } from "../../../client/index.ts";

/** Maximum durations of the phases of an exchange, in seconds. First byte and idle are accurate to about one second. */
export interface Timeouts {
  /** Resolving the host name and connecting to it, TLS included. */
  readonly connect: number;
  /** From the request to the first line of the response. */
  readonly firstByte: number;
  /** Between two pieces of the response. */
  readonly idle: number;
  /** The complete exchange. */
  readonly total: number;
}

/** The state of an exchange when it failed. */
export interface ExchangeState {
  readonly url: URL;
  readonly timeouts: Timeouts;
  /** Whether the head of the response had arrived. */
  readonly answered: boolean;
  /** The proxy, as messages display it. */
  readonly proxy: string | undefined;
}

/** Codes of failures that a retry may avoid. */
export const TRANSIENT_CODES: ReadonlySet<number | string> = new Set([
  "RESET",
  "CONNECT_TIMEOUT",
  "FIRST_BYTE_TIMEOUT",
  "TRUNCATED",
]);

interface ErrorTemplate {
  readonly code: string;
  readonly text: (at: ExchangeState) => string;
  readonly hint?: string | Hints;
  /** Whether the server answered, but not with what can be read. */
  readonly isAnswer?: true;
}

const hostName = ({ url, proxy }: ExchangeState) => (proxy === undefined ? url.host : `the proxy ${proxy}`);
const capitalizedHost = (at: ExchangeState) => hostName(at).replace(/^the /, "The ");

const CLOCK = "Check the clock of this machine. If it is right, the server has to renew its certificate.";
const CA = tellAll(
  {
    command: "solx config set ca-cert <file>",
    program: "createClient({ caCert })",
    tool: "the user sets it in a terminal: solx config set ca-cert <file>",
  },
  (way) => `If you trust it, pass the certificate of its authority: ${way}`,
);
/** How each reader allows an exchange more time. */
const MORE_TIME = {
  command: "--timeout <seconds>",
  program: "the option timeouts of createClient, or timeout of the call.",
  tool: "the user raises timeout for this server.",
} as const;

const DNS: ErrorTemplate = {
  code: "DNS",
  text: (at) => `Cannot find the host ${at.proxy === undefined ? at.url.hostname : `of the proxy ${at.proxy}`}.`,
  hint: "Check the spelling of the address, and that this machine is online.",
};
const NETWORK_HINT = "Check the network, VPN and firewall. Behind a proxy, set HTTPS_PROXY.";
const UNREACHABLE: ErrorTemplate = {
  code: "UNREACHABLE",
  text: (at) => `${capitalizedHost(at)} cannot be reached from this network.`,
  hint: NETWORK_HINT,
};
const RESET: ErrorTemplate = {
  code: "RESET",
  text: (at) => `${capitalizedHost(at)} closed the connection without a response.`,
  hint: "Try again. If it persists, a firewall or proxy may be closing the connection.",
};
const SELF_SIGNED: ErrorTemplate = {
  code: "TLS_UNTRUSTED",
  text: (at) => `The TLS certificate of ${at.url.host} is self-signed.`,
  hint: CA,
};
const UNTRUSTED: ErrorTemplate = {
  code: "TLS_UNTRUSTED",
  text: (at) => `The TLS certificate of ${at.url.host} was issued by an authority that this machine does not trust.`,
  hint: CA,
};
const NOT_TLS: ErrorTemplate = {
  code: "TLS",
  text: (at) => `The TLS handshake with ${at.url.host} failed.`,
  hint: "Check that the port speaks HTTPS.",
};
const CONNECT_TIMEOUT: ErrorTemplate = {
  code: "CONNECT_TIMEOUT",
  text: (at) => `${capitalizedHost(at)} did not accept a connection within ${at.timeouts.connect} s.`,
  hint: NETWORK_HINT,
};
const FIRST_BYTE: ErrorTemplate = {
  code: "FIRST_BYTE_TIMEOUT",
  text: (at) => `${at.url.host} accepted the request but did not begin to respond within ${at.timeouts.firstByte} s.`,
  hint: "The server may be busy: try again later, or request less.",
};
const IDLE: ErrorTemplate = {
  code: "IDLE_TIMEOUT",
  text: (at) => `${at.url.host} stopped responding: nothing arrived for ${at.timeouts.idle} s.`,
  hint: "Try again, or request less at once.",
};
const NOT_HTTP: ErrorTemplate = {
  code: "PROTOCOL",
  text: (at) => `${capitalizedHost(at)} does not speak HTTP.`,
  hint: "Check the address and the port.",
};

/** Messages by the code of the underlying failure. */
const TEMPLATES: Readonly<Record<string, ErrorTemplate>> = {
  ENOTFOUND: DNS,
  EAI_AGAIN: {
    ...DNS,
    text: (at) =>
      `The name server has no answer for ${at.proxy === undefined ? at.url.hostname : `the proxy ${at.proxy}`} at the moment.`,
  },
  ECONNREFUSED: {
    code: "REFUSED",
    text: (at) => `${capitalizedHost(at)} refuses connections.`,
    hint: "Check that the server is running and that the port is right.",
  },
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENETDOWN: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  ECONNRESET: RESET,
  EPIPE: RESET,
  UND_ERR_SOCKET: RESET,
  UND_ERR_PRX_CONN: RESET,
  ETIMEDOUT: CONNECT_TIMEOUT,
  UND_ERR_CONNECT_TIMEOUT: CONNECT_TIMEOUT,
  UND_ERR_HEADERS_TIMEOUT: FIRST_BYTE,
  UND_ERR_BODY_TIMEOUT: IDLE,
  CERT_HAS_EXPIRED: {
    code: "TLS_EXPIRED",
    text: (at) => `The TLS certificate of ${at.url.host} has expired.`,
    hint: CLOCK,
  },
  CERT_NOT_YET_VALID: {
    code: "TLS_EXPIRED",
    text: (at) => `The TLS certificate of ${at.url.host} is not valid yet.`,
    hint: CLOCK,
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: {
    code: "TLS_NAME",
    text: (at) => `The TLS certificate of ${at.url.host} is for another host.`,
    hint: "Check the address. A sign-in page or a filter of this network may be answering instead.",
  },
  EPROTO: NOT_TLS,
  UND_ERR_HEADERS_OVERFLOW: {
    code: "HEADERS_TOO_LARGE",
    text: (at) => `The headers of the response of ${at.url.host} are larger than 16 KiB.`,
    hint: "A proxy or a filter may add them: try again later, or from another network.",
    isAnswer: true,
  },
  UND_ERR_HTTP_PARSER: NOT_HTTP,
  // The HTTP library asserts that an upgrade of the protocol was requested.
  ERR_ASSERTION: NOT_HTTP,
};

/** Returns the SolxError of a failed exchange. */
export function toNetworkError(cause: unknown, at: ExchangeState): SolxError {
  if (isClientClosed(cause)) return new InterruptedError();
  const tunnel = /Proxy response \((\d+)\)|Proxy Authentication Required \((407)\)/.exec(messageOf(cause));
  if (tunnel) return proxyError(tunnel[1] ?? tunnel[2] ?? "", at, cause);
  const code = codeOf(cause);
  if (at.answered && code !== "UND_ERR_BODY_TIMEOUT") return truncatedError(at.url, cause);
  const template = TEMPLATES[code] ?? (/^(HPE_|ERR_SSL_|ERR_TLS_)/.test(code) ? templateOfFamily(code) : undefined);
  if (!template) {
    return new NetworkError(`The request to ${at.url.host} failed: ${messageOf(cause)}.`, {
      code: code || "NETWORK",
      cause,
    });
  }
  const { code: name, text, hint, isAnswer } = template;
  return new (isAnswer ? ServerError : NetworkError)(text(at), { code: name, cause, hint });
}

function templateOfFamily(code: string): ErrorTemplate {
  return code.startsWith("HPE_") ? NOT_HTTP : NOT_TLS;
}

/**
 * Returns the error for an exchange that exceeded the total timeout.
 * @param hasBegun whether the response had begun
 */
export function totalTimeoutError(url: URL, seconds: number, hasBegun = true): NetworkError {
  const missing = hasBegun ? "complete its response" : "begin to respond";
  return new NetworkError(`${url.host} did not ${missing} within ${seconds} s.`, {
    code: "TIMEOUT",
    hint: tellAll(MORE_TIME, (way) => `Request less at once, or allow more time: ${way}`),
  });
}

function proxyError(status: string, { proxy = "", url }: ExchangeState, cause: unknown): NetworkError {
  if (status === "407") {
    return new NetworkError(`The proxy ${proxy} requires a user name and a password (407).`, {
      code: "PROXY_AUTH",
      retryable: false,
      hint: "Add them to the variable: HTTPS_PROXY=http://user:password@host:port",
      cause,
    });
  }
  return new NetworkError(`The proxy ${proxy} refused to connect to ${url.host} (${status}).`, {
    code: "PROXY",
    hint: "Check that the proxy allows this host, or add the host to NO_PROXY.",
    cause,
  });
}

function isClientClosed(cause: unknown): boolean {
  return cause instanceof Error && ["ClientDestroyedError", "ClientClosedError"].includes(cause.name);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
}

/** Returns the code of a failure; where several addresses were tried, that of the first. */
function codeOf(cause: unknown): string {
  const { code, errors } = (cause ?? {}) as { readonly code?: unknown; readonly errors?: readonly unknown[] };
  if (typeof code === "string") return code;
  if (cause instanceof Error && cause.name === "HTTPParserError") return "UND_ERR_HTTP_PARSER";
  return errors?.[0] === undefined ? "" : codeOf(errors[0]);
}
