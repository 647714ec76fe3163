/** Faults of servers and nodes, and of what stands in front of them, generated. */
import fc from "fast-check";
import { FAULTS, type FaultAnswer, type FaultRule } from "../support/node/faults.ts";

/** Faults that pass. */
const TRANSIENT: readonly FaultAnswer[] = [
  FAULTS.rateLimited(),
  FAULTS.rateLimitedPlain(),
  FAULTS.badGateway(),
  FAULTS.behind(5),
  { status: 503, body: "" },
];
const OTHERS: readonly (FaultAnswer & Pick<FaultRule, "change">)[] = [
  FAULTS.forbidden(),
  FAULTS.gone(),
  FAULTS.tooLarge(),
  FAULTS.unknownMethod(),
  FAULTS.noHistory(),
  FAULTS.blockNotAvailable(7),
  ...["", "null", "[]", "{}", '{"jsonrpc":"2.0","id":1,"result":', "<html>sign in</html>"].map((body) => ({ body })),
];

const METHODS = ["getSignaturesForAddress", "getTransaction", "getMultipleAccounts", "getSlot", "getBlock"];

const rulesOf = (kinds: readonly FaultAnswer[]): fc.Arbitrary<readonly FaultRule[]> =>
  fc.array(
    fc
      .record({
        kind: fc.constantFrom(...kinds),
        method: fc.option(fc.constantFrom(...METHODS), { nil: undefined }),
        after: fc.nat({ max: 12 }),
        times: fc.constantFrom(1, 1, 2, 5),
      })
      .map(({ kind, method, ...when }) => ({ ...kind, ...when, ...(method !== undefined && { method }) })),
    { maxLength: 3 },
  );

/** Faults that pass, of some calls. */
export const transientFaults = rulesOf(TRANSIENT);
/** Faults of all kinds, of some calls. */
export const nodeFaults = rulesOf([...TRANSIENT, ...OTHERS]);

const ENDS = [
  "500",
  "429:retry-after=0",
  "503",
  "html",
  "empty",
  "refused",
  "bad-json",
  "bad-gzip",
  "truncate",
  "reset",
];

/** Faults of some requests of a sandbox, by their number. */
export const sandboxFaults: fc.Arbitrary<readonly string[]> = fc.array(
  fc
    .tuple(fc.constantFrom(...ENDS), fc.integer({ min: 1, max: 8 }), fc.constantFrom(1, 1, 2, 5))
    .map(([kind, from, count]) => `${kind}#${from}-${from + count - 1}`),
  { maxLength: 3 },
);
