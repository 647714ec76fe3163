/** What is done with events: programs, webhooks, messages, files. */
import { createHmac } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { dirname } from "node:path";
import spawn from "cross-spawn";
import {
  IncompleteError,
  isObject,
  type Json,
  splitCommand,
  stringifyJson,
  UsageError,
  unwritableError,
} from "../../base/index.ts";
import type { Shape } from "../../catalogue/index.ts";
import { retryAfterSeconds } from "../../client/index.ts";
import { openTransport, type Transport } from "../../sources/api/index.ts";
import { CONNECT_SECONDS, readCertificates } from "../run/client-options.ts";
import type { Io, RunContext } from "../run/context.ts";
import { endOf, failureText } from "../run/programs.ts";
import { type Action, REFUSED } from "./deliverer.ts";
import type { ActionDefinition } from "./rules-file.ts";
import { compileTemplate, type Template, type WatchEvent } from "./template.ts";

/** Where an action belongs. */
export interface ActionPlace {
  readonly context: RunContext;
  readonly name: string;
  /** The shape of the events. */
  readonly shape: Shape;
}

/**
 * Opens an action.
 * @throws SolxError for a command, a URL or a placeholder that is invalid, and for a file that cannot be written
 */
export function openAction(definition: ActionDefinition, place: ActionPlace): Action {
  const { name, shape, context } = place;
  const template = (text: string) => compileTemplate(text, shape);
  const action = (deliver: (event: WatchEvent, signal: AbortSignal) => Promise<void>): Action => ({
    name,
    deliver: (event, signal) => deliver(event as WatchEvent, signal),
  });
  if ("exec" in definition) {
    const [program = "", ...words] = splitCommand(definition.exec);
    if (program === "" || program.includes("{")) {
      throw new UsageError(`invalid command: ${definition.exec || "it is empty"}`, {
        hint: "Expected a program and its arguments, such as: notify-send {signature}",
      });
    }
    const args = words.map(template);
    return action((event, signal) => execute(program, args, event, { stderr: context.io.stderr, signal }));
  }
  if ("file" in definition) {
    checkFile(definition.file);
    return action((event) => appendFile(definition.file, `${stringifyJson(event)}\n`));
  }
  if ("print" in definition) return action((event) => context.printer.printText(`${stringifyJson(event)}\n`));
  if ("notify" in definition) {
    const text = template(definition.notify === true ? defaultText(shape) : definition.notify);
    return action(async (event) => notify(context, text(event)));
  }
  const webhook = webhookOf(definition, template, defaultText(shape), context);
  // A retraction has the key of its event, and is no repetition of it.
  const keyOf = ({ key, event }: WatchEvent) =>
    isObject(event) && event.retracted === true ? `${key}-retracted` : key;
  const message = (event: WatchEvent) => ({ key: keyOf(event), body: stringifyJson(webhook.body(event)) });
  return action((event, signal) => post(context, webhook, message(event), signal));
}

/** @throws SolxError when nothing can be appended to a file */
function checkFile(path: string): void {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    accessSync(stats ? path : dirname(path), constants.W_OK);
    if (!stats?.isDirectory()) return;
  } catch (error) {
    throw unwritableError(path, error);
  }
  throw unwritableError(path, { code: "EISDIR" });
}

/** The text of messages: the rule, the identifier and the first fields. */
const defaultText = ({ fields }: Shape): string =>
  ["{rule}:", "{input}", ...fields.slice(0, MESSAGE_FIELDS).map((field) => `${field}={${field}}`)].join(" ");

const MESSAGE_FIELDS = 8;
/** Seconds that a program, or the response of a receiver, may take. */
const SECONDS = 60;
/** Bytes of a response, which is not read otherwise. */
const MAX_RESPONSE = 1_048_576;

/** Runs a program with the row on its standard input. A value cannot become an option: it would start with a space. */
async function execute(
  program: string,
  templates: readonly Template[],
  event: WatchEvent,
  { stderr, signal }: Pick<Io, "stderr" | "signal">,
): Promise<void> {
  const args = templates.map((template) => {
    const text = template(event);
    const isOption = text.startsWith("-") && !template(NO_EVENT).startsWith("-") && !/^-[\d.]/.test(text);
    return isOption ? ` ${text}` : text;
  });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(SECONDS * 1000)]);
  // Its output goes to standard error: standard output has the rows. The explorer has a log there, which is no file.
  const output = (stderr as { readonly fd?: number }).fd ?? "pipe";
  const child = spawn(program, args, { stdio: ["pipe", output, output], signal: limit, windowsHide: true });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => stderr.write(chunk));
  // A program need not read its input.
  child.stdin?.on("error", () => {});
  child.stdin?.end(`${stringifyJson(event.event)}\n`);
  const result = await endOf(child, "exit");
  const problem = limit.aborted && !signal.aborted ? "took longer than a minute" : failureText(result);
  if (problem)
    throw new IncompleteError(`${program} ${problem}`, {
      code: "failed" in result && result.isPermanent ? REFUSED : "FAILED",
    });
}

const NO_EVENT: WatchEvent = { rule: "", input: "", key: "", event: {} };

/** Rings the bell, and shows a notification in terminals that can (OSC 9 and OSC 777). */
function notify({ io: { stdout, stderr } }: RunContext, text: string): void {
  // While the explorer has the screen, standard error is its log.
  const terminal = [stderr, stdout].find(({ isTTY }) => isTTY);
  terminal?.write(`\u0007\u001b]9;${text}\u0007\u001b]777;notify;solx;${text.replaceAll(";", ",")}\u0007`);
}

interface Webhook {
  readonly url: URL;
  readonly body: (event: WatchEvent) => Json;
  readonly secret?: string | undefined;
}

/** An action that sends a request. */
type WebhookDefinition = Exclude<
  ActionDefinition,
  { exec: string } | { file: string } | { print: true } | { notify: unknown }
>;

function webhookOf(
  definition: WebhookDefinition,
  template: (text: string) => Template,
  fallback: string,
  context: RunContext,
): Webhook {
  const url = (text: string) => parseTarget(expandVariables(text, context));
  if ("webhook" in definition) {
    const { webhook, secret } = definition;
    const key = secret === undefined ? context.io.env.SOLX_WEBHOOK_SECRET : expandVariables(secret, context);
    return { url: url(webhook), body: (event) => event, secret: key || undefined };
  }
  const text = template(definition.text ?? fallback);
  if ("slack" in definition)
    return { url: url(definition.slack), body: (event) => ({ text: escapeSlack(text(event)) }) };
  if ("discord" in definition) {
    // Names in a text must not notify anybody.
    const quiet = { allowed_mentions: { parse: [] } };
    return { url: url(definition.discord), body: (event) => ({ content: text(event).slice(0, 2000), ...quiet }) };
  }
  const chat_id = expandVariables(definition.chat, context);
  return { url: url(definition.telegram), body: (event) => ({ chat_id, text: text(event).slice(0, 4096) }) };
}

const escapeSlack = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Replaces `${NAME}` by environment variables, so that files need not contain secrets. */
const expandVariables = (text: string, { io: { env } }: RunContext): string =>
  text.replace(/\$\{(\w+)\}/g, (_, name: string) => env[name]?.trim() ?? "");

function parseTarget(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new UsageError(`invalid URL of a webhook: ${text || "it is empty"}`, { hint: "Expected https://host/path" });
}

/** The transport of a run's webhooks. */
const transports = new WeakMap<RunContext, Promise<Transport>>();

async function openWebhooks({ io, session }: RunContext): Promise<Transport> {
  const caCert = await readCertificates(await session.settings());
  const timeouts = { connect: CONNECT_SECONDS, firstByte: SECONDS, idle: SECONDS, total: SECONDS };
  const transport = await openTransport({ env: io.env, caCert, timeouts, maxBody: MAX_RESPONSE });
  session.onClose(() => transport.close());
  return transport;
}

/**
 * Sends a webhook. With a secret, `solx-signature` has the time and the HMAC of `<time>.<body>`.
 * @throws an error for everything but success, with the code {@link REFUSED} where the receiver refuses the request itself
 */
async function post(
  context: RunContext,
  { url, secret }: Webhook,
  { key, body }: { readonly key: string; readonly body: string },
  signal: AbortSignal,
): Promise<void> {
  const opened = transports.get(context) ?? openWebhooks(context);
  transports.set(context, opened);
  const transport = await opened;
  const time = Math.floor(Date.now() / 1000);
  const hmac = secret && createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  const { status, headers } = await transport.send({
    ...{ url, method: "POST", body, signal },
    headers: {
      ...{ "content-type": "application/json", "user-agent": `solx/${context.io.version}`, "idempotency-key": key },
      ...(hmac && { "solx-signature": `t=${time},v1=${hmac}` }),
    },
  });
  if (status >= 200 && status < 300) return;
  const mayRecover = status >= 500 || [408, 409, 425, 429].includes(status);
  throw new IncompleteError(`${url.host} responded with ${status}`, {
    code: mayRecover ? "FAILED" : REFUSED,
    retryAfter: retryAfterSeconds(headers, Date.now()),
  });
}
