/** Everything of the explorer but its frame: loaded after the frame is on the screen, since it is most of the program. */
export { ViewActions } from "./actions/view-actions.tsx";
export { Page } from "./pages/index.tsx";
export { openPalette } from "./palette/palette.tsx";
export { recordRecentRoutes } from "./palette/recent-routes.ts";
