/** The faults there are, for people: one list for help, refusals and documentation. */

/** What can go wrong. */
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

/** Which calls it strikes: a share of them, those of a route or a path, some by their number. */
export const FAULT_SELECTORS = [
  "500:10%",
  "500@v2-account-transfer",
  "500@/account/*",
  "500#3",
  "500#2-4",
  "500#every5",
] as const;

const FORMS_PER_LINE = 8;
const formatLine = (forms: readonly string[]): string => `  ${forms.join("  ")}`;

/** What faults there are and which calls they strike. */
export const FAULT_HELP = [
  "Faults: a word for what goes wrong, and which calls it strikes (all, when nothing is said)",
  formatLine(FAULT_FORMS.slice(0, FORMS_PER_LINE)),
  formatLine(FAULT_FORMS.slice(FORMS_PER_LINE)),
  formatLine(FAULT_SELECTORS),
].join("\n");
