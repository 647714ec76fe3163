/** A foreign client (@solana/kit) uses the test node as it would use a validator. */
import {
  airdropFactory,
  appendTransactionMessageInstructions,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  pipe,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import { getCreateAccountInstruction, getTransferSolInstruction } from "@solana-program/system";
import * as token from "@solana-program/token";
import { expect, test } from "vitest";
import { useTestNode } from "../support/node/use-test-node.ts";

const node = useTestNode();
const SOL = 1_000_000_000n;

/** A wallet with SOL, and a function that sends its transactions and waits until they are final. */
async function connect() {
  const rpc = createSolanaRpc(node.url);
  const rpcSubscriptions = createSolanaRpcSubscriptions(node.wsUrl);
  const confirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions } as never);
  const wallet = await generateKeyPairSigner();
  await airdropFactory({ rpc, rpcSubscriptions } as never)({
    commitment: "finalized",
    lamports: lamports(10n * SOL),
    recipientAddress: wallet.address,
  });
  const send = async (instructions: readonly Instruction[], payer: KeyPairSigner = wallet, skipPreflight = false) => {
    const { value: lifetime } = await rpc.getLatestBlockhash().send();
    const signed = await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(payer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
        (message) => appendTransactionMessageInstructions(instructions, message),
      ),
    );
    await confirm(signed as never, { commitment: "finalized", skipPreflight });
    return getSignatureFromTransaction(signed);
  };
  return { rpc, wallet, send };
}

test("airdrop, transfer and confirmation over websockets", async () => {
  const { rpc, wallet, send } = await connect();
  const friend = await generateKeyPairSigner();
  const transfer = getTransferSolInstruction({ source: wallet, destination: friend.address, amount: lamports(SOL) });
  const signature = await send([transfer]);
  expect((await rpc.getBalance(friend.address).send()).value).toBe(SOL);
  expect((await rpc.getBalance(wallet.address).send()).value).toBe(9n * SOL - 5000n);
  const answer = await rpc.getTransaction(signature, { encoding: "base64", maxSupportedTransactionVersion: 0 }).send();
  expect(answer?.meta).toMatchObject({ err: null, fee: 5000n });
  const block = await rpc.getBlock(answer?.slot ?? 0n, { maxSupportedTransactionVersion: 0 }).send();
  expect(block?.transactions.map(({ transaction }) => transaction.signatures[0])).toEqual([signature]);
  expect((await rpc.getSignaturesForAddress(friend.address).send()).map((row) => row.signature)).toEqual([signature]);
});

test("a mint from its creation to a burn", async () => {
  const { rpc, wallet, send } = await connect();
  const mint = await generateKeyPairSigner();
  const [account] = await token.findAssociatedTokenPda({
    owner: wallet.address,
    mint: mint.address,
    tokenProgram: token.TOKEN_PROGRAM_ADDRESS,
  });
  const space = BigInt(token.getMintSize());
  await send([
    getCreateAccountInstruction({
      payer: wallet,
      newAccount: mint,
      lamports: await rpc.getMinimumBalanceForRentExemption(space).send(),
      space,
      programAddress: token.TOKEN_PROGRAM_ADDRESS,
    }),
    token.getInitializeMint2Instruction({ mint: mint.address, decimals: 2, mintAuthority: wallet.address }),
    await token.getCreateAssociatedTokenInstructionAsync({ payer: wallet, owner: wallet.address, mint: mint.address }),
    token.getMintToInstruction({ mint: mint.address, token: account, mintAuthority: wallet, amount: 1234n }),
  ]);
  await send([token.getBurnInstruction({ account, mint: mint.address, authority: wallet, amount: 234n })]);
  expect((await rpc.getTokenSupply(mint.address).send()).value).toMatchObject({ amount: "1000", uiAmountString: "10" });
  const { value } = await rpc
    .getTokenAccountsByOwner(wallet.address, { mint: mint.address }, { encoding: "jsonParsed" })
    .send();
  expect(value.map(({ pubkey, account: { data } }) => [pubkey, data.parsed.info.tokenAmount.amount])).toEqual([
    [account, "1000"],
  ]);
  expect((await rpc.getTokenLargestAccounts(mint.address).send()).value).toMatchObject([{ address: account }]);
});

test("a failing transaction is refused before it is sent, or is in a block and pays its fee", async () => {
  const { rpc, wallet, send } = await connect();
  const friend = await generateKeyPairSigner();
  const amount = lamports(1000n * SOL);
  const transfer = getTransferSolInstruction({ source: wallet, destination: friend.address, amount });
  const refusal = await send([transfer]).catch((error: unknown) => error);
  expect(isSolanaError(refusal, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)).toBe(true);
  expect((await rpc.getBalance(wallet.address).send()).value).toBe(10n * SOL);
  await expect(send([transfer], wallet, true)).rejects.toThrow();
  expect((await rpc.getBalance(wallet.address).send()).value).toBe(10n * SOL - 5000n);
  const [row] = await rpc.getSignaturesForAddress(wallet.address, { limit: 1 }).send();
  expect(row?.err).toEqual({ InstructionError: [0n, { Custom: 1n }] });
});

test("a simulation reports what would happen, and changes nothing", async () => {
  const { rpc, wallet } = await connect();
  const friend = await generateKeyPairSigner();
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const signed = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(wallet, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) =>
        appendTransactionMessageInstructions(
          [getTransferSolInstruction({ source: wallet, destination: friend.address, amount: lamports(SOL) })],
          message,
        ),
    ),
  );
  const { value } = await rpc
    .simulateTransaction(getBase64EncodedWireTransaction(signed), {
      encoding: "base64",
      accounts: { addresses: [friend.address], encoding: "base64" },
    })
    .send();
  expect(value).toMatchObject({ err: null, unitsConsumed: 150n, accounts: [{ lamports: SOL }] });
  expect((await rpc.getBalance(friend.address).send()).value).toBe(0n);
});
