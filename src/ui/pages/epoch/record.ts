/** The page of an epoch. */
import { toNumber } from "../../../base/index.ts";
import { EpochInfo } from "../../../catalogue/schemas.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { cellSpan, endpointAt, formatField } from "../../widgets/cells.ts";
import { entityRecord } from "../entity/record.ts";
import { durationText } from "../home/chain.ts";

const EPOCH_INFO = endpointAt("/node/epoch", "node");

/** The page of an epoch. */
export const EPOCH = entityRecord({
  requests: { epoch: { endpoint: EPOCH_INFO } },
  title: ({ id }) => [span(`Epoch ${id}`, "title")],
  facts: ({ answers: { epoch }, clock }) => {
    const value = (field: string): TextLine => {
      const cell = formatField(EpochInfo, epoch, field, clock);
      return cell.role === "missing" ? [] : [cellSpan(cell)];
    };
    const [from, to] = [toNumber(epoch?.first_block_time), toNumber(epoch?.last_block_time)];
    return [
      { label: "first slot", value: value("first_slot") },
      { label: "last slot", value: value("last_slot") },
      { label: "began", value: value("first_block_time") },
      { label: "latest block", value: value("last_block_time") },
      { label: "lasted", value: from === undefined || to === undefined ? [] : [span(durationText(to - from))] },
    ];
  },
  tabs: [{ name: "about", endpoint: EPOCH_INFO }],
  hasNeighbours: true,
});
