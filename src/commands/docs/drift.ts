/** `solx docs --drift`: compares recordings with the fields of the catalogue. */
import { resolve } from "node:path";
import { CheckError, expandTypedPath, pluralize, SolxError, UsageError } from "../../base/index.ts";
import type { Endpoint } from "../../catalogue/index.ts";
import { decode, type FieldDrift, findFieldDrift, type PreparedRequest } from "../../client/index.ts";
import { endpointOfPath, listRecordings, type Recording, readRecording } from "../../sources/recording/index.ts";
import { rowSchema } from "../row-schema.ts";
import type { RunContext } from "../run/context.ts";

/** A deviation, and how often it was recorded. */
interface DriftRow extends Omit<FieldDrift, "kind"> {
  readonly route: string;
  readonly kind: FieldDrift["kind"] | "unreadable";
  readonly recordings: number;
  /** The first recording with it. */
  readonly file: string;
}

/** Prints the fields in which recorded answers deviate from the catalogue. Throws CheckError when there are any. */
export async function printDrift(context: RunContext, typed: string): Promise<void> {
  const folder = resolve(expandTypedPath(typed, context.io.env));
  const rows = new Map<string, DriftRow>();
  let compared = 0;
  for (const file of await listRecordings(folder)) {
    const recording = await readRecording(folder, file, context.io.signal);
    const endpoint = endpointOfPath(recording.request.path);
    if (!endpoint || recording.response?.status !== 200) continue;
    compared += 1;
    for (const drift of await measureDrift(endpoint, recording)) {
      const key = JSON.stringify([endpoint.route, drift.kind, drift.field, drift.detail]);
      const { recordings = 0, file: first = file } = rows.get(key) ?? {};
      rows.set(key, { route: endpoint.route, ...drift, recordings: recordings + 1, file: first });
    }
  }
  if (compared === 0) {
    throw new UsageError(`there are no successful answers of documented endpoints in ${folder}`, {
      code: "NO_RECORDINGS",
    });
  }
  const drifts = [...rows.values()];
  await context.printer.printRows(
    drifts.map((row) => ({ ...row })),
    { entity: driftRowSchema, columns: ["route", "kind", "field", "detail", "recordings", "file"] },
  );
  const answers = pluralize(compared, "recorded answer");
  if (drifts.length === 0) return context.reporter.note(`${answers} match the documented fields.`);
  throw new CheckError(`${answers} differ from the documented fields in ${pluralize(drifts.length, "point")}`, {
    code: "DRIFT",
  });
}

/** Returns the deviations of a recorded answer; one that cannot be decoded is a deviation, too. */
async function measureDrift(
  endpoint: Endpoint,
  { request, response, time }: Recording,
): Promise<readonly Omit<DriftRow, "route" | "recordings" | "file">[]> {
  const { status = 0, headers = {}, body = "" } = response ?? {};
  const prepared: PreparedRequest = {
    endpoint,
    family: endpoint.family,
    path: request.path,
    query: [],
    cost: 0,
    notes: [],
  };
  const url = new URL(request.path, "http://localhost");
  try {
    return await findFieldDrift(await decode({ url, status, headers, body: body.toString() }, prepared, time));
  } catch (error) {
    if (!(error instanceof SolxError)) throw error;
    return [{ kind: "unreadable", field: "", detail: error.message }];
  }
}

const driftRowSchema = rowSchema((f) => ({
  route: f.text("Endpoint"),
  kind: f.text("missing, changed, unknown or unreadable"),
  field: f.text("Path of the field in a row"),
  detail: f.text("What was expected"),
  recordings: f.count("Number of recordings with it"),
  file: f.text("The first of them"),
}));
