import { type Bytes, hexToBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Read } from '@coin/runtime/context'
import { sdkErrors } from '@coin/runtime/errors'
import { GasMeter, OutOfGas } from '@coin/runtime/gas'
import { encodeUint64, lengthPrefixedKey } from '@coin/runtime/keys'
import { onQuery, type QueryRoute } from '@coin/runtime/module'
import { paginate } from '@coin/runtime/pagination'
import { status } from '@coin/runtime/status'
import type { PageRequest } from '@coin/wire/gen/cosmos/base/query/v1beta1/pagination'
import * as api from '@coin/wire/gen/cosmwasm/wasm/v1/query'
import type { CodeInfo } from '@coin/wire/gen/cosmwasm/wasm/v1/types'
import { paramsDefault } from './access.js'
import { checkJson, checkSalt } from './checks.js'
import { predictableAddress } from './contract-address.js'
import { errors } from './errors.js'
import type { WasmKeeper } from './keeper.js'
import {
  codes,
  contractEntries,
  contracts,
  contractsByCode,
  contractsByCreator,
  history,
  params,
  pinnedCodes,
} from './state.js'

const service = '/cosmwasm.wasm.v1.Query'
const pageEntriesMax = 100n
const buildAddressGas = 10
/** JSON of the limits that differ from those built into cosmwasm-vm: here, as in wasmd's own binary, none. */
const changedLimits = '{}'

export function createWasmQueries(keeper: WasmKeeper): Record<string, QueryRoute> {
  return {
    ...contractQueries(keeper),
    ...stateQueries(keeper),
    ...codeQueries(keeper),
    [`${service}/Params`]: onQuery(api.QueryParamsRequest, api.QueryParamsResponse, (ctx) => ({
      params: params.get(ctx) ?? paramsDefault,
    })),
    [`${service}/WasmLimitsConfig`]: onQuery(
      api.QueryWasmLimitsConfigRequest,
      api.QueryWasmLimitsConfigResponse,
      () => ({ config: changedLimits }),
    ),
    [`${service}/BuildAddress`]: onQuery(
      api.QueryBuildAddressRequest,
      api.QueryBuildAddressResponse,
      (ctx, request) => {
        ctx.gas.consume(buildAddressGas, 'build address')
        return { address: buildAddress(keeper, request) }
      },
    ),
  }
}

function parseAddress(keeper: WasmKeeper, text: string, before = ''): Bytes {
  try {
    return keeper.addresses.decode(text)
  } catch (error) {
    throw error instanceof CodedError ? status('invalidArgument', `${before}${error.message}`) : error
  }
}

/** wasmd's own limits: no offsets, no totals, at most 100 entries. */
function pageOf(request: PageRequest | undefined): PageRequest {
  const { key, offset, limit, countTotal, reverse } = request ?? {
    ...{ key: new Uint8Array(0), offset: 0n, limit: pageEntriesMax, countTotal: false, reverse: false },
  }
  if (offset !== 0n || countTotal) throw status('invalidArgument', 'offset and count queries not supported')
  const entries = limit === 0n || limit > pageEntriesMax ? pageEntriesMax : limit
  return { key, offset, limit: entries, countTotal, reverse }
}

function requireContract(ctx: Read, keeper: WasmKeeper, text: string): Bytes {
  const contract = parseAddress(keeper, text)
  if (!contracts.has(ctx, contract)) throw status('notFound', `address ${text}: no such contract`)
  return contract
}

function contractQueries(keeper: WasmKeeper): Record<string, QueryRoute> {
  const { addresses } = keeper
  return {
    [`${service}/ContractInfo`]: onQuery(
      api.QueryContractInfoRequest,
      api.QueryContractInfoResponse,
      (ctx, request) => {
        const address = parseAddress(keeper, request.address)
        const contractInfo = contracts.get(ctx, address)
        if (contractInfo === undefined) throw status('notFound', `address ${request.address}: no such contract`)
        return { address: addresses.encode(address), contractInfo }
      },
    ),
    [`${service}/ContractHistory`]: onQuery(
      api.QueryContractHistoryRequest,
      api.QueryContractHistoryResponse,
      (ctx, request) => {
        const prefix = parseAddress(keeper, request.address)
        const filter = (key: { contract: Bytes }) => key.contract.length === prefix.length
        const page = paginate(ctx, history, pageOf(request.pagination), (_, entry) => entry, { prefix, filter })
        return { entries: page.items, pagination: page.pagination }
      },
    ),
    [`${service}/ContractsByCode`]: onQuery(
      api.QueryContractsByCodeRequest,
      api.QueryContractsByCodeResponse,
      (ctx, request) => {
        checkCodeId(request.codeId)
        const prefix = encodeUint64(request.codeId)
        const toText = ({ contract }: { contract: Bytes }) => addresses.encode(contract)
        const page = paginate(ctx, contractsByCode, pageOf(request.pagination), toText, { prefix })
        return { contracts: page.items, pagination: page.pagination }
      },
    ),
    [`${service}/ContractsByCreator`]: onQuery(
      api.QueryContractsByCreatorRequest,
      api.QueryContractsByCreatorResponse,
      (ctx, request) => {
        const prefix = lengthPrefixedKey.encode(parseAddress(keeper, request.creatorAddress))
        const toText = ({ contract }: { contract: Bytes }) => addresses.encode(contract)
        const page = paginate(ctx, contractsByCreator, pageOf(request.pagination), toText, { prefix })
        return { contractAddresses: page.items, pagination: page.pagination }
      },
    ),
  }
}

function stateQueries(keeper: WasmKeeper): Record<string, QueryRoute> {
  return {
    [`${service}/AllContractState`]: onQuery(
      api.QueryAllContractStateRequest,
      api.QueryAllContractStateResponse,
      (ctx, request) => {
        const prefix = requireContract(ctx, keeper, request.address)
        const toModel = (key: Bytes, value: Bytes) => ({ key: key.subarray(prefix.length), value })
        const page = paginate(ctx, contractEntries, pageOf(request.pagination), toModel, { prefix })
        return { models: page.items, pagination: page.pagination }
      },
    ),
    [`${service}/RawContractState`]: onQuery(
      api.QueryRawContractStateRequest,
      api.QueryRawContractStateResponse,
      (ctx, request) => {
        const contract = requireContract(ctx, keeper, request.address)
        return { data: keeper.queryRaw(ctx, contract, request.queryData) ?? new Uint8Array(0) }
      },
    ),
    [`${service}/SmartContractState`]: onQuery(
      api.QuerySmartContractStateRequest,
      api.QuerySmartContractStateResponse,
      (ctx, request) => ({ data: smartQuery(ctx, keeper, request) }),
    ),
  }
}

function smartQuery(ctx: Read, keeper: WasmKeeper, request: api.QuerySmartContractStateRequest): Bytes {
  try {
    checkJson(request.queryData, 'query data')
  } catch {
    throw status('invalidArgument', 'invalid query data')
  }
  const contract = parseAddress(keeper, request.address)
  const meter = new GasMeter(Math.min(ctx.gas.remaining, keeper.queryGasLimit))
  try {
    return keeper.querySmart(ctx.withGas(meter), contract, request.queryData)
  } catch (error) {
    if (error instanceof OutOfGas) {
      const used = `gasWanted: ${meter.limit}, gasUsed: ${meter.consumed}`
      throw sdkErrors.outOfGas(`out of gas in location: ${error.descriptor}; ${used}`)
    }
    const isMissing =
      error instanceof CodedError && error.codespace === 'wasm' && error.code === errors.noSuchContract.code
    throw isMissing ? status('notFound', error.message) : error
  }
}

function checkCodeId(codeId: bigint): void {
  if (codeId === 0n) throw status('invalidArgument', 'code id: invalid')
}

function requireCode(ctx: Read, codeId: bigint): CodeInfo {
  checkCodeId(codeId)
  const info = codes.get(ctx, codeId)
  if (info === undefined) throw status('notFound', `code id ${codeId}: no such code`)
  return info
}

function toCodeInfo(codeId: bigint, info: CodeInfo): api.CodeInfoResponse {
  const { creator, codeHash: dataHash, instantiateConfig: instantiatePermission } = info
  return { codeId, creator, dataHash, instantiatePermission }
}

function codeQueries(keeper: WasmKeeper): Record<string, QueryRoute> {
  return {
    [`${service}/Code`]: onQuery(api.QueryCodeRequest, api.QueryCodeResponse, (ctx, { codeId }) => {
      const info = requireCode(ctx, codeId)
      const data = keeper.codes.bytes(ctx, codeId)
      if (data === undefined) throw status('internal', `code ${codeId} is not on this node`)
      return { codeInfo: toCodeInfo(codeId, info), data }
    }),
    [`${service}/Codes`]: onQuery(api.QueryCodesRequest, api.QueryCodesResponse, (ctx, request) => {
      const page = paginate(ctx, codes, pageOf(request.pagination), toCodeInfo)
      return { codeInfos: page.items, pagination: page.pagination }
    }),
    [`${service}/CodeInfo`]: onQuery(api.QueryCodeInfoRequest, api.QueryCodeInfoResponse, (ctx, { codeId }) => {
      const { creator, codeHash: checksum, instantiateConfig: instantiatePermission } = requireCode(ctx, codeId)
      return { codeId, creator, checksum, instantiatePermission }
    }),
    [`${service}/PinnedCodes`]: onQuery(api.QueryPinnedCodesRequest, api.QueryPinnedCodesResponse, (ctx, request) => {
      const page = paginate(ctx, pinnedCodes, pageOf(request.pagination), (codeId) => codeId)
      return { codeIds: page.items, pagination: page.pagination }
    }),
  }
}

function buildAddress(keeper: WasmKeeper, request: api.QueryBuildAddressRequest): string {
  const hex = (text: string, what: string): Bytes => {
    try {
      return hexToBytes(text)
    } catch {
      throw status('invalidArgument', `invalid ${what}: "${text}" is not hexadecimal`)
    }
  }
  // Of several mistakes the first is told, in wasmd's order.
  const checksum = hex(request.codeHash, 'code hash')
  const creator = parseAddress(keeper, request.creatorAddress, 'invalid creator address: ')
  const salt = hex(request.salt, 'salt')
  if (checksum.length !== 32)
    throw status('invalidArgument', `invalid code hash: ${checksum.length} bytes, expected 32`)
  try {
    checkSalt(salt)
    if (request.initArgs.length > 0) checkJson(request.initArgs, 'init args')
  } catch (error) {
    throw error instanceof CodedError ? status('invalidArgument', error.message) : error
  }
  return keeper.addresses.encode(predictableAddress(checksum, creator, salt, request.initArgs))
}
