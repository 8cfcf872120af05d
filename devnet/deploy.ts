import { readFileSync } from 'node:fs'
import { formatJsonFile, writeFileWhole } from '@coin/node/home/write-file'
import { SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { GasPrice } from '@cosmjs/stargate'
import { type DevnetAccount, walletOf } from './accounts.js'
import { devnetPaths } from './options.js'

/** `.devnet/contracts.json`. */
export interface DevnetContracts {
  readonly cw20_code_id: number
  readonly launchpad: string
  readonly amm: string
}

/** What one transaction of the devnet offers for gas. */
export const devnetGasPrice = GasPrice.fromString('0.025ucoin')

/** How often a client looks for its transaction; CosmJS's own 3 s would be most of a start. */
export const devnetPollMs = 100

const launchpadLabel = 'coin launchpad'
const ammLabel = 'coin exchange pool'

/**
 * Stores and instantiates the contracts, step by step: a step that the chain has already is not done again, so an interrupted
 * deployment goes on where it stopped. Writes `contracts.json`.
 */
export async function deploy(rpc: string, operator: DevnetAccount, home: string): Promise<DevnetContracts> {
  const client = await SigningCosmWasmClient.connectWithSigner(rpc, await walletOf(operator), {
    gasPrice: devnetGasPrice,
    broadcastPollIntervalMs: devnetPollMs,
  })
  try {
    const cw20 = await storedCode(client, operator, 'cw20_base')
    const launchpadCode = await storedCode(client, operator, 'launchpad')
    const ammCode = await storedCode(client, operator, 'amm')
    const launchpad = await instance(client, operator, launchpadCode, launchpadLabel, { cw20_code_id: cw20 })
    const amm = await instance(client, operator, ammCode, ammLabel, { launchpad })
    const config: { amm: string | null } = await client.queryContractSmart(launchpad, { config: {} })
    if (config.amm === null) await client.execute(operator.address, launchpad, { update_config: { amm } }, 'auto')
    const contracts = { cw20_code_id: cw20, launchpad, amm }
    writeFileWhole(devnetPaths(home).contracts, formatJsonFile(contracts))
    return contracts
  } finally {
    client.disconnect()
  }
}

/** Code id of an artifact, stored now unless the operator has stored the same bytes before. */
async function storedCode(client: SigningCosmWasmClient, { address }: DevnetAccount, name: string): Promise<number> {
  const artifacts = new URL('../../contracts/artifacts/', import.meta.url)
  const checksum = readFileSync(new URL('checksums.txt', artifacts), 'utf8')
    .split('\n')
    .map((line) => line.split(/\s+/))
    .find(([, file]) => file === `${name}.wasm`)?.[0]
  const known = (await client.getCodes()).find((code) => code.creator === address && code.checksum === checksum)
  if (known !== undefined) return known.id
  const { codeId } = await client.upload(address, readFileSync(new URL(`${name}.wasm`, artifacts)), 'auto')
  return codeId
}

async function instance(
  client: SigningCosmWasmClient,
  { address }: DevnetAccount,
  codeId: number,
  label: string,
  message: object,
): Promise<string> {
  const known = (await client.getContracts(codeId))[0]
  if (known !== undefined) return known
  const { contractAddress } = await client.instantiate(address, codeId, message, label, 'auto', { admin: address })
  return contractAddress
}
