import fc from "fast-check";
import { expect, test } from "vitest";
import { ENTITY_KINDS } from "../../../src/ui/navigation/entity-pages.ts";
import { createNavigation } from "../../../src/ui/navigation/history.ts";
import { HOME, isSameRoute, type Route, routeTitle } from "../../../src/ui/navigation/route.ts";

const place: fc.Arbitrary<Route> = fc.oneof(
  fc.record({
    kind: fc.constant("entity" as const),
    entity: fc.constantFrom(...ENTITY_KINDS),
    id: fc.constantFrom("x", "y"),
  }),
  fc.constantFrom<Route>(HOME, { kind: "page", page: "usage" }),
);

type Step =
  | { readonly what: "open"; readonly place: Route }
  | { readonly what: "back" | "forward" }
  | { readonly what: "remember"; readonly state: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ what: fc.constant("open" as const), place }),
  fc.record({ what: fc.constantFrom("back" as const, "forward" as const) }),
  fc.record({ what: fc.constant("remember" as const), state: fc.nat(9) }),
);

/** A model of the history: two stacks around the current route. */
class Model {
  past: { place: Route; state: number | undefined }[] = [];
  now: { place: Route; state: number | undefined } = { place: HOME, state: undefined };
  ahead: { place: Route; state: number | undefined }[] = [];

  take(one: Step): void {
    if (one.what === "remember") this.now = { ...this.now, state: one.state };
    else if (one.what === "open") {
      if (isSameRoute(one.place, this.now.place)) return;
      this.past.push(this.now);
      [this.now, this.ahead] = [{ place: one.place, state: undefined }, []];
    } else {
      const [from, to] = one.what === "back" ? [this.past, this.ahead] : [this.ahead, this.past];
      const next = from.pop();
      if (!next) return;
      to.push(this.now);
      this.now = next;
    }
  }
}

test("back and forward restore routes and view state", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const navigation = createNavigation(HOME);
      const model = new Model();
      for (const one of steps) {
        model.take(one);
        if (one.what === "open") navigation.open(one.place);
        else if (one.what === "remember") navigation.saveState(navigation.current().id, "row", one.state);
        else navigation[one.what]();
        expect(navigation.current().route).toEqual(model.now.place);
        expect(navigation.current().live.get("row")?.value).toBe(model.now.state);
        expect(navigation.canGoBack()).toBe(model.past.length > 0);
        expect(navigation.canGoForward()).toBe(model.ahead.length > 0);
        expect(navigation.trail().map((visit) => visit.route)).toEqual([...model.past, model.now].map((v) => v.place));
      }
    }),
  );
});

test("a long history drops its oldest entries, and state of dropped entries is ignored", () => {
  const navigation = createNavigation(HOME);
  const first = navigation.current().id;
  for (let slot = 1; slot <= 500; slot += 1) navigation.open({ kind: "entity", entity: "block", id: String(slot) });
  navigation.saveState(first, "row", 1);
  expect(navigation.trail().length).toBeLessThanOrEqual(200);
  expect(routeTitle(navigation.current().route)).toBe("block 500");
  expect(navigation.trail().every((visit) => visit.live.size === 0)).toBe(true);
});

test("a history starts at a view as it was left, and keeps it as one", () => {
  const route: Route = { kind: "entity", entity: "account", id: "x", tab: "transfers" };
  const state = { transfers: { filter: "usdc" } };
  expect(createNavigation(route, undefined, state).view()).toEqual({ route, state });
});
