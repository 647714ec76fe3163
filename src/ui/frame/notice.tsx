/** A popup with notices; press any key to close it. */
import { safeText, wrap } from "../../output/index.ts";
import { useBindings, useExplorer } from "../navigation/context.ts";
import type { PopupOf } from "../navigation/popups.ts";
import { textLine } from "../navigation/theme/text-line.ts";
import { Popup, popupSpace } from "./popup.tsx";
import { useBody } from "./use-body.ts";

const MAX_WIDTH = 76;

/** Shows sentences until a key is pressed. */
export function Notice({ title, sentences, footnote, onClose }: PopupOf<"notice">) {
  const { closePopup } = useExplorer();
  const space = popupSpace(useBody());
  const close = () => {
    closePopup();
    onClose?.();
  };
  useBindings("overlay", [{ keys: ["enter", "esc", "ctrl+c"], label: "close", group: "go", hint: 1, run: close }], {
    modal: true,
    onText: close,
  });
  const width = Math.max(1, Math.min(MAX_WIDTH, space.width));
  const wrapped = (text: string) => wrap(safeText(text), width);
  const end = footnote === undefined ? [] : ["", ...wrapped(footnote)];
  const blocks = sentences.map(wrapped);
  const fits = (count: number) => blocks.slice(0, count).flat().length + end.length + 1 <= space.height;
  const visible = blocks.findLastIndex((_block, at) => fits(at + 1)) + 1;
  const hidden = blocks.length - visible;
  const lines = [...blocks.slice(0, visible).flat(), ...(hidden > 0 ? [`${hidden} more`] : []), ...end];
  return <Popup title={title} lines={lines.map((text) => textLine(text))} />;
}
