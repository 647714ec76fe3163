/** Errors of transactions, as Solana nodes give them, in words. */
import { isArray, isObject, type Json } from "../../../base/json.ts";
import { safeText } from "../../../output/text/safe.ts";

/**
 * Why a transaction failed: `{"InstructionError":[1,{"Custom":6001}]}` is `instruction 2: its own error 6001`.
 * Undefined for what is no such error.
 */
export function failureWords(error: Json | undefined): string | undefined {
  if (typeof error === "string") return error === "" ? undefined : plainWords(error);
  if (!isObject(error)) return undefined;
  const [[name, detail] = ["", null], ...others] = Object.entries(error);
  if (name === "" || others.length > 0) return undefined;
  if (name !== "InstructionError") return plainWords(name);
  const [index, reason] = isArray(detail) ? detail : [];
  const why = reasonWords(reason);
  return why === undefined || !/^\d+$/.test(String(index)) ? undefined : `instruction ${Number(index) + 1}: ${why}`;
}

function reasonWords(reason: Json | undefined): string | undefined {
  if (!isObject(reason)) return typeof reason === "string" && reason !== "" ? plainWords(reason) : undefined;
  const code = reason.Custom;
  return code === undefined ? failureWords(reason) : `its own error ${safeText(String(code))}`;
}

/** `InsufficientFunds` is `insufficient funds`. */
function plainWords(name: string): string {
  return safeText(name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase());
}
