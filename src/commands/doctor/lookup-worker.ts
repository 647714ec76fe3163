/** The child process that resolves the name of a host, its last argument: it writes `OK` or the error code to stdout. */
import { lookup } from "node:dns";

lookup(process.argv.at(-1) ?? "", (error) => process.stdout.write(error ? (error.code ?? error.message) : "OK"));
