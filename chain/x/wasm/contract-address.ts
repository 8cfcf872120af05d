import { type Bytes, concatBytes } from '@coin/base/bytes'
import { encodeUint64 } from '@coin/runtime/keys'
import { moduleSubAddress } from '@coin/wire/addresses'

const moduleName = 'wasm'

/** 32 bytes, from the code's and the contract's number. */
export function classicAddress(codeId: bigint, instanceId: bigint): Bytes {
  return moduleSubAddress(moduleName, concatBytes(encodeUint64(codeId), encodeUint64(instanceId)))
}

const withLength = (bytes: Bytes): Bytes => concatBytes(encodeUint64(BigInt(bytes.length)), bytes)

/** 32 bytes, known beforehand: `instantiate2`. `msg` is empty unless the creator fixed the message. */
export function predictableAddress(checksum: Bytes, creator: Bytes, salt: Bytes, msg: Bytes): Bytes {
  return moduleSubAddress(
    moduleName,
    concatBytes(withLength(checksum), withLength(creator), withLength(salt), withLength(msg)),
  )
}
