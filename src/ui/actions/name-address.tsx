/** The action that names the address under the cursor, or that of the page, in the user's address book. */
import { useState } from "react";
import { isAddress } from "../../catalogue/index.ts";
import { safeText, valueAt } from "../../output/index.ts";
import { Popup, popupSpace } from "../frame/popup.tsx";
import { useBody } from "../frame/use-body.ts";
import { useBindings, useExplorer } from "../navigation/context.ts";
import { bindAction } from "../navigation/keys/bindings.ts";
import type { PopupOf } from "../navigation/popups.ts";
import { span, textLine } from "../navigation/theme/text-line.ts";
import { useLatestReducer } from "../navigation/use-latest-reducer.ts";
import { EDIT_KEYS, editField, fieldLine, insertText, type TextField, textField } from "../widgets/text-field.ts";
import { identifierOfRoute } from "./copy-choices.ts";
import { type CurrentView, currentView, errorText } from "./current-view.ts";

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

const applyEdit = (field: TextField, edit: (before: TextField) => TextField) => edit(field);

/** Asks for the name of an address; an empty one removes it. */
export function NamePopup({ address }: PopupOf<"name-address">) {
  const { services, data, closePopup, toast } = useExplorer();
  const own = data.names.of(address);
  const before = own?.source === "own" ? own.name : "";
  const [field, edit, newest] = useLatestReducer(applyEdit, () => textField(before));
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
  useBindings(
    "overlay",
    [
      { keys: ["enter"], label: "save", group: "data", hint: 1, run: () => void save() },
      { keys: ["esc", "ctrl+c"], label: "cancel", group: "go", hint: 2, run: closePopup },
      {
        keys: EDIT_KEYS,
        label: "edit the name",
        group: "view",
        run: (key) => edit((now) => editField(now, key)),
      },
    ],
    { modal: true, onText: insert, onPaste: insert },
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
