/** Draws the popups. */
import { BookmarkMenu } from "../actions/bookmark-menu.tsx";
import { CommandPopup } from "../actions/command-popup.tsx";
import { CopyMenu, TextPopup } from "../actions/copy.tsx";
import { ExportPopup } from "../actions/export-popup.tsx";
import { ConfirmNames, NamePopup } from "../actions/name-actions.tsx";
import { RuleForm } from "../actions/rule-form.tsx";
import { ThemeMenu } from "../actions/theme-menu.tsx";
import { Compare } from "../compare/compare-popup.tsx";
import { FilterForm } from "../form/form.tsx";
import { Notice } from "../frame/popup.tsx";
import type { Popup } from "../navigation/popups.ts";
import { Palette } from "../palette/palette.tsx";
import { ColumnPicker } from "../widgets/list/column-picker.tsx";
import { LinkMenu } from "../widgets/list/link-menu.tsx";
import { ApiKeyPopup, NoApiKey } from "./api-key.tsx";

/** Draws a popup by its kind. */
export function PopupView({ popup }: { popup: Popup }) {
  switch (popup.kind) {
    case "no-api-key":
      return <NoApiKey />;
    case "api-key":
      return <ApiKeyPopup {...popup} />;
    case "palette":
      return <Palette {...popup} />;
    case "copy":
      return <CopyMenu />;
    case "command":
      return <CommandPopup />;
    case "export":
      return <ExportPopup />;
    case "bookmark":
      return <BookmarkMenu />;
    case "themes":
      return <ThemeMenu />;
    case "notice":
      return <Notice {...popup} />;
    case "text":
      return <TextPopup {...popup} />;
    case "name-address":
      return <NamePopup {...popup} />;
    case "fetch-names":
      return <ConfirmNames {...popup} />;
    case "links":
      return <LinkMenu {...popup} />;
    case "rule":
      return <RuleForm {...popup} />;
    case "columns":
      return <ColumnPicker {...popup} />;
    case "filter-form":
      return <FilterForm {...popup} />;
    case "compare":
      return <Compare {...popup} />;
    default:
      return popup satisfies never;
  }
}
