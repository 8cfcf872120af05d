/** One implementation of ECDSA over secp256k1. Arguments have the right lengths; anything else about them may be wrong. */
export interface Secp256k1 {
  readonly name: 'libsecp256k1' | 'noble'
  /** Why the native library is not used. */
  readonly reason?: string
  /** May throw for a key or signature that is not on the curve; a high s is false. */
  verify(signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean
  /** RFC 6979, low s. */
  sign(digest: Uint8Array, privateKey: Uint8Array): Uint8Array
  /** Compressed, 33 bytes. */
  publicKey(privateKey: Uint8Array): Uint8Array
}
