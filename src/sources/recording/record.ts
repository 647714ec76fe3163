/**
 * Records what a transport exchanges, without what must not leave the machine: the key in every form in which it may be
 * repeated, keys of the same syntax, e-mail addresses, data of the account, and headers that are not needed to answer. A
 * recording that cannot be written fails no request.
 */
import { Buffer } from "node:buffer";
import {
  describeError,
  InterruptedError,
  isArray,
  isNumeric,
  isObject,
  type Json,
  SolxError,
  stringifyJson,
  tryParseJson,
} from "../../base/index.ts";
import { KEY_MASK, loadEntities, maskSecret } from "../../catalogue/index.ts";
import type { SharedSettings } from "../../client/index.ts";
import { decodeBody, MASK, maskKey, type ProxyEnv, type Transport } from "../api/index.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import { openRecordingWriter, type Recording } from "./recording.ts";
import { type RecordedTarget, sentRequest } from "./replayer.ts";
import { endpointOfPath, normaliseRequest, type SentRequest } from "./request.ts";

/** Where exchanges are recorded. */
export interface RecordOptions {
  /** The folder; it is created if necessary. */
  readonly folder: string;
  /**
   * A secret that replaces addresses and signatures by others of the same kind: the same ones with the same secret.
   * Well-known programs and tokens stay. Without it, nothing is replaced.
   */
  readonly pseudonyms?: string | undefined;
  /** Whether only responses with a status from 200 to 299 are recorded (default: all exchanges). */
  readonly successesOnly?: boolean | undefined;
}

interface RecordSettings extends Pick<SharedSettings, "now" | "onEvent"> {
  readonly target: RecordedTarget;
  readonly key: string | undefined;
  readonly env: ProxyEnv;
  /** Masks the other secrets of what answers. */
  readonly mask: (text: string) => string;
}

/** Returns a transport that records the exchanges of another one. @throws UsageError when the folder cannot be used */
export async function createRecordingTransport(
  transport: Transport,
  settings: RecordSettings,
  { folder, pseudonyms, successesOnly = false }: RecordOptions,
): Promise<Transport> {
  const writer = openRecordingWriter(folder);
  const options: ScrubOptions = {
    mask: createMask(settings),
    ...(pseudonyms !== undefined && { pseudonyms: (await import("./pseudonyms.ts")).createPseudonyms(pseudonyms) }),
  };
  let isReported = false;
  const record = async (exchange: Omit<RawRecording, "time">) => {
    const { status = 0 } = exchange.response ?? {};
    if (successesOnly && (status < 200 || status > 299)) return;
    try {
      await writer.write(await scrubRecording({ time: settings.now(), ...exchange }, options));
    } catch (error) {
      if (!isReported) settings.onEvent({ type: "warning", text: `Recording failed: ${describeError(error)}.` });
      isReported = true;
    }
  };
  return {
    async send(request, timeout) {
      const sent = sentRequest(request, settings.target);
      // Bytes that are no text would otherwise be lost.
      const sending = transport.send({ ...request, raw: true }, timeout).catch(async (error: unknown) => {
        if (!(error instanceof SolxError) || error instanceof InterruptedError) throw error;
        const { exit, code, message, retryable } = error;
        await record({ request: sent, failure: { exit, code, message, retryable } });
        throw error;
      });
      const { bytes: received, ...response } = await sending;
      const { status, headers, body } = response;
      const bytes = Buffer.from(received ?? body);
      await record({ request: sent, response: { status, headers, body: bytes } });
      return { ...response, ...decodeBody(bytes, response, request.raw) };
    },
    close: () => transport.close(),
  };
}

/** Returns a function that masks the key, those of the node and the passwords of proxies. */
function createMask({ key, env, mask }: RecordSettings): (text: string) => string {
  const secrets = [key, ...proxyPasswords(env)].filter((secret) => secret !== undefined && secret !== "") as string[];
  const whole = new Set(secrets);
  return (text) => {
    if (whole.has(text)) return MASK;
    return mask(secrets.reduce((plain, secret) => maskSecret(maskKey(plain, secret), secret), text));
  };
}

function proxyPasswords(env: ProxyEnv): readonly string[] {
  const names = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return names.flatMap((name) => {
    const { password = "" } = URL.parse(env[name] ?? "") ?? {};
    return [password, decode(password)];
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that is meant literally.
    return text;
  }
}

interface ScrubOptions {
  readonly mask: (text: string) => string;
  readonly pseudonyms?: Pseudonyms | undefined;
}

/** The headers of responses that are recorded: those that clients act upon. Any other one may identify someone. */
const HEADERS: ReadonlySet<string> = new Set([
  "content-type",
  "content-disposition",
  "date",
  "retry-after",
  "allow",
  "cache-control",
  "x-solx-hint",
  "x-solx-coverage",
]);
/** Headers about limits, whatever their exact names. */
const LIMIT_HEADER = /^(x-)?rate-?limit(-[a-z-]{1,40})?$/;

const EMAIL = "user@example.com";
const EMAIL_ADDRESS = /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}\.[A-Za-z]{2,24}/g;
/** A field with an e-mail address, also where that is not a complete one. */
const EMAIL_FIELD = /("[^"\\]{0,40}e[-_]?mail[^"\\]{0,40}"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;
/** A JSON Web Token, which is the form of the API's keys. */
const WEB_TOKEN = /eyJ[\w-]{8,}\.eyJ[\w-]{4,}\.[\w-]+/g;

interface RawRecording extends Omit<Recording, "request"> {
  readonly request: SentRequest;
}

/** Returns a recording without secrets; requests are normalised. */
async function scrubRecording(recording: RawRecording, options: ScrubOptions): Promise<Recording> {
  const { time, request, response, failure } = recording;
  const scrub = (text: string) => scrubText(text, options);
  const values = [...request.query].map(([, value]) => value);
  options.pseudonyms?.learn([request.path, ...values, request.body ?? "", response?.body.toString("latin1") ?? ""]);
  const path = scrub(request.path);
  const query = [...request.query].map(([name, value]) => [scrub(name), scrub(value)] as const);
  const normalised = normaliseRequest({
    method: request.method,
    path,
    query,
    ...(request.body !== undefined && { body: scrub(request.body) }),
  });
  if (!response) {
    return { time, request: normalised, ...(failure && { failure: { ...failure, message: scrub(failure.message) } }) };
  }
  const body = await scrubBody(response.body, request.path, scrub);
  return {
    time,
    request: normalised,
    response: { status: response.status, headers: scrubHeaders(response.headers, body, scrub), body },
  };
}

function scrubText(text: string, { mask, pseudonyms }: ScrubOptions): string {
  let plain = mask(text);
  if (plain.includes("eyJ")) plain = plain.replace(WEB_TOKEN, KEY_MASK);
  if (plain.includes("@")) plain = plain.replace(EMAIL_ADDRESS, EMAIL);
  plain = plain.replace(EMAIL_FIELD, (_, name: string) => `${name}"${EMAIL}"`);
  return pseudonyms?.replace(plain) ?? plain;
}

function scrubHeaders(
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  scrub: (text: string) => string,
): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).flatMap(([written, value]) => {
    const name = written.toLowerCase();
    return HEADERS.has(name) || LIMIT_HEADER.test(name) ? [[name, scrub(value)] as const] : [];
  });
  return Object.fromEntries([...entries, ["content-length", String(body.length)]]);
}

async function scrubBody(bytes: Buffer, path: string, scrub: (text: string) => string): Promise<Buffer> {
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) {
    // One character per byte: what is not text may contain a key, too.
    return Buffer.from(scrub(bytes.toString("latin1")), "latin1");
  }
  const scrubbed = scrub(text);
  const endpoint = endpointOfPath(path);
  if (endpoint?.group !== "monitor") return scrubbed === text ? bytes : Buffer.from(scrubbed);
  const entities = await loadEntities();
  const { shape } = entities[endpoint.returns.entity] as unknown as { readonly shape: object };
  return Buffer.from(scrubAccount(scrubbed, new Set(Object.keys(shape))));
}

/** Replaces the values of undocumented fields in an answer about the key: they may identify the account. */
function scrubAccount(text: string, documented: ReadonlySet<string>): string {
  const value = tryParseJson(text);
  if (!isObject(value) || !isObject(value.data)) return text;
  const members = Object.entries(value.data).map(([name, inner]) => [
    name,
    documented.has(name) ? inner : withoutValues(inner),
  ]);
  return stringifyJson({ ...value, data: Object.fromEntries(members) });
}

function withoutValues(value: Json): Json {
  if (typeof value === "string") return KEY_MASK;
  if (isNumeric(value)) return 0;
  if (isArray(value)) return value.map(withoutValues);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutValues(inner)]));
}
