/** The client of lookups that precede the requests of a command: of symbols and of `.sol` names. */
import type { ConnectedClient } from "../../sources/index.ts";
import type { RunContext } from "../run/context.ts";

/** Returns a function that opens the client, once. That of a preview sends nothing, so lookups get another one. */
export function lookupClient(context: RunContext): () => Promise<ConnectedClient> {
  const open = async () => {
    const { dryRun, curl } = context.globals;
    if (!dryRun && !curl) return context.session.client();
    const settings = await context.session.settings();
    const key = await settings.key(context.io.signal);
    const client = await context.session.clientFor(settings, key?.value);
    context.session.onClose(() => client.close());
    return client;
  };
  let opened: Promise<ConnectedClient> | undefined;
  return () => {
    opened ??= open();
    return opened;
  };
}
