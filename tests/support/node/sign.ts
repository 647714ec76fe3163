/** Signed transactions for tests. */
import {
  type Address,
  appendTransactionMessageInstructions,
  blockhash as asBlockhash,
  compressTransactionMessageUsingAddressLookupTables,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  type Nonce,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce,
  signTransactionMessageWithSigners,
} from "@solana/kit";

/** What a transaction consists of. */
export interface TransactionDraft {
  readonly instructions: readonly Instruction[];
  readonly payer: KeyPairSigner;
  readonly blockhash: string;
  /** `legacy` by default. */
  readonly version?: "legacy" | 0 | 1;
  /** Lookup tables with their entries; keys that they have are left out of the transaction. */
  readonly tables?: Readonly<Record<Address, Address[]>>;
  /** A durable nonce instead of the blockhash. */
  readonly nonce?: { readonly account: Address; readonly authority: Address; readonly value: string };
  /** Resource limits, for version 1. */
  readonly config?: Readonly<Record<string, number | bigint>>;
}

/** Returns the bytes of a signed transaction. */
export async function signTransaction(draft: TransactionDraft): Promise<Uint8Array> {
  const { instructions, payer, blockhash, version = "legacy", tables, nonce, config } = draft;
  // The versions have different types with the same functions.
  const empty = { ...createTransactionMessage({ version: version as 0 }), ...(config && { config }) };
  const paid = setTransactionMessageFeePayerSigner(payer, empty);
  const timed =
    nonce === undefined
      ? setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: asBlockhash(blockhash), lastValidBlockHeight: 0n },
          paid,
        )
      : setTransactionMessageLifetimeUsingDurableNonce(
          { nonce: nonce.value as Nonce, nonceAccountAddress: nonce.account, nonceAuthorityAddress: nonce.authority },
          paid,
        );
  const message = pipe(
    timed as typeof paid & Parameters<typeof signTransactionMessageWithSigners>[0],
    (started) => appendTransactionMessageInstructions(instructions, started),
    (full) => (tables ? compressTransactionMessageUsingAddressLookupTables(full, tables) : full),
  );
  const signed = await signTransactionMessageWithSigners(
    message as Parameters<typeof signTransactionMessageWithSigners>[0],
  );
  return new Uint8Array(getTransactionEncoder().encode(signed));
}

/** Returns a key pair for a name: the same one in every run. */
export async function namedSigner(name: string): Promise<KeyPairSigner> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name));
  return createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(digest));
}
