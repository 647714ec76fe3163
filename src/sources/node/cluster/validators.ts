/** The validators of the cluster: the answer of the endpoint `node/validators`. */
import { ignoreFailure, isObject, type Json, type JsonObject, omitUndefined } from "../../../base/index.ts";
import { amountOf, countOf, listOf, objectOf, optionalText, PROGRAM, textOf } from "../../../chain/solana/index.ts";
import type { AnswerContext, NodeAnswer } from "../answer.ts";
import { accountsOf, infoOf } from "../state/accounts.ts";
import { exactNumber, pageOf } from "../state/values.ts";

/** What validators say about themselves, by their identity. */
type Introductions = ReadonlyMap<string, JsonObject>;

/** `node/validators`, by active stake. */
export const validators: NodeAnswer = async (context) => {
  const { node, params, sending, session } = context;
  const [votes, versions, introductions] = await Promise.all([
    node.call("getVoteAccounts", [{ commitment: node.commitment }], sending),
    readVersions(context).catch(ignoreFailure),
    session.once("validators", () => readIntroductions(context)).catch(ignoreFailure),
  ]);
  const { current, delinquent } = objectOf(votes, "result");
  const rows = [...rowsOf(current, "current"), ...rowsOf(delinquent, "delinquent")].sort(byStake);
  const active = rows.reduce((sum, { stake }) => sum + stake, 0n);
  const ranked = rows.map((row, at) => ({ ...row, rank: at + 1 }));
  const status = params.text("status");
  const matching = ranked.filter((row) => status === undefined || row.status === status);
  return {
    data: {
      total: matching.length,
      items: pageOf(matching, params.integer("page"), params.integer("page_size")).map((row) => {
        const identity = textOf(row.vote.nodePubkey, "nodePubkey");
        return omitUndefined({
          rank: row.rank,
          ...nameOf(introductions?.get(identity)),
          vote_account: textOf(row.vote.votePubkey, "votePubkey"),
          identity,
          status: row.status,
          activated_stake: exactNumber(row.stake),
          stake_share: active === 0n ? 0 : (Number(row.stake) / Number(active)) * 100,
          commission: countOf(row.vote.commission, "commission"),
          last_vote: countOf(row.vote.lastVote, "lastVote"),
          root_slot: countOf(row.vote.rootSlot, "rootSlot"),
          credits: creditsOf(row.vote),
          version: versions?.get(identity),
        });
      }),
    },
  };
};

interface VoteRow {
  readonly vote: JsonObject;
  readonly status: "current" | "delinquent";
  readonly stake: bigint;
}

const rowsOf = (list: Json | undefined, status: VoteRow["status"]): readonly VoteRow[] =>
  listOf(list, status).map((row) => {
    const vote = objectOf(row, status);
    return { vote, status, stake: amountOf(vote.activatedStake, "activatedStake") };
  });

const byStake = (a: VoteRow, b: VoteRow) => (a.stake === b.stake ? 0 : a.stake < b.stake ? 1 : -1);

/** Returns the vote credits of the latest epoch. */
function creditsOf({ epochCredits }: JsonObject): number | undefined {
  const last = listOf(epochCredits, "epochCredits").at(-1);
  if (last === undefined) return undefined;
  const [, credits, before] = listOf(last, "epochCredits");
  return countOf(credits, "credits") - countOf(before, "credits");
}

/** Reads the software versions of validators by their identity. */
async function readVersions({ node, sending }: AnswerContext): Promise<ReadonlyMap<string, string>> {
  const nodes = listOf(await node.call("getClusterNodes", [], sending), "result");
  return new Map(
    nodes.flatMap((row) => {
      const { pubkey, version } = objectOf(row, "node");
      const text = optionalText(version, "version");
      return text === undefined ? [] : [[textOf(pubkey, "pubkey"), text] as const];
    }),
  );
}

/** Reads what validators publish about themselves: accounts of the config program, signed by their identity. */
async function readIntroductions({ node, sending }: AnswerContext): Promise<Introductions> {
  const options = { encoding: "jsonParsed", commitment: node.commitment };
  const accounts = accountsOf(await node.call("getProgramAccounts", [PROGRAM.config, options], sending));
  return new Map(
    accounts.flatMap((account) => {
      const { keys, configData } = infoOf(account);
      if (account.parsed?.type !== "validatorInfo" || !isObject(configData)) return [];
      const signed = listOf(keys, "keys")
        .map((key) => objectOf(key, "key"))
        .find(({ signer }) => signer === true);
      return signed ? [[textOf(signed.pubkey, "pubkey"), configData] as const] : [];
    }),
  );
}

function nameOf(introduction: JsonObject | undefined): JsonObject {
  const text = (value: Json | undefined) => (typeof value === "string" && value !== "" ? value : undefined);
  return omitUndefined({ name: text(introduction?.name), website: text(introduction?.website) });
}
