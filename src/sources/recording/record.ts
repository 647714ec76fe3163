/** A transport that records what it exchanges, without secrets. A recording that cannot be written fails no request. */

import { Buffer } from "node:buffer";
import { describeError, InterruptedError, SolxError } from "../../base/index.ts";
import { maskSecret } from "../../catalogue/index.ts";
import type { SharedSettings } from "../../client/index.ts";
import { MASK, maskKey, type ProxyEnv, type Transport } from "../api/index.ts";
import { openRecordingWriter } from "./folder.ts";
import { type RecordedTarget, sentRequest } from "./replay.ts";
import { type RawRecording, type ScrubOptions, scrubRecording } from "./scrub.ts";

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

/** What a recording depends on. */
export interface RecordSettings extends Pick<SharedSettings, "now" | "onEvent"> {
  readonly target: RecordedTarget;
  readonly key: string | undefined;
  /** Environment variables with the proxies, whose passwords are secrets. */
  readonly env: ProxyEnv;
  /** Masks the other secrets of what answers. */
  readonly mask: (text: string) => string;
}

/**
 * Returns a transport that records the exchanges of another one.
 * @throws UsageError when the folder cannot be used
 */
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
      try {
        // Bytes that are no text would otherwise be lost.
        const { bytes, ...response } = await transport.send({ ...request, raw: true }, timeout);
        const { status, headers, body } = response;
        await record({ request: sent, response: { status, headers, body: Buffer.from(bytes ?? body) } });
        return request.raw && bytes ? { ...response, bytes } : response;
      } catch (error) {
        if (!(error instanceof SolxError) || error instanceof InterruptedError) throw error;
        const { exit, code, message, retryable } = error;
        await record({ request: sent, failure: { exit, code, message, retryable } });
        throw error;
      }
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
