/** The child process that resolves the name of a host: its last argument; the addresses are written to stdout. */
import { lookup } from "node:dns";
import type { HostAddresses } from "./probe.ts";

lookup(process.argv.at(-1) ?? "", { all: true }, (error, addresses) => {
  const answer: HostAddresses = error
    ? { addresses: [], code: error.code ?? error.message }
    : { addresses: addresses.map(({ address }) => address) };
  process.stdout.write(JSON.stringify(answer));
});
