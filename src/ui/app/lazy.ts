/** Modules of the explorer that load after the first frame is drawn, since they are most of the program. */
export { ViewActions } from "../actions/view-actions.tsx";
export { recordRecentRoutes } from "../navigation/history.ts";
export { Page } from "../pages/index.tsx";
export { previewLines } from "../preview/preview.ts";
export { PopupView } from "./popups.tsx";
