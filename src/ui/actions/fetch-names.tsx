/** The action that requests the names of the addresses on the screen. */
import { useState, useSyncExternalStore } from "react";
import { groupThousands, pluralize } from "../../base/index.ts";
import { useNameOf, useQuota } from "../data/hooks.ts";
import { Popup } from "../frame/popup.tsx";
import { type Explorer, useBindings, useExplorer } from "../navigation/context.ts";
import type { NamePlan } from "../navigation/data-store.ts";
import { bindAction } from "../navigation/keys/bindings.ts";
import type { PopupOf } from "../navigation/popups.ts";
import { span, textLine } from "../navigation/theme/text-line.ts";
import { errorText } from "./current-view.ts";

/** The cost in compute units up to which names are requested at once: that of most pages, which open at once, too. */
const MAX_UNCONFIRMED_UNITS = 100;

/** Binds the key that requests the names of the addresses on the screen. */
export function NameKeys() {
  const explorer = useExplorer();
  const { data, pointer, services, openPopup } = explorer;
  const uses = useSyncExternalStore(pointer.subscribe, pointer.identifiers);
  const [isBusy, setBusy] = useState(false);
  // Names that arrive make the plan smaller.
  useNameOf();
  const plan = data.nameLoads.plan(uses);
  const start = () => {
    setBusy(true);
    void fetchNames(explorer, plan).finally(() => setBusy(false));
  };
  const isCheap = !services.source.facts.chargesUnits || plan.units <= MAX_UNCONFIRMED_UNITS;
  useBindings("global", [
    bindAction(
      "view.names",
      "fetch names",
      () => (isCheap ? start() : openPopup({ kind: "fetch-names", plan, onConfirm: start })),
      { hint: 29, active: plan.addresses > 0 && !isBusy },
    ),
  ]);
  return null;
}

/** Requests names, and reports what was spent on how many. */
async function fetchNames({ data, services, toast }: Explorer, plan: NamePlan): Promise<void> {
  const { chargesUnits } = services.source.facts;
  toast(`Requesting names of ${addressCount(plan)}: ${costText(plan.requests.length, plan.units, chargesUnits)}`);
  const { named, requests, units, problem } = await data.nameLoads.start(plan);
  if (problem?.exit === "interrupted") return;
  const result = `${groupThousands(named)} of ${addressCount(plan)} have names · ${costText(requests, units, chargesUnits)}`;
  toast(problem ? `${result} · ${errorText(problem)}` : result, problem ? "bad" : "good");
}

const addressCount = ({ addresses }: NamePlan) => pluralize(addresses, "address", "addresses");
const costText = (requests: number, units: number, chargesUnits: boolean) =>
  [pluralize(requests, "request"), ...(chargesUnits ? [pluralize(units, "unit")] : [])].join(", ");

/** States the cost of names before they are requested. */
export function ConfirmNames({ plan, onConfirm }: PopupOf<"fetch-names">) {
  const { closePopup } = useExplorer();
  const { units } = useQuota();
  const confirm = () => {
    closePopup();
    onConfirm();
  };
  useBindings(
    "overlay",
    [
      { keys: ["enter"], label: "fetch", group: "data", hint: 1, run: confirm },
      { keys: ["esc", "q", "ctrl+c"], label: "cancel", group: "go", hint: 2, run: closePopup },
    ],
    { modal: true },
  );
  const isTooMuch = units !== undefined && plan.units > units.remaining;
  const lines = [
    textLine(`Names of ${addressCount(plan)} on the screen`),
    [
      span(costText(plan.requests.length, plan.units, true), isTooMuch ? "warning" : "title"),
      ...(isTooMuch ? [span(` · only ${groupThousands(units.remaining)} units left`, "warning")] : []),
    ],
    textLine("Accounts without a label have no name.", "note"),
  ];
  return <Popup title="Fetch names" lines={lines} />;
}
