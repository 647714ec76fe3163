/** The actions that request the names of addresses on the screen, and that name one in the address book. */

import { useState, useSyncExternalStore } from "react";
import { groupThousands, pluralize } from "../../base/index.ts";
import { isAddress } from "../../catalogue/index.ts";
import { safeText, valueAt } from "../../output/index.ts";
import { useNameOf, useQuota } from "../data/hooks.ts";
import { errorText } from "../data/query.ts";
import { Popup, popupSpace, useBody } from "../frame/popup.tsx";
import { type Explorer, useBindings, useExplorer, useLatestState, usePopupBindings } from "../navigation/context.ts";
import type { NamePlan } from "../navigation/data-store.ts";
import { bindAction } from "../navigation/keys/bindings.ts";
import type { PopupOf } from "../navigation/popups.ts";
import { span, textLine } from "../navigation/theme/text-line.ts";
import { EDIT_KEYS, editField, fieldLine, insertText, textField } from "../widgets/text-field.ts";
import { type CurrentView, currentView, identifierOfRoute } from "./current-view.ts";

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
  usePopupBindings([
    { keys: ["enter"], label: "fetch", hint: 1, run: confirm },
    { keys: ["esc", "q", "ctrl+c"], label: "cancel", hint: 2, run: closePopup },
  ]);
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

/** Binds the key that names an address. */
export function NameAddressKey() {
  const explorer = useExplorer();
  const { services, openPopup, toast } = explorer;
  const open = () => {
    const address = addressOf(currentView(explorer));
    if (address === undefined) toast("no address to name here", "warning");
    else openPopup({ kind: "name-address", address });
  };
  useBindings("global", [
    bindAction("view.name", "name address", open, { hint: 100, active: services.addressBook !== undefined }),
  ]);
  return null;
}

/** Returns the address of a view: that of the cell under the cursor, of the page, or the first one in the row. */
function addressOf({ route, subject }: CurrentView): string | undefined {
  const { cell, row, columns = [] } = subject ?? {};
  const inRow = columns.flatMap(({ path }) =>
    row === undefined ? [] : path.split("|").map((one) => valueAt(row, one.split("."))),
  );
  return [cell?.value, identifierOfRoute(route, subject), ...inRow].find(
    (value): value is string => typeof value === "string" && isAddress(value),
  );
}

/** Asks for the name of an address; an empty one removes it. */
export function NamePopup({ address }: PopupOf<"name-address">) {
  const { services, data, closePopup, toast } = useExplorer();
  const own = data.names.of(address);
  const before = own?.source === "own" ? own.name : "";
  const [field, edit, newest] = useLatestState(() => textField(before));
  const [problem, setProblem] = useState<string>();
  const body = useBody();
  const save = async () => {
    const name = newest().text.trim();
    try {
      const names = await services.addressBook?.setName(address, name === "" ? undefined : name);
      if (names) data.names.setOwn(names);
      closePopup();
      toast(name === "" ? "Removed the name" : `Named ${safeText(name)}`, "good");
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const insert = (text: string) => edit((now) => insertText(now, text));
  usePopupBindings(
    [
      { keys: ["enter"], label: "save", hint: 1, run: () => void save() },
      { keys: ["esc", "ctrl+c"], label: "cancel", hint: 2, run: closePopup },
      { keys: EDIT_KEYS, label: "edit the name", run: (key) => edit((now) => editField(now, key)) },
    ],
    { onText: insert, onPaste: insert },
  );
  const width = Math.min(popupSpace(body).width, FIELD_WIDTH);
  const lines = [
    textLine(address, "account"),
    [span("name: ", "active"), ...fieldLine(field, Math.max(1, width - "name: ".length), true)],
    textLine(problem ?? HINT, problem === undefined ? "note" : "warning"),
  ];
  return <Popup title="Name address" lines={lines} />;
}

const FIELD_WIDTH = 50;
const HINT = "Your name of the address, also in commands. Empty: none.";
