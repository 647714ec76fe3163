/** Instructions of Metaplex Token Metadata: their names, and what those that create metadata say. */
import { option, text32, u16 } from "../values.ts";
import { layout, type ProgramLayouts } from "./layout.ts";

/** By hand: the published client lacks the oldest. A test compares the others with it. */
const NAMES = `createMetadataAccount updateMetadataAccount deprecatedCreateMasterEdition
  deprecatedMintNewEditionFromMasterEditionViaPrintingToken updatePrimarySaleHappenedViaToken
  deprecatedSetReservationList deprecatedCreateReservationList signMetadata deprecatedMintPrintingTokensViaToken
  deprecatedMintPrintingTokens createMasterEdition mintNewEditionFromMasterEditionViaToken convertMasterEditionV1ToV2
  mintNewEditionFromMasterEditionViaVaultProxy puffMetadata updateMetadataAccountV2 createMetadataAccountV2
  createMasterEditionV3 verifyCollection utilize approveUseAuthority revokeUseAuthority unverifyCollection
  approveCollectionAuthority revokeCollectionAuthority setAndVerifyCollection freezeDelegatedAccount
  thawDelegatedAccount removeCreatorVerification burnNft verifySizedCollectionItem unverifySizedCollectionItem
  setAndVerifySizedCollectionItem createMetadataAccountV3 setCollectionSize setTokenStandard
  bubblegumSetCollectionSize burnEditionNft createEscrowAccount closeEscrowAccount transferOutOfEscrow burn create
  mint delegate revoke lock unlock migrate transfer update use verify unverify collect print resize closeAccounts`.split(
  /\s+/,
);

const CREATE = /^createMetadataAccount/;
const EDITION = /^createMasterEdition/;

/** Token metadata. Nodes do not parse it. */
export const TOKEN_METADATA: ProgramLayouts = {
  program: "token_metadata",
  select(reader) {
    const name = NAMES[reader.u8()];
    if (name === undefined) return undefined;
    if (CREATE.test(name)) {
      return layout(name, "metadata mint mintAuthority payer updateAuthority", {
        name: text32,
        symbol: text32,
        uri: text32,
        sellerFeeBasisPoints: u16,
      });
    }
    if (EDITION.test(name)) {
      return layout(name, "edition mint updateAuthority mintAuthority payer metadata", {
        maxSupply: option((data) => String(data.u64())),
      });
    }
    return layout(name, "");
  },
};
