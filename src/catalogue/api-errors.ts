/** The error catalogue of the specification (§8): statuses, codes and messages. */

/** The code of a validation error. */
export const VALIDATION_CODE = 1100;

/** The reason phrase of each HTTP status. */
export const STATUSES = {
  400: "Bad Request",
  401: "Authentication failed",
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  500: "Internal Server Error",
} as const;

const validation = (text: string) => `Validation Error: ${text}`;

/** The messages of code 1100 (§8), and further ones in the wording of the API's validator. */
export const validationMessages = {
  address: (value: string) => validation(`Address [${value}] is invalid`),
  signature: (value: string) => validation(`Transaction Signature [${value}] is invalid`),
  number: (name: string) => validation(`${name} must be a number`),
  integer: (name: string) => validation(`"${name}" must be an integer`),
  notAllowed: (name: string) => validation(`${name} is not allowed`),
  required: (name: string) => validation(`"${name}" is required`),
  oneOf: (name: string, values: readonly (string | number)[]) =>
    validation(`"${name}" must be one of [${values.join(", ")}]`),
  atLeast: (name: string, min: number | bigint) => validation(`"${name}" must be greater than or equal to ${min}`),
  atMost: (name: string, max: number | bigint) => validation(`"${name}" must be less than or equal to ${max}`),
  boolean: (name: string) => validation(`"${name}" must be a boolean`),
  maxItems: (name: string, max: number) => validation(`"${name}" must contain less than or equal to ${max} items`),
  single: (name: string) => validation(`"${name}" must be a single value`),
  list: (name: string) => validation(`"${name}" must be an array`),
  pair: (name: string) => validation(`"${name}" must contain 2 items`),
  needs: (name: string, other: string) => validation(`"${name}" needs "${other}"`),
  order: (name: string) => validation(`"${name}" must be given from the smaller to the greater`),
  date: (name: string) => validation(`"${name}" must be a date in the form YYYYMMDD`),
  empty: (name: string) => validation(`"${name}" is not allowed to be empty`),
} as const;
