/** What is wrong with what is entered, by field and in the API's own words; and what human times mean. */

import { validationMessages } from "../../catalogue/api-errors.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import type { Param } from "../../catalogue/param.ts";
import { formatDate } from "../../output/values/time.ts";

import { checkValue, requestProblem, type ValueProblem } from "./check-value.ts";
import { type FormState, inputParams } from "./form-state.ts";
import { addressHint, ambiguousNameProblem, type FindAddresses, resolveNames } from "./named-addresses.ts";

/** The problems by the names of the fields; empty where the request may be sent. */
export type FormProblems = ReadonlyMap<string, ValueProblem>;

/**
 * Checks each field alone, so that every wrong one is told of, then the request as a whole.
 * @param fixed the parameters that the form does not offer
 * @param now milliseconds since the epoch
 * @param findAddresses knows the names that may stand for addresses
 */
export function checkForm(
  endpoint: Endpoint,
  state: FormState,
  fixed: ParameterValues,
  now: number,
  findAddresses: FindAddresses,
): FormProblems {
  const entered = resolveNames(state.fields, inputParams(state), findAddresses);
  const problems = new Map<string, ValueProblem>();
  for (const { name, param } of state.fields) {
    const value = entered[name];
    const problem =
      value === undefined
        ? missingProblem(name, param)
        : (ambiguousNameProblem(param, value, findAddresses) ??
          invalidProblem(name, param, value, { ...fixed, ...entered }, now));
    if (problem) problems.set(name, problem);
  }
  if (problems.size > 0) return problems;
  const requestIssue = requestProblem(endpoint, { ...fixed, ...entered }, now);
  if (requestIssue) problems.set(fieldNamed(requestIssue.message, state) ?? state.fields[0]?.name ?? "", requestIssue);
  return problems;
}

function missingProblem(name: string, { required, default: usual }: Param): ValueProblem | undefined {
  return required && usual === undefined ? { message: validationMessages.required(name), hint: undefined } : undefined;
}

function invalidProblem(
  name: string,
  param: Param,
  value: unknown,
  all: ParameterValues,
  now: number,
): ValueProblem | undefined {
  const { problem } = checkValue(name, param, value, now);
  if (problem) return param.type === "address" ? { ...problem, hint: addressHint(value, problem.hint) } : problem;
  const isAlone = param.needs !== undefined && all[param.needs] === undefined;
  return isAlone ? { message: validationMessages.needs(name, param.needs), hint: undefined } : undefined;
}

/** The field that a message is about: the first name in it. */
function fieldNamed(message: string, { fields }: FormState): string | undefined {
  const words = message.match(/\w+/g) ?? [];
  return words.find((word) => fields.some(({ name }) => name === word));
}

/** The moments or days that a value in human form stands for: `2026-11-14 12:00 UTC`; undefined for other values. */
export function resolveTimes(name: string, param: Param, value: unknown, now: number): string | undefined {
  if (value === undefined || (param.type !== "time" && param.type !== "date")) return undefined;
  const checked = checkValue(name, param, value, now);
  if (checked.problem) return undefined;
  const text = checked.values
    .map((one) => (param.type === "date" ? (formatDate(one) ?? one) : momentText(Number(one))))
    .join(" to ");
  return text === String(value) ? undefined : text;
}

function momentText(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return String(seconds);
  const [day, time = ""] = date.toISOString().split("T");
  return `${day} ${time.startsWith("00:00:00") || seconds % 60 === 0 ? time.slice(0, 5) : time.slice(0, 8)} UTC`;
}
