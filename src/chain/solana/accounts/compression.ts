/** Accounts of compressed NFTs: trees of hashes, and their configurations by Bubblegum. */
import { address, base64Bytes, bool, constant, items, padTo, struct, u8, u32, u64 } from "../values.ts";
import { type AccountLayout, anchorMark } from "./layout.ts";

/** The depth of a tree, the changes that it keeps, and the bytes before them. */
const DEPTH = 14;
const BUFFER = 64;

const node = base64Bytes(32);

/** Hashes from a leaf to the root, with the position of the leaf. */
const path = { nodes: items(node, { count: DEPTH }), index: u32, "#padding": u32 };

const CONFIG_BYTES = 96;

/** The layouts of trees and their configurations, and of accounts that only have a mark. */
export const COMPRESSION_LAYOUTS = {
  tree: {
    type: "concurrentMerkleTree",
    name: "ConcurrentMerkleTree",
    fields: {
      "#accountType": constant(u8, 1),
      "#version": u8,
      maxBufferSize: constant(u32, BUFFER),
      maxDepth: constant(u32, DEPTH),
      authority: address,
      creationSlot: u64,
      isBatchInitialized: bool,
      "#padding": items(u8, { count: 5 }),
      sequenceNumber: u64,
      activeIndex: u64,
      bufferSize: u64,
      changeLogs: items(struct({ root: node, ...path }, "ChangeLog"), { count: BUFFER }),
      rightmostProof: struct({ nodes: path.nodes, leaf: node, index: u32, "#padding": u32 }, "Path"),
    },
  },
  treeConfig: {
    type: "treeConfig",
    name: "TreeConfig",
    fields: {
      "#mark": anchorMark("TreeConfig"),
      treeCreator: address,
      treeDelegate: address,
      totalMintCapacity: u64,
      numMinted: u64,
      isPublic: bool,
      isDecompressible: u8,
      "#padding": padTo(CONFIG_BYTES),
    },
  },
  tipAccount: {
    type: "tipPaymentAccount",
    name: "TipPaymentAccount",
    fields: { "#mark": anchorMark("TipPaymentAccount") },
  },
} satisfies Record<string, AccountLayout>;
