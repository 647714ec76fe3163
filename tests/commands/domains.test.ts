/** `.sol` names: the addresses of their accounts, and their owners, read from a Solana node. */
import { describe, expect, test } from "vitest";
import { decodeBase58 } from "../../src/base/index.ts";
import { domainAddress, domainOwner } from "../../src/chain/solana/addresses.ts";
import { runInProcess } from "../support/in-process.ts";
import { walletAccount } from "../support/node/account.ts";
import { useTestNode } from "../support/node/use-test-node.ts";
import { createTempFolder } from "../support/solx.ts";

const OWNER = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";
const NAME_PROGRAM = "namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX";
const TLD = "58PwtjSDuFHuUkYjH9BYnnQKHfwo9reZhC2zMJv9JPkx";

/** The data of a name's account: parent, owner and class, then the content. */
const nameData = (owner: string, content = 8) =>
  Buffer.concat([decodeBase58(TLD), decodeBase58(owner), Buffer.alloc(32 + content)]);

describe("the account of a name", () => {
  test.each([
    ["bonfida.sol", "Crf8hzfthWGbGbLTVCiqRqV5MVnbpHB1L9KQMd6gsinb"],
    ["Bonfida.SOL", "Crf8hzfthWGbGbLTVCiqRqV5MVnbpHB1L9KQMd6gsinb"],
    ["toly.sol", "FX1APjKbFu6M8GKb3dGXcZLXjxX4fGaYwvHqb5Vaee8q"],
    ["a.sol", "ELoM9Yo5jdNE64uV7y9oQNG5yB9Npk6S518rRWDJ5hxy"],
    ["dex.bonfida.sol", "HoFfFXqFHAC8RP3duuQNzag1ieUwJRBv1HtRNiWFq4Qu"],
  ])("%s is %s", async (domain, address) => {
    expect(await domainAddress(domain)).toBe(address);
  });

  test("has its owner behind the parent; other accounts have none", () => {
    expect(domainOwner({ owner: NAME_PROGRAM, data: nameData(OWNER) })).toBe(OWNER);
    expect(domainOwner({ owner: TLD, data: nameData(OWNER) })).toBeUndefined();
    expect(domainOwner({ owner: NAME_PROGRAM, data: Buffer.alloc(95) })).toBeUndefined();
    expect(domainOwner({ owner: NAME_PROGRAM, data: undefined })).toBeUndefined();
  });
});

describe("with a Solana node", () => {
  const node = useTestNode();
  const home = createTempFolder();
  const solx = (line: string, input = "") =>
    runInProcess([...line.split(" "), "--rpc", node.url], { input, env: { SOLX_HOME: home } });
  const register = async (domain: string, owner: string) =>
    node.chain.setAccount({
      ...walletAccount((await domainAddress(domain)) as never, 1_000_000n),
      owner: NAME_PROGRAM as never,
      data: new Uint8Array(nameData(owner)),
    });

  test("a name stands for its owner, which is stated", async () => {
    await register("toly.sol", OWNER);
    const { code, stdout, stderr } = await solx("account detail Toly.sol -o json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout).account).toBe(OWNER);
    expect(stderr).toContain(`toly.sol is ${OWNER} (owner of the name)`);
    const batch = await solx("account detail - -o ndjson --fields account", `toly.sol\nmissing.sol\n`);
    expect(batch.stdout).toContain(OWNER);
    expect(batch.stderr).toContain("missing.sol is not registered");
  });

  test("its owner can be stored in the address book, and used without the node", async () => {
    await register("toly.sol", OWNER);
    expect(JSON.parse((await solx("names add toly toly.sol")).stdout)).toEqual({ name: "toly", address: OWNER });
    const { stdout } = await runInProcess(["account", "detail", "toly", "--dry-run", "-o", "json"], {
      env: { SOLX_HOME: home },
    });
    expect(new URL(JSON.parse(stdout).url).searchParams.get("address")).toBe(OWNER);
  });

  test.each([
    ["tоly.sol", "mixes Latin and Cyrillic letters"],
    ["ｔｏｌｙ.sol", "has letters in a style that looks like plain ones"],
  ])("%s is marked, and not stored without a question", async (domain, reason) => {
    await register(domain, OWNER);
    const { code, stderr } = await solx(`account detail ${domain} -o json`);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Warning: the name ${reason}`)]);
    const added = await solx(`names add toly2 ${domain}`);
    expect([added.code, added.stderr]).toEqual([2, expect.stringContaining(reason)]);
    expect((await solx("names list -o json")).stdout).not.toContain("toly2");
  });

  test("a name that is not registered, or held by a program, is an error with advice", async () => {
    const failure = async (domain: string) => {
      const { code, stderr } = await solx(`account detail ${domain}`);
      return { code, errors: JSON.parse(stderr.trim().split("\n").at(-1) ?? "").errors };
    };
    expect(await failure("missing.sol")).toMatchObject({ code: 5, errors: { code: "DOMAIN_NOT_FOUND" } });
    await register("wrapped.sol", await domainAddress("wrapped.sol"));
    expect(await failure("wrapped.sol")).toMatchObject({
      code: 2,
      errors: { code: "DOMAIN_HELD_BY_PROGRAM", hint: expect.stringContaining("address of its holder") },
    });
  });
});
