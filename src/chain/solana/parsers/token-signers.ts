/** The last accounts of token instructions: an owner who signs, or a multisig account and its signers. */
import type { Layout } from "./layout.ts";

/**
 * Returns a layout that ends with an authority. With more accounts the authority is a multisig account, and they are
 * its signers.
 * @param multisig the name of a multisig authority, where it does not follow from the name
 */
export function signedBy(name: string, layout: Layout, multisig = multisigName(name)): Layout {
  const position = layout.accounts.length;
  return {
    ...layout,
    finish(info, input) {
      const [authority, ...signers] = input.accounts.slice(position);
      if (authority === undefined) throw new RangeError("too few accounts");
      info[signers.length === 0 ? name : multisig] = authority;
      if (signers.length > 0) info.signers = signers;
      layout.finish?.(info, input);
    },
  };
}

const multisigName = (name: string): string => `multisig${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** The same for instructions whose sources are listed after the signers; `count` returns how many sources there are. */
export function signedBeforeSources(name: string, layout: Layout): Layout {
  const signed = signedBy(name, { ...layout });
  return {
    ...layout,
    finish(info, input) {
      const count = info.count as number;
      delete info.count;
      if (input.accounts.length < count + 3) throw new RangeError("too few accounts");
      const start = input.accounts.length - count;
      info.sourceAccounts = input.accounts.slice(start);
      signed.finish?.(info, { ...input, accounts: input.accounts.slice(0, start) });
    },
  };
}
