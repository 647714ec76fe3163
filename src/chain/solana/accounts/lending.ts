/** Accounts of lending programs: reserves and vaults, as far as they follow from their tokens. */
import { address, constant, padTo, u8, u64, u64Text } from "../values.ts";
import { type AccountLayout, anchorMark } from "./layout.ts";

/** By the program. What is not named is zero. */
export const LENDING_LAYOUTS: Readonly<Record<string, AccountLayout>> = {
  KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD: {
    type: "reserve",
    name: "Reserve",
    fields: {
      "#mark": anchorMark("Reserve"),
      "#version": constant(u64, 1),
      "#market": padTo(128),
      tokenMint: address,
      tokenVault: address,
      "#fees": padTo(224),
      tokenAvailable: u64Text,
      "#prices": padTo(272),
      tokenDecimals: u64,
      "#collateral": padTo(2560),
      sharesMint: address,
      sharesIssued: u64Text,
      sharesVault: address,
      "#padding": padTo(8624),
    },
  },
  KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd: {
    type: "vaultState",
    name: "VaultState",
    fields: {
      "#mark": anchorMark("VaultState"),
      "#authorities": padTo(80),
      tokenMint: address,
      tokenDecimals: u64,
      tokenVault: address,
      tokenProgram: address,
      sharesMint: address,
      sharesDecimals: u64,
      tokenAvailable: u64Text,
      sharesIssued: u64Text,
      "#padding": padTo(62_552),
    },
  },
  MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA: {
    type: "bank",
    name: "Bank",
    fields: {
      "#mark": anchorMark("Bank"),
      tokenMint: address,
      tokenDecimals: u8,
      "#group": padTo(112),
      tokenVault: address,
      "#padding": padTo(1864),
    },
  },
  So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo: {
    type: "reserve",
    name: "Reserve",
    fields: {
      "#version": constant(u8, 1),
      "#market": padTo(42),
      tokenMint: address,
      tokenDecimals: u8,
      tokenVault: address,
      "#oracles": padTo(171),
      tokenAvailable: u64Text,
      "#rates": padTo(227),
      sharesMint: address,
      sharesIssued: u64Text,
      sharesVault: address,
      "#padding": padTo(619),
    },
  },
};
