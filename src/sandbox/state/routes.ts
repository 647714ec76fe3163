/** The control endpoints: what tests and user interfaces can change and inspect over HTTP. */
import { isArray, isNumeric, isObject, type Json, numericText, UsageError } from "../../base/index.ts";
import type { ControlEndpoint } from "../service/app.ts";
import type { LimitOptions } from "../service/limits.ts";
import type { Service } from "../service/service.ts";
import type { AccountAmount, TransferRequest } from "./chain.ts";
import type { SandboxControls } from "./controls.ts";

/** What the endpoints control. */
export interface ControlTarget {
  readonly service: Pick<Service, "faults" | "log">;
  readonly controls: SandboxControls;
  /** Returns the description of the sandbox. */
  readonly info: () => object;
}

/** Returns the control endpoints of a sandbox. */
export function controlRoutes({ service: { faults, log }, controls, info }: ControlTarget): readonly ControlEndpoint[] {
  const setFaults = (texts: readonly string[]) => {
    faults.set(texts);
    return { faults: faults.list };
  };
  return [
    { method: "GET", path: "", answer: info },
    { method: "GET", path: "/requests", answer: () => ({ total: log.count, requests: log.list() }) },
    { method: "GET", path: "/faults", answer: () => ({ faults: faults.list }) },
    { method: "PUT", path: "/faults", answer: (body) => setFaults(readFaults(body)) },
    { method: "DELETE", path: "/faults", answer: () => setFaults([]) },
    { method: "GET", path: "/time", answer: controls.time },
    { method: "PUT", path: "/time", answer: (body) => changeTime(controls, body) },
    { method: "GET", path: "/usage", answer: controls.usage },
    {
      method: "PUT",
      path: "/usage",
      answer(body) {
        const { units } = readFields<{ units: number }>(body, { units: "number" }, '{"units": 1000}');
        controls.setUsage(units);
        return { units, ...controls.usage() };
      },
    },
    { method: "GET", path: "/plan", answer: controls.plan },
    { method: "PUT", path: "/plan", answer: (body) => controls.setPlan(readLimits(body)) },
    {
      method: "PUT",
      path: "/balance",
      answer: async (body) => {
        const balance = readFields<AccountAmount>(
          body,
          { address: "string", amount: "decimal", token: "string?" },
          '{"address": "…", "amount": "1.5"}',
        );
        return { ...balance, ...((await controls.setBalance(balance)) ?? { signature: null, slot: null, time: null }) };
      },
    },
    {
      method: "POST",
      path: "/transfers",
      answer: async (body) => {
        const transfer = readFields<TransferRequest>(
          body,
          { from: "string", to: "string", amount: "decimal", token: "string?" },
          '{"from": "…", "to": "…", "amount": "1.5"}',
        );
        return { ...transfer, ...(await controls.send(transfer)) };
      },
    },
  ];
}

async function changeTime(controls: SandboxControls, body: Json) {
  const { advance, now, frozen } = readFields<{ advance?: number; now?: number; frozen?: boolean }>(
    body,
    { advance: "number?", now: "number?", frozen: "boolean?" },
    '{"advance": 86400}, {"now": 1782864000} or {"frozen": true}',
  );
  if (now !== undefined) await controls.setTime(now);
  if (advance !== undefined) await controls.advanceTime(advance);
  if (frozen !== undefined) return frozen ? controls.freezeTime() : controls.resumeTime();
  return controls.time();
}

function readLimits(body: Json): LimitOptions {
  const { rate, ...limits } = readFields<LimitOptions & { rate?: Json }>(
    body,
    { plan: "string?", rate: "json?", units: "number?" },
    '{"plan": "lite"} or {"rate": {"requests": 200, "seconds": 10}, "units": 5000}',
  );
  if (rate === undefined) return limits;
  return {
    ...limits,
    rate: readFields(rate, { requests: "number", seconds: "number" }, '{"requests": 200, "seconds": 10}'),
  };
}

const readFaults = (value: Json): readonly string[] => {
  if (isArray(value) && value.every((text) => typeof text === "string")) return value as readonly string[];
  throw new UsageError('Expected a JSON array of faults, e.g. ["500:10%"].');
};

/** The types of members; those with `?` may be absent or null. A decimal is text or a number, whose digits count. */
type Member = "string" | "number" | "boolean" | "decimal" | "json";
type Members = Readonly<Record<string, Member | `${Member}?`>>;

const READERS: Readonly<Record<Member, (value: Json) => unknown>> = {
  string: (value) => (typeof value === "string" ? value : undefined),
  number: (value) => (typeof value === "number" ? value : undefined),
  boolean: (value) => (typeof value === "boolean" ? value : undefined),
  decimal: (value) => (isNumeric(value) ? numericText(value) : typeof value === "string" ? value : undefined),
  json: (value) => value,
};

/**
 * Returns the members of a JSON object.
 * @throws UsageError for other members and other types
 */
function readFields<T extends object>(body: Json, members: Members, example: string): T {
  const expected = () => new UsageError(`Expected an object such as ${example}.`);
  if (!isObject(body) || Object.keys(body).some((name) => !Object.hasOwn(members, name))) throw expected();
  const fields = Object.entries(members).flatMap(([name, type]) => {
    const input = body[name];
    if (input == null && type.endsWith("?")) return [];
    const value = input == null ? undefined : READERS[type.replace("?", "") as Member](input);
    if (value === undefined) throw expected();
    return [[name, value] as const];
  });
  return Object.fromEntries(fields) as T;
}
