/** Failures below HTTP, each in a sentence of its own with a remedy. */
import { InterruptedError, NetworkError, ServerError, type SolxError } from "../../base/index.ts";

/**
 * The longest times that the phases of an exchange may take, in seconds. First byte and idle are kept to within about a
 * second.
 */
export interface Timeouts {
  /** Finding the host and connecting to it, TLS included. */
  readonly connect: number;
  /** From the request to the first line of the answer. */
  readonly firstByte: number;
  /** Between two pieces of the answer. */
  readonly idle: number;
  /** The whole exchange. */
  readonly total: number;
}

/** Where an exchange was when it failed. */
export interface ExchangeState {
  readonly url: URL;
  readonly timeouts: Timeouts;
  /** Whether the head of the answer had come. */
  readonly answered: boolean;
  /** The proxy in between, as messages show it. */
  readonly proxy: string | undefined;
}

/** Codes of failures that the same request may not meet again a moment later. */
export const TRANSIENT_CODES: ReadonlySet<number | string> = new Set([
  "RESET",
  "CONNECT_TIMEOUT",
  "FIRST_BYTE_TIMEOUT",
  "TRUNCATED",
]);

interface ErrorTemplate {
  readonly code: string;
  readonly text: (at: ExchangeState) => string;
  readonly hint?: string;
}

const hostName = ({ url, proxy }: ExchangeState) => (proxy === undefined ? url.host : `the proxy ${proxy}`);
const capitalizedHost = (at: ExchangeState) => hostName(at).replace(/^the /, "The ");

const CLOCK = "Check the date of this machine; if it is right, the server has to renew its certificate.";
const CA = "If you trust it, give the certificate of its authority: --ca-cert <file>";

const DNS: ErrorTemplate = {
  code: "DNS",
  text: (at) => `Cannot find the host ${at.proxy === undefined ? at.url.hostname : `of the proxy ${at.proxy}`}.`,
  hint: "Check the spelling of the address, and that this machine is online.",
};
const NETWORK_HINT = "Check the network, VPN and firewall; behind a proxy, set HTTPS_PROXY.";
const UNREACHABLE: ErrorTemplate = {
  code: "UNREACHABLE",
  text: (at) => `${capitalizedHost(at)} cannot be reached from this network.`,
  hint: NETWORK_HINT,
};
const RESET: ErrorTemplate = {
  code: "RESET",
  text: (at) => `${capitalizedHost(at)} closed the connection without an answer.`,
  hint: "Try again; if it stays so, a firewall or proxy may be cutting the connection.",
};
const SELF_SIGNED: ErrorTemplate = {
  code: "TLS_UNTRUSTED",
  text: (at) => `The TLS certificate of ${at.url.host} is self-signed.`,
  hint: CA,
};
const UNTRUSTED: ErrorTemplate = {
  code: "TLS_UNTRUSTED",
  text: (at) => `The TLS certificate of ${at.url.host} is from an authority that this machine does not trust.`,
  hint: CA,
};
const NOT_TLS: ErrorTemplate = {
  code: "TLS",
  text: (at) => `${at.url.host} and this machine do not agree on TLS.`,
  hint: "Check that the port speaks HTTPS.",
};
const CONNECT_TIMEOUT: ErrorTemplate = {
  code: "CONNECT_TIMEOUT",
  text: (at) => `${capitalizedHost(at)} did not accept a connection within ${at.timeouts.connect} s.`,
  hint: NETWORK_HINT,
};
const FIRST_BYTE: ErrorTemplate = {
  code: "FIRST_BYTE_TIMEOUT",
  text: (at) => `${at.url.host} took the request but did not begin to answer within ${at.timeouts.firstByte} s.`,
  hint: "The server may be busy: try again later, or ask for less.",
};
const IDLE: ErrorTemplate = {
  code: "IDLE_TIMEOUT",
  text: (at) => `${at.url.host} went silent in the middle of its answer: nothing came for ${at.timeouts.idle} s.`,
  hint: "Try again, or ask for less at once.",
};
const NOT_HTTP: ErrorTemplate = {
  code: "PROTOCOL",
  text: (at) => `${capitalizedHost(at)} does not answer in HTTP.`,
  hint: "Check the address and the port.",
};

/** Sentences by the code of the failure underneath. */
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
    hint: "Check the address; a sign-in page or a filter of this network may be answering instead.",
  },
  EPROTO: NOT_TLS,
  UND_ERR_HEADERS_OVERFLOW: NOT_HTTP,
  UND_ERR_HTTP_PARSER: NOT_HTTP,
};

/** The typed error for a failed exchange. */
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
  const { hint } = template;
  return new NetworkError(template.text(at), { code: template.code, cause, ...(hint === undefined ? {} : { hint }) });
}

function templateOfFamily(code: string): ErrorTemplate {
  return code.startsWith("HPE_") ? NOT_HTTP : NOT_TLS;
}

/** The error for an answer that ends before its end. */
export function truncatedError(url: URL, cause?: unknown): ServerError {
  return new ServerError(`Incomplete response: the answer of ${url.host} broke off before its end.`, {
    code: "TRUNCATED",
    retryable: true,
    hint: "Try again, or ask for less at once.",
    cause,
  });
}

/** The error for an exchange that took longer than all of it may, whether its answer had begun or not. */
export function totalTimeoutError(url: URL, seconds: number, hasBegun = true): NetworkError {
  const missing = hasBegun ? "complete its answer" : "begin to answer";
  return new NetworkError(`${url.host} did not ${missing} within ${seconds} s.`, {
    code: "TIMEOUT",
    hint: "Ask for less at once, or allow more time: --timeout <seconds>",
  });
}

function proxyError(status: string, { proxy = "", url }: ExchangeState, cause: unknown): NetworkError {
  if (status === "407") {
    return new NetworkError(`The proxy ${proxy} asks for a user name and a password (407).`, {
      code: "PROXY_AUTH",
      retryable: false,
      hint: "Put them into the variable: HTTPS_PROXY=http://user:password@host:port",
      cause,
    });
  }
  return new NetworkError(`The proxy ${proxy} would not connect to ${url.host} (${status}).`, {
    code: "PROXY",
    hint: "Check that the proxy allows this host, or add the host to NO_PROXY.",
    cause,
  });
}

/** Whether the client was closed under the exchange. */
function isClientClosed(cause: unknown): boolean {
  return cause instanceof Error && ["ClientDestroyedError", "ClientClosedError"].includes(cause.name);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
}

/** The code of a failure; where several addresses were tried, that of the first. */
function codeOf(cause: unknown): string {
  const { code, errors } = (cause ?? {}) as { readonly code?: unknown; readonly errors?: readonly unknown[] };
  if (typeof code === "string") return code;
  if (cause instanceof Error && cause.name === "HTTPParserError") return "UND_ERR_HTTP_PARSER";
  return errors?.[0] === undefined ? "" : codeOf(errors[0]);
}
