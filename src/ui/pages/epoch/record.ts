/** The page of an epoch. */
import { toNumber } from "../../../base/index.ts";
import { EpochInfo } from "../../../catalogue/schemas.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { endpointAt } from "../../widgets/cells.ts";
import { fieldValues } from "../entity/fields.ts";
import { entityRecord } from "../entity/record.ts";
import { durationText } from "../home/gauges.ts";

const EPOCH_INFO = endpointAt("/node/epoch", "node");

/** The page of an epoch. */
export const EPOCH = entityRecord({
  requests: { epoch: { endpoint: EPOCH_INFO } },
  title: ({ id }) => [span(`Epoch ${id}`, "title")],
  facts: ({ answers: { epoch }, clock }) => {
    const { line } = fieldValues(EpochInfo, epoch, clock);
    const [from, to] = [toNumber(epoch?.first_block_time), toNumber(epoch?.last_block_time)];
    return [
      { label: "first slot", value: line("first_slot") },
      { label: "last slot", value: line("last_slot") },
      { label: "began", value: line("first_block_time") },
      { label: "latest block", value: line("last_block_time") },
      { label: "lasted", value: from === undefined || to === undefined ? [] : [span(durationText(to - from))] },
    ];
  },
  tabs: [{ name: "about", endpoint: EPOCH_INFO }],
  hasNeighbours: true,
});
