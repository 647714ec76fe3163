import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createShortener } from "../../src/output/text/width.ts";

const shortenAll = (ids: readonly string[]) => {
  const shorten = createShortener();
  for (const id of ids) shorten(id);
  return ids.map(shorten);
};
const withMiddle = (middle: string) => `5Q54${middle}pge4`;

describe("short forms of identifiers", () => {
  test("are distinct, and no longer than distinct forms need", () => {
    const similar = fc.string({ unit: fc.constantFrom("A", "B"), minLength: 6, maxLength: 12 }).map(withMiddle);
    fc.assert(
      fc.property(fc.uniqueArray(similar, { maxLength: 30 }), (ids) => {
        const forms = shortenAll(ids);
        expect(new Set(forms).size).toBe(ids.length);
        for (const [at, form] of forms.entries()) {
          const size = form.indexOf("…") - 1;
          if (size < 4) continue;
          const id = ids[at] as string;
          const isShared = ids.some(
            (other) => other !== id && other.startsWith(id.slice(0, size)) && other.endsWith(id.slice(-size)),
          );
          expect(isShared, `${form} is longer than ${id} needs`).toBe(true);
        }
      }),
    );
  });

  test("of a long list that imitates one address", () => {
    const ids = Array.from({ length: 15_000 }, (_, at) => withMiddle(String(at).padStart(36, "z")));
    expect(new Set(shortenAll(ids)).size).toBe(ids.length);
  });
});
