import { type Bytes, utf8ToBytes } from '@coin/base/bytes'
import type { EncodeObject } from '@cosmjs/proto-signing'
import { MsgExecuteContract, MsgInstantiateContract, MsgStoreCode } from 'cosmjs-types/cosmwasm/wasm/v1/tx'

export function storeMsg(sender: string, wasmByteCode: Bytes): EncodeObject {
  return { typeUrl: '/cosmwasm.wasm.v1.MsgStoreCode', value: MsgStoreCode.fromPartial({ sender, wasmByteCode }) }
}

export function instantiateMsg(sender: string, codeId: bigint, msg: object = {}): EncodeObject {
  const fields = { sender, codeId, label: 'test', msg: utf8ToBytes(JSON.stringify(msg)) }
  return { typeUrl: '/cosmwasm.wasm.v1.MsgInstantiateContract', value: MsgInstantiateContract.fromPartial(fields) }
}

export function executeMsg(sender: string, contract: string, msg: object = {}): EncodeObject {
  const fields = { sender, contract, msg: utf8ToBytes(JSON.stringify(msg)) }
  return { typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract', value: MsgExecuteContract.fromPartial(fields) }
}
