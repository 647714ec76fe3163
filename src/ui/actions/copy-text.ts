/** Copies texts and opens web pages; shows the text when neither is possible. */
import type { Explorer } from "../navigation/context.ts";
import { errorText } from "./current-view.ts";

/** Copies a text and shows a notice; when copying fails, shows the text for manual selection. */
export async function copyText(
  explorer: Explorer,
  description: string,
  text: () => string | Promise<string>,
): Promise<void> {
  const { services, openPopup, closePopup, toast } = explorer;
  closePopup();
  try {
    const content = await text();
    const { ok, message } = await services.copy(content, description);
    if (ok) toast(message, "good");
    else openPopup({ kind: "text", title: message, text: content });
  } catch (error) {
    toast(errorText(error), "bad");
  }
}

/** Opens a page of the public explorer, or shows its URL. */
export async function openPage(explorer: Explorer, url: string): Promise<void> {
  const { services, openPopup, toast } = explorer;
  try {
    const { ok, message } = await services.browse(url);
    if (ok) toast(message, "good");
    else {
      const title = message.replace(url, "").replace(/[\s:]+$/, ".");
      const onCopy = () => void copyText(explorer, "the URL of the page", () => url);
      openPopup({ kind: "text", title, text: url, onCopy });
    }
  } catch (error) {
    toast(errorText(error), "bad");
  }
}
