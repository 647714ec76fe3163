/** The list of fault rules for help, error messages and documentation. */

/** Kinds of failures. */
export const FAULT_FORMS = [
  "500",
  "429:retry-after=2",
  "503:retry-after-date=5",
  "html",
  "empty",
  "refused",
  "bad-json",
  "wrong-type",
  "bad-gzip",
  "truncate",
  "drip",
  "hang",
  "reset",
  "latency=200ms",
  "latency=1s..3s",
] as const;

/** Selections of requests that fail: a share, a route or a path, some by number, a client, or some of each. */
export const FAULT_SELECTORS = [
  "500:10%",
  "500@v2-account-transfer",
  "500@/account/*",
  "500#3",
  "500#2-4",
  "500#every5",
  "500@client=ann",
  "500@client#3",
] as const;

/** The text about fault rules in the help of `solx sandbox`. */
export const FAULT_HELP = [
  "Fault rules: the kind of failure, and the requests that fail (default: all)",
  `  ${FAULT_FORMS.slice(0, 8).join("  ")}`,
  `  ${FAULT_FORMS.slice(8).join("  ")}`,
  `  ${FAULT_SELECTORS.join("  ")}`,
].join("\n");
