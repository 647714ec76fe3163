/** Validation of a form by field, and the meaning of relative times. */

import { type Endpoint, type Param, type ParameterValues, validationMessages } from "../../catalogue/index.ts";
import { formatDate } from "../../output/index.ts";
import { checkValue, requestProblem, type ValueProblem } from "./check-value.ts";
import { type FormState, inputParams } from "./form-state.ts";
import { addressHint, ambiguousNameProblem, type FindAddresses, resolveNames } from "./named-addresses.ts";

/** Problems by field name; empty when the request may be sent. */
export type FormProblems = ReadonlyMap<string, ValueProblem>;

/**
 * Validates each field, so that every problem is found, then the request as a whole.
 * @param fixed the parameters that the form does not offer
 * @param now milliseconds since the epoch
 * @param findAddresses resolves names to addresses
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

function missingProblem(name: string, { required, default: defaultValue }: Param): ValueProblem | undefined {
  return required && defaultValue === undefined
    ? { message: validationMessages.required(name), hint: undefined }
    : undefined;
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

/** Returns the field that a message is about: the first one it names. */
function fieldNamed(message: string, { fields }: FormState): string | undefined {
  const words = message.match(/\w+/g) ?? [];
  return words.find((word) => fields.some(({ name }) => name === word));
}

/** Returns the times or dates that a relative value resolves to: `2026-11-14 12:00 UTC`; undefined for other values. */
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
