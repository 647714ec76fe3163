/**
 * The interfaces of programs as data, by the names of the programs. A line is an instruction:
 *
 * ```
 * type#tag argument:type=source … | account … | remaining account … ; key in the data …
 * ```
 *
 * The tag is that of programs without the eight bytes of the Anchor framework, in hexadecimal digits. The value of an
 * argument has a source (see instruction-data.ts): by default the decoded argument of the same name. Accounts are in the order of the
 * program: `*` marks those that are written to, `!` those that sign. A line that begins with `=` says what accounts are:
 * another name, a program, an address, or one that a program derives, such as `<bonding-curve,$mint>` or `<state,$mint@program>`.
 */
export const PROGRAM_INTERFACES: Readonly<Record<string, string>> = {
  ComputeBudget: `
setComputeUnitLimit#02 units:u32
setComputeUnitPrice#03 microLamports:u64`,
  system: `
createAccount#00000000 lamports:u64 space:u64 owner:pubkey | source*! newAccount*! ; owner
transfer#02000000 lamports:u64 | source*! destination*`,
  "spl-token": `
transfer#03 amount:u64 | source* destination* authority!
setAuthority#06 authorityType:authority newAuthority:?pubkey | account* authority! ; newAuthority
mintTo#07 amount:u64 | mint* account* mintAuthority!
closeAccount#09 | account* destination* owner!
transferChecked#0c amount:u64=tokenAmount.amount decimals:u8=tokenAmount.decimals | source* mint destination* authority!
burnChecked#0f amount:u64=tokenAmount.amount decimals:u8=tokenAmount.decimals | account* mint* authority!
syncNative#11 | account*
initializeAccount3#12 owner:pubkey | account* mint ; owner
initializeMint2#14 decimals:u8 mintAuthority:pubkey freezeAuthority:?pubkey | mint* ; mintAuthority
getAccountDataSize#15 extensions:u16=7 | mint
initializeImmutableOwner#16 | account*
transferCheckedWithFee#1a01 amount:u64=tokenAmount.amount decimals:u8=tokenAmount.decimals fee:u64=feeAmount.amount | source* mint destination* authority!
withdrawWithheldTokensFromMint#1a02 | mint* feeRecipient* withdrawWithheldAuthority!
harvestWithheldTokensToMint#1a04 | mint*
initializeMintCloseAuthority#19 newAuthority:?pubkey | mint*
initializeTransferFeeConfig#1a00 transferFeeConfigAuthority:?pubkey withdrawWithheldAuthority:?pubkey transferFeeBasisPoints:u16 maximumFee:u64 | mint*
initializeNonTransferableMint#20 | mint*
initializeInterestBearingConfig#2100 rateAuthority:pubkey rate:u16 | mint*
initializePermanentDelegate#23 delegate:pubkey | mint*
initializeTransferHook#2400 authority:pubkey programId:pubkey | mint*
initializeMetadataPointer#2700 authority:pubkey metadataAddress:pubkey | mint*
initializeTokenMetadata#d2e11ea258b84d8d name:string symbol:string uri:string | metadata* updateAuthority mint mintAuthority!`,
  "spl-associated-token-account": `
create#00 | source*! account* wallet mint systemProgram tokenProgram
createIdempotent#01 | source*! account* wallet mint systemProgram tokenProgram`,
  "address-lookup-table": `
createLookupTable#00000000 recentSlot:u64 bumpSeed:u8 | lookupTableAccount* lookupTableAuthority payerAccount*! systemProgram
extendLookupTable#02000000 newAddresses:pubkeys | lookupTableAccount* lookupTableAuthority! payerAccount*! systemProgram`,
  stake: `
initialize#00000000 staker:pubkey=authorized.staker withdrawer:pubkey=authorized.withdrawer unixTimestamp:i64=0 epoch:u64=0 custodian:pubkey=0 | stakeAccount* rentSysvar ; staker
delegate#02000000 | stakeAccount* voteAccount clockSysvar stakeHistorySysvar stakeConfigAccount stakeAuthority!
split#03000000 lamports:u64 | stakeAccount* newSplitAccount* stakeAuthority!
withdraw#04000000 lamports:u64 | stakeAccount* destination* clockSysvar stakeHistorySysvar withdrawAuthority!
deactivate#05000000 | stakeAccount* clockSysvar stakeAuthority!
merge#07000000 | destination* source* clockSysvar stakeHistorySysvar stakeAuthority!`,
  vote: `
withdraw#03000000 lamports:u64 | voteAccount* destination* withdrawAuthority!
towersync#0e000000 slot:u64 | voteAccount* voteAuthority!`,
  "spl-memo": `
memo# memo:text`,
  token_metadata: `
createMetadataAccountV3#21 name:string symbol:string uri:string sellerFeeBasisPoints:u16 creators:?=x01 count:u32=1 creator:pubkey verified:bool=1 share:u8=100 collection:?=x00 uses:?=x00 isMutable:bool=1 collectionDetails:?=x00 | metadata* mint mintAuthority! payer*! updateAuthority systemProgram rent
createMasterEditionV3#11 maxSupply:?=x010000000000000000 | edition* mint* updateAuthority! mintAuthority! payer*! metadata* tokenProgram systemProgram rent
= metadata=<metadata,$program,$mint> edition=<metadata,$program,$mint,edition>`,
  candy_machine: `
mintV2 | candyMachine* authorityPda* payer*! nftOwner nftMint* nftMintAuthority! nftMetadata* nftMasterEdition* token* tokenRecord collectionDelegateRecord collectionMint collectionMetadata* collectionMasterEdition collectionUpdateAuthority tokenMetadataProgram splTokenProgram splAtaProgram systemProgram sysvarInstructions recentSlothashes
= authorityPda=<candy_machine,$candyMachine> nftOwner=payer nftMetadata=<metadata,$tokenMetadataProgram,$nftMint@tokenMetadataProgram> nftMasterEdition=<metadata,$tokenMetadataProgram,$nftMint,edition@tokenMetadataProgram> tokenRecord=program collectionDelegateRecord=<metadata,$tokenMetadataProgram,$collectionMint,collection_delegate,$collectionUpdateAuthority,$authorityPda@tokenMetadataProgram> collectionMetadata=<metadata,$tokenMetadataProgram,$collectionMint@tokenMetadataProgram> collectionMasterEdition=<metadata,$tokenMetadataProgram,$collectionMint,edition@tokenMetadataProgram> tokenMetadataProgram=metadata splTokenProgram=token splAtaProgram=associatedToken`,
  bubblegum: `
createTree maxDepth:u32=14 maxBufferSize:u32=64 public:?=x00 | treeAuthority* merkleTree* payer*! treeCreator! logWrapper compressionProgram systemProgram
mintV1 name:string symbol:string uri:string sellerFeeBasisPoints:u16=0 primarySaleHappened:bool=0 isMutable:bool=1 editionNonce:?=x00 tokenStandard:?=x0100 collection:?=x00 uses:?=x00 tokenProgramVersion:u8=0 creators:u32=0 | treeAuthority* leafOwner leafDelegate merkleTree* payer! treeDelegate! logWrapper compressionProgram systemProgram
transfer root:hash dataHash:hash creatorHash:hash nonce:u64=index index:u32 | treeAuthority leafOwner leafDelegate newLeafOwner merkleTree* logWrapper compressionProgram systemProgram
= treeAuthority=<$merkleTree> treeDelegate=payer logWrapper=noop compressionProgram=compression`,
  spl_account_compression: `
initEmptyMerkleTree maxDepth:u32=14 maxBufferSize:u32=64 | merkleTree* authority! noop
append leaf:hash | merkleTree* authority! noop
replaceLeaf root:hash previousLeaf:hash newLeaf:hash index:u32 | merkleTree* authority! noop`,
  spl_noop: `
noop# event:text`,
  squads_multisig_program: `
vaultTransactionExecute | multisig proposal* transaction member!`,
  pump: `
createV2 name:string symbol:string uri:string creator:pubkey=user isMayhemMode:bool=0 isCashbackEnabled:bool=0 creatorFeeBps:u64=0 isHolderReward:bool=0 | mint*! mintAuthority bondingCurve* associatedBondingCurve* global user*! systemProgram tokenProgram associatedTokenProgram mayhemProgramId* globalParams solVault* mayhemState* mayhemTokenVault* eventAuthority program
buy amount:u64=@associatedUser maxSolCost:u64=@bondingCurve+10 trackVolume:bool=1 | global feeRecipient* mint bondingCurve* associatedBondingCurve* associatedUser* user*! systemProgram tokenProgram creatorVault* eventAuthority program globalVolumeAccumulator userVolumeAccumulator* feeConfig feeProgram
sell amount:u64=@associatedUser minSolOutput:u64=@bondingCurve-10 | global feeRecipient* mint bondingCurve* associatedBondingCurve* associatedUser* user*! systemProgram creatorVault* tokenProgram eventAuthority program feeConfig feeProgram
migrate | global withdrawAuthority* mint bondingCurve* associatedBondingCurve* user*! systemProgram tokenProgram pumpAmm pool* poolAuthority* poolAuthorityMintAccount* poolAuthorityWsolAccount* ammGlobalConfig wsolMint lpMint* userPoolTokenAccount* poolBaseTokenAccount* poolQuoteTokenAccount* token2022Program associatedTokenProgram pumpAmmEventAuthority eventAuthority program rent
= global=<global> mintAuthority=<mint-authority> bondingCurve=<bonding-curve,$mint> tokenProgram=token2022 mayhemProgramId=MAyhSmzXzV1pTf7LsNkrNwkWKTo4ougAJ1PPg47MD4e globalParams=<global-params@mayhemProgramId> solVault=<sol-vault@mayhemProgramId> mayhemState=<mayhem-state,$mint@mayhemProgramId> mayhemTokenVault=<$solVault,$tokenProgram,$mint@associatedToken> creatorVault=<creator-vault,$creator> globalVolumeAccumulator=<global_volume_accumulator> userVolumeAccumulator=<user_volume_accumulator,$user> feeConfig=<fee_config,$program@feeProgram> feeProgram=pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ pumpAmm=pumpSwap ammGlobalConfig=<global_config@pumpAmm> poolAuthority=<pool-authority,$mint> pumpAmmEventAuthority=<__event_authority@pumpAmm> poolAuthorityWsolAccount=<$poolAuthority,$token,$wsolMint@associatedToken> pool=<pool,#0:2,$poolAuthority,$mint,$wsolMint@pumpAmm> lpMint=<pool_lp_mint,$pool@pumpAmm> userPoolTokenAccount=<$poolAuthority,$token2022,$lpMint@associatedToken> poolBaseTokenAccount=<$pool,$tokenProgram,$mint@associatedToken> poolQuoteTokenAccount=<$pool,$token,$wsolMint@associatedToken>`,
  pump_amm: `
buy baseAmountOut:u64=@poolBaseTokenAccount maxQuoteAmountIn:u64=@poolQuoteTokenAccount+10 trackVolume:bool=1 | pool* user*! globalConfig baseMint quoteMint userBaseTokenAccount* userQuoteTokenAccount* poolBaseTokenAccount* poolQuoteTokenAccount* protocolFeeRecipient protocolFeeRecipientTokenAccount* baseTokenProgram quoteTokenProgram systemProgram associatedTokenProgram eventAuthority program coinCreatorVaultAta* coinCreatorVaultAuthority globalVolumeAccumulator userVolumeAccumulator* feeConfig feeProgram
sell baseAmountIn:u64=@poolBaseTokenAccount minQuoteAmountOut:u64=@poolQuoteTokenAccount-10 | pool* user*! globalConfig baseMint quoteMint userBaseTokenAccount* userQuoteTokenAccount* poolBaseTokenAccount* poolQuoteTokenAccount* protocolFeeRecipient protocolFeeRecipientTokenAccount* baseTokenProgram quoteTokenProgram systemProgram associatedTokenProgram eventAuthority program coinCreatorVaultAta* coinCreatorVaultAuthority feeConfig feeProgram
createPool index:u16=0 baseAmountIn:u64=@poolBaseTokenAccount quoteAmountIn:u64=@poolQuoteTokenAccount coinCreator:pubkey=0 isMayhemMode:bool=0 isCashbackCoin:bool=0 creatorFeeBps:u64=0 canEditCreatorFee:bool=0 isHolderReward:bool=0 | pool* globalConfig creator*! baseMint quoteMint lpMint*  userBaseTokenAccount* userQuoteTokenAccount* userPoolTokenAccount* poolBaseTokenAccount* poolQuoteTokenAccount* systemProgram token2022Program baseTokenProgram quoteTokenProgram associatedTokenProgram eventAuthority program
deposit lpTokenAmountOut:u64=@userPoolTokenAccount maxBaseAmountIn:u64=@poolBaseTokenAccount+10 maxQuoteAmountIn:u64=@poolQuoteTokenAccount+10 | pool* globalConfig user! baseMint quoteMint lpMint* userBaseTokenAccount* userQuoteTokenAccount* userPoolTokenAccount* poolBaseTokenAccount* poolQuoteTokenAccount* tokenProgram token2022Program eventAuthority program
withdraw lpTokenAmountIn:u64=@userPoolTokenAccount minBaseAmountOut:u64=@poolBaseTokenAccount-10 minQuoteAmountOut:u64=@poolQuoteTokenAccount-10 | pool* globalConfig user! baseMint quoteMint lpMint* userBaseTokenAccount* userQuoteTokenAccount* userPoolTokenAccount* poolBaseTokenAccount* poolQuoteTokenAccount* tokenProgram token2022Program eventAuthority program
= globalConfig=<global_config> creator=user baseMint=mintA quoteMint=mintB userBaseTokenAccount=userA userQuoteTokenAccount=userB poolBaseTokenAccount=vaultA poolQuoteTokenAccount=vaultB baseTokenProgram=programA quoteTokenProgram=programB lpMint=<pool_lp_mint,$pool> userPoolTokenAccount=<$user,$token2022,$lpMint@associatedToken> protocolFeeRecipient=62qc2CNXwrYqQScmEdiZFFAnJR262PxWEuNQtxfafNgV protocolFeeRecipientTokenAccount=<$protocolFeeRecipient,$quoteTokenProgram,$quoteMint@associatedToken> coinCreatorVaultAuthority=<creator_vault,$system> coinCreatorVaultAta=<$coinCreatorVaultAuthority,$quoteTokenProgram,$quoteMint@associatedToken> globalVolumeAccumulator=<global_volume_accumulator> userVolumeAccumulator=<user_volume_accumulator,$user> feeConfig=<fee_config,$program@feeProgram> feeProgram=pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ`,
  whirlpool: `
swapV2 amount:u64=@first otherAmountThreshold:u64=@last-5 sqrtPriceLimit:u128=0 amountSpecifiedIsInput:bool=1 aToB:bool=>tokenVaultA remainingAccountsInfo:?RemainingAccountsInfo=x00 | tokenProgramA tokenProgramB memoProgram tokenAuthority! whirlpool* tokenMintA tokenMintB tokenOwnerAccountA* tokenVaultA* tokenOwnerAccountB* tokenVaultB* tickArray0* tickArray1* tickArray2* oracle*
initializePoolV2 tickSpacing:u16=64 initialSqrtPrice:u128=sqrtPrice | whirlpoolsConfig tokenMintA tokenMintB tokenBadgeA tokenBadgeB funder*! whirlpool* tokenVaultA*! tokenVaultB*! feeTier tokenProgramA tokenProgramB systemProgram rent
increaseLiquidityV2 liquidityAmount:u128=liquidity tokenMaxA:u64=@tokenVaultA+5 tokenMaxB:u64=@tokenVaultB+5 remainingAccountsInfo:?RemainingAccountsInfo=x00 | whirlpool* tokenProgramA tokenProgramB memoProgram positionAuthority! position* positionTokenAccount tokenMintA tokenMintB tokenOwnerAccountA* tokenOwnerAccountB* tokenVaultA* tokenVaultB* tickArrayLower* tickArrayUpper*
decreaseLiquidityV2 liquidityAmount:u128=liquidity tokenMinA:u64=@tokenVaultA-5 tokenMinB:u64=@tokenVaultB-5 remainingAccountsInfo:?RemainingAccountsInfo=x00 | whirlpool* tokenProgramA tokenProgramB memoProgram positionAuthority! position* positionTokenAccount tokenMintA tokenMintB tokenOwnerAccountA* tokenOwnerAccountB* tokenVaultA* tokenVaultB* tickArrayLower* tickArrayUpper*
= tokenProgramA=programA tokenProgramB=programB tokenAuthority=user positionAuthority=user funder=user whirlpool=pool tokenMintA=mintA tokenMintB=mintB tokenOwnerAccountA=userA tokenOwnerAccountB=userB tokenVaultA=vaultA tokenVaultB=vaultB oracle=<oracle,$whirlpool> whirlpoolsConfig=2LecshUwdy9xi7meFgHtFJQNSKk4KdTrcpvaB56dP2NQ tokenBadgeA=<token_badge,$whirlpoolsConfig,$tokenMintA> tokenBadgeB=<token_badge,$whirlpoolsConfig,$tokenMintB> feeTier=<fee_tier,$whirlpoolsConfig,#64:2> position=<position,$positionMint> positionMint=<mint,$pool,$user@token2022> positionTokenAccount=<$user,$token2022,$positionMint@associatedToken> tickArrayLower=tickArray0 tickArrayUpper=tickArray1 tickArray0=<tick_array,$whirlpool,$tick0> tickArray1=<tick_array,$whirlpool,$tick1> tickArray2=<tick_array,$whirlpool,$tick2>`,
  raydium_amm: `
initialize2#01 nonce:u8=254 openTime:u64=0 initPcAmount:u64=@poolPcTokenAccount initCoinAmount:u64=@poolCoinTokenAccount | tokenProgram splAssociatedTokenAccount systemProgram rent amm* ammAuthority ammOpenOrders* lpMint* coinMint pcMint poolCoinTokenAccount* poolPcTokenAccount* poolWithdrawQueue* ammTargetOrders* poolTempLp* serumProgram serumMarket userWallet*! userTokenCoin* userTokenPc* userLpTokenAccount*
deposit#03 maxCoinAmount:u64=@poolCoinTokenAccount+5 maxPcAmount:u64=@poolPcTokenAccount+5 baseSide:u64=0 | tokenProgram amm* ammAuthority ammOpenOrders ammTargetOrders* lpMintAddress* poolCoinTokenAccount* poolPcTokenAccount* serumMarket userCoinTokenAccount* userPcTokenAccount* userLpTokenAccount* userOwner! serumEventQueue
withdraw#04 amount:u64=@userLpTokenAccount | tokenProgram amm* ammAuthority ammOpenOrders* ammTargetOrders* lpMintAddress* poolCoinTokenAccount* poolPcTokenAccount* poolWithdrawQueue* poolTempLpTokenAccount* serumProgram serumMarket* serumCoinVaultAccount* serumPcVaultAccount* serumVaultSigner userLpTokenAccount* uerCoinTokenAccount* uerPcTokenAccount* userOwner! serumEventQ* serumBids* serumAsks*
swapBaseIn#09 amountIn:u64=@uerSourceTokenAccount minimumAmountOut:u64=@uerDestinationTokenAccount-5 | tokenProgram amm* ammAuthority ammOpenOrders* ammTargetOrders* poolCoinTokenAccount* poolPcTokenAccount* serumProgram serumMarket* serumBids* serumAsks* serumEventQueue* serumCoinVaultAccount* serumPcVaultAccount* serumVaultSigner uerSourceTokenAccount* uerDestinationTokenAccount* userSourceOwner!
= splAssociatedTokenAccount=associatedToken amm=pool ammAuthority=authority coinMint=mintA pcMint=mintB lpMintAddress=lpMint userWallet=user userOwner=user userSourceOwner=user userTokenCoin=userA userTokenPc=userB userCoinTokenAccount=userA userPcTokenAccount=userB uerCoinTokenAccount=userA uerPcTokenAccount=userB userLpTokenAccount=<$user,$tokenProgram,$lpMint@associatedToken> uerSourceTokenAccount=userIn uerDestinationTokenAccount=userOut poolCoinTokenAccount=vaultA poolPcTokenAccount=vaultB ammOpenOrders=<$program,$market,open_order_associated_seed> ammTargetOrders=<$program,$market,target_associated_seed> poolWithdrawQueue=<$program,$market,withdraw_associated_seed> poolTempLp=<$program,$market,temp_lp_token_associated_seed> poolTempLpTokenAccount=poolTempLp serumMarket=market serumEventQ=serumEventQueue serumBids=<bids,$market@serumProgram> serumAsks=<asks,$market@serumProgram> serumEventQueue=<events,$market@serumProgram> serumCoinVaultAccount=<coin,$market@serumProgram> serumPcVaultAccount=<pc,$market@serumProgram> serumVaultSigner=<signer,$market@serumProgram> serumProgram=srmqPvymJeFKQ4zGQed1GFppgkRHL9kaELCbyksJtPX`,
  raydium_amm_v3: `
createPool sqrtPriceX64:u128=sqrtPrice openTime:u64=0 | poolCreator*! ammConfig poolState* tokenMint0 tokenMint1 tokenVault0* tokenVault1* observationState* tickArrayBitmap* tokenProgram0 tokenProgram1 systemProgram rent
increaseLiquidityV2 liquidity:u128 amount0Max:u64=@tokenVault0+5 amount1Max:u64=@tokenVault1+5 baseFlag:?bool=x00 | nftOwner! nftAccount poolState* protocolPosition* personalPosition* tickArrayLower* tickArrayUpper* tokenAccount0* tokenAccount1* tokenVault0* tokenVault1* tokenProgram tokenProgram2022 vault0Mint vault1Mint
decreaseLiquidityV2 liquidity:u128 amount0Min:u64=@tokenVault0-5 amount1Min:u64=@tokenVault1-5 | nftOwner! nftAccount personalPosition* poolState* protocolPosition* tokenVault0* tokenVault1* tickArrayLower* tickArrayUpper* recipientTokenAccount0* recipientTokenAccount1* tokenProgram tokenProgram2022 memoProgram vault0Mint vault1Mint
swapV2 amount:u64=@inputTokenAccount otherAmountThreshold:u64=@outputTokenAccount-5 sqrtPriceLimitX64:u128=0 isBaseInput:bool=1 | payer! ammConfig poolState* inputTokenAccount* outputTokenAccount* inputVault* outputVault* observationState* tokenProgram tokenProgram2022 memoProgram inputVaultMint outputVaultMint | tickArrayBitmap* tickArrayLower* tickArrayUpper*
= poolCreator=user payer=user nftOwner=user poolState=pool ammConfig=<amm_config,#1:-2> tokenMint0=mintA tokenMint1=mintB vault0Mint=mintA vault1Mint=mintB tokenVault0=vaultA tokenVault1=vaultB tokenProgram0=programA tokenProgram1=programB observationState=<observation,$poolState> tickArrayBitmap=<pool_tick_array_bitmap_extension,$poolState> tokenAccount0=userA tokenAccount1=userB recipientTokenAccount0=userA recipientTokenAccount1=userB inputTokenAccount=userIn outputTokenAccount=userOut inputVault=vaultIn outputVault=vaultOut inputVaultMint=mintIn outputVaultMint=mintOut positionMint=<mint,$pool,$user@token2022> nftAccount=<$user,$token2022,$positionMint@associatedToken> personalPosition=<position,$positionMint> protocolPosition=<position,$poolState,$tick0,$tick1> tickArrayLower=<tick_array,$poolState,$tick0> tickArrayUpper=<tick_array,$poolState,$tick1>`,
  meteora_dlmm: `
swap2 amountIn:u64=@userTokenIn minAmountOut:u64=@userTokenOut-5 remainingAccountsInfo:RemainingAccountsInfo=x00000000 | lbPair* binArrayBitmapExtension* reserveX* reserveY* userTokenIn* userTokenOut* tokenXMint tokenYMint oracle* hostFeeIn* user! tokenXProgram tokenYProgram memoProgram eventAuthority program | binArray0* binArray1*
initializeLbPair2 activeId:i32 padding:padding | lbPair* binArrayBitmapExtension* tokenMintX tokenMintY reserveX* reserveY* oracle* presetParameter funder*! tokenBadgeX tokenBadgeY tokenProgramX tokenProgramY systemProgram eventAuthority program
addLiquidityByStrategy2 amountX:u64=@reserveX amountY:u64=@reserveY activeId:i32 maxActiveBinSlippage:i32=3 minBinId:i32 maxBinId:i32 strategyType:u8=6 parameteres:padding64 remainingAccountsInfo:RemainingAccountsInfo=x00000000 | position* lbPair* binArrayBitmapExtension* userTokenX* userTokenY* reserveX* reserveY* tokenXMint tokenYMint sender! tokenXProgram tokenYProgram eventAuthority program | binArray0* binArray1*
removeLiquidityByRange2 fromBinId:i32=minBinId toBinId:i32=maxBinId bpsToRemove:u16=10000 remainingAccountsInfo:RemainingAccountsInfo=x00000000 | position* lbPair* binArrayBitmapExtension* userTokenX* userTokenY* reserveX* reserveY* tokenXMint tokenYMint sender! tokenXProgram tokenYProgram memoProgram eventAuthority program | binArray0* binArray1*
= lbPair=pool binArrayBitmapExtension=program hostFeeIn=program tokenBadgeX=program tokenBadgeY=program funder=user sender=user tokenMintX=mintA tokenMintY=mintB tokenXMint=mintA tokenYMint=mintB tokenProgramX=programA tokenProgramY=programB tokenXProgram=programA tokenYProgram=programB reserveX=vaultA reserveY=vaultB userTokenX=userA userTokenY=userB userTokenIn=userIn userTokenOut=userOut oracle=<oracle,$lbPair> presetParameter=<preset_parameter2,#0:2> position=<position,$lbPair,$user,$tick0,#70:4> binArray0=<bin_array,$lbPair,$tick0> binArray1=<bin_array,$lbPair,$tick1>`,
  jupiter_v6: `
sharedAccountsRoute id:u8=1 routePlan:routePlan inAmount:u64=@sourceTokenAccount quotedOutAmount:u64=@destinationTokenAccount slippageBps:u16=50 platformFeeBps:u8=0 | tokenProgram programAuthority userTransferAuthority! sourceTokenAccount* programSourceTokenAccount* programDestinationTokenAccount* destinationTokenAccount* sourceMint destinationMint platformFeeAccount* token2022Program eventAuthority program
= programAuthority=<authority,#1:1> userTransferAuthority=user sourceTokenAccount=userIn destinationTokenAccount=userOut sourceMint=mintIn destinationMint=mintOut programSourceTokenAccount=<$programAuthority,$programIn,$mintIn@associatedToken> programDestinationTokenAccount=<$programAuthority,$programOut,$mintOut@associatedToken> platformFeeAccount=program`,
};
