import { nobleSecp256k1 } from '../noble-secp256k1.js'
import type { Secp256k1 } from '../secp256k1.js'

export function loadSecp256k1(): Secp256k1 {
  return nobleSecp256k1('not running on Node')
}
