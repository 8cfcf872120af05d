// SHA-256 of tree nodes, four at a time in the lanes of 128-bit vectors. AssemblyScript; built by build.mjs into kernel.ts.
//
// Node records are 64 bytes at address id * 64, little-endian 32-bit words:
//   left, right, size, version, key address, height | key length << 8, first 8 key bytes (two words), hash (32 bytes).
// The caller writes lists into the same memory. Scratch addresses below are those of packed-arena.ts.

// Round constants of FIPS 180-4, section 4.2.2.
const K: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
])
const STATE: usize = 512
const W: usize = 1024
const LANES: usize = 4096
const LANE_BYTES: usize = 1024

@inline function rotr(x: v128, n: i32): v128 {
  return v128.or(i32x4.shr_u(x, n), i32x4.shl(x, 32 - n))
}

@inline function temp1(e: v128, f: v128, g: v128, h: v128, i: usize): v128 {
  const s1 = v128.xor(v128.xor(rotr(e, 6), rotr(e, 11)), rotr(e, 25))
  const ch = v128.bitselect(f, g, e)
  const kw = i32x4.add(v128.load(W + (i << 4)), v128.load32_splat(K + (i << 2)))
  return i32x4.add(i32x4.add(h, s1), i32x4.add(ch, kw))
}

@inline function temp2(a: v128, b: v128, c: v128): v128 {
  const s0 = v128.xor(v128.xor(rotr(a, 2), rotr(a, 13)), rotr(a, 22))
  const maj = v128.bitselect(c, b, v128.xor(a, b))
  // maj(a,b,c): where a and b differ c decides, else b (== a).
  return i32x4.add(s0, maj)
}

@inline function loadWords(p: usize): v128 {
  const x = v128.load(p)
  return v128.shuffle<u8>(x, x, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12)
}

@inline function storeWords(p: usize, x: v128): void {
  v128.store(p, v128.shuffle<u8>(x, x, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12))
}

/** Words 4q..4q+3 of one block of each lane, transposed so that vector t holds word t of all four lanes. */
function loadQuad(p0: usize, p1: usize, p2: usize, p3: usize, q: usize): void {
  const o = q << 4
  const a = loadWords(p0 + o)
  const b = loadWords(p1 + o)
  const c = loadWords(p2 + o)
  const d = loadWords(p3 + o)
  const ab0 = v128.shuffle<u32>(a, b, 0, 4, 1, 5)
  const ab1 = v128.shuffle<u32>(a, b, 2, 6, 3, 7)
  const cd0 = v128.shuffle<u32>(c, d, 0, 4, 1, 5)
  const cd1 = v128.shuffle<u32>(c, d, 2, 6, 3, 7)
  const w = W + (q << 6)
  v128.store(w, v128.shuffle<u64>(ab0, cd0, 0, 2))
  v128.store(w, v128.shuffle<u64>(ab0, cd0, 1, 3), 16)
  v128.store(w, v128.shuffle<u64>(ab1, cd1, 0, 2), 32)
  v128.store(w, v128.shuffle<u64>(ab1, cd1, 1, 3), 48)
}

function resetState(): void {
  v128.store(STATE, i32x4.splat(0x6a09e667), 0)
  v128.store(STATE, i32x4.splat(0xbb67ae85), 16)
  v128.store(STATE, i32x4.splat(0x3c6ef372), 32)
  v128.store(STATE, i32x4.splat(0xa54ff53a), 48)
  v128.store(STATE, i32x4.splat(0x510e527f), 64)
  v128.store(STATE, i32x4.splat(0x9b05688c), 80)
  v128.store(STATE, i32x4.splat(0x1f83d9ab), 96)
  v128.store(STATE, i32x4.splat(0x5be0cd19), 112)
}

/** One 64-byte block of each lane into the state. */
function compress(p0: usize, p1: usize, p2: usize, p3: usize): void {
  loadQuad(p0, p1, p2, p3, 0)
  loadQuad(p0, p1, p2, p3, 1)
  loadQuad(p0, p1, p2, p3, 2)
  loadQuad(p0, p1, p2, p3, 3)
  for (let p: usize = W; p < W + 768; p += 16) {
    const w15 = v128.load(p, 16)
    const w2 = v128.load(p, 224)
    const s0 = v128.xor(v128.xor(rotr(w15, 7), rotr(w15, 18)), i32x4.shr_u(w15, 3))
    const s1 = v128.xor(v128.xor(rotr(w2, 17), rotr(w2, 19)), i32x4.shr_u(w2, 10))
    v128.store(p, i32x4.add(i32x4.add(v128.load(p), s0), i32x4.add(v128.load(p, 144), s1)), 256)
  }
  let a = v128.load(STATE, 0)
  let b = v128.load(STATE, 16)
  let c = v128.load(STATE, 32)
  let d = v128.load(STATE, 48)
  let e = v128.load(STATE, 64)
  let f = v128.load(STATE, 80)
  let g = v128.load(STATE, 96)
  let h = v128.load(STATE, 112)
  for (let i: usize = 0; i < 64; i += 8) {
    h = temp1(e, f, g, h, i); d = i32x4.add(d, h); h = i32x4.add(h, temp2(a, b, c))
    g = temp1(d, e, f, g, i + 1); c = i32x4.add(c, g); g = i32x4.add(g, temp2(h, a, b))
    f = temp1(c, d, e, f, i + 2); b = i32x4.add(b, f); f = i32x4.add(f, temp2(g, h, a))
    e = temp1(b, c, d, e, i + 3); a = i32x4.add(a, e); e = i32x4.add(e, temp2(f, g, h))
    d = temp1(a, b, c, d, i + 4); h = i32x4.add(h, d); d = i32x4.add(d, temp2(e, f, g))
    c = temp1(h, a, b, c, i + 5); g = i32x4.add(g, c); c = i32x4.add(c, temp2(d, e, f))
    b = temp1(g, h, a, b, i + 6); f = i32x4.add(f, b); b = i32x4.add(b, temp2(c, d, e))
    a = temp1(f, g, h, a, i + 7); e = i32x4.add(e, a); a = i32x4.add(a, temp2(b, c, d))
  }
  v128.store(STATE, i32x4.add(v128.load(STATE, 0), a), 0)
  v128.store(STATE, i32x4.add(v128.load(STATE, 16), b), 16)
  v128.store(STATE, i32x4.add(v128.load(STATE, 32), c), 32)
  v128.store(STATE, i32x4.add(v128.load(STATE, 48), d), 48)
  v128.store(STATE, i32x4.add(v128.load(STATE, 64), e), 64)
  v128.store(STATE, i32x4.add(v128.load(STATE, 80), f), 80)
  v128.store(STATE, i32x4.add(v128.load(STATE, 96), g), 96)
  v128.store(STATE, i32x4.add(v128.load(STATE, 112), h), 112)
}

/** Digest of lane `lane` as it stands. */
function storeDigest(lane: usize, out: usize): void {
  const o = STATE + (lane << 2)
  for (let i: usize = 0; i < 8; i++) store<u32>(out + (i << 2), bswap<u32>(load<u32>(o + (i << 4))))
}

/** Digests of all lanes at once. */
function storeDigests(o0: usize, o1: usize, o2: usize, o3: usize): void {
  for (let half: usize = 0; half < 2; half++) {
    const s = STATE + (half << 6)
    const a = v128.load(s)
    const b = v128.load(s, 16)
    const c = v128.load(s, 32)
    const d = v128.load(s, 48)
    const ab0 = v128.shuffle<u32>(a, b, 0, 4, 1, 5)
    const ab1 = v128.shuffle<u32>(a, b, 2, 6, 3, 7)
    const cd0 = v128.shuffle<u32>(c, d, 0, 4, 1, 5)
    const cd1 = v128.shuffle<u32>(c, d, 2, 6, 3, 7)
    const o = half << 4
    storeWords(o0 + o, v128.shuffle<u64>(ab0, cd0, 0, 2))
    storeWords(o1 + o, v128.shuffle<u64>(ab0, cd0, 1, 3))
    storeWords(o2 + o, v128.shuffle<u64>(ab1, cd1, 0, 2))
    storeWords(o3 + o, v128.shuffle<u64>(ab1, cd1, 1, 3))
  }
}

@inline function putUvarint(p: usize, value: u64): usize {
  while (value >= 0x80) {
    store<u8>(p++, <u8>value | 0x80)
    value >>= 7
  }
  store<u8>(p++, <u8>value)
  return p
}

@inline function putHash(p: usize, from: usize): usize {
  store<u8>(p, 0x20)
  v128.store(p + 1, v128.load(from))
  v128.store(p + 17, v128.load(from + 16))
  return p + 33
}

/** Writes the padding of a message of `length` bytes at `p`; returns its number of blocks. */
function pad(p: usize, length: usize): usize {
  const blocks = (length + 72) >> 6
  store<u8>(p + length, 0x80)
  memory.fill(p + length + 1, 0, (blocks << 6) - length - 9)
  store<u64>(p + (blocks << 6) - 8, bswap<u64>(<u64>length << 3))
  return blocks
}

/** The inner node's message is 69 to 78 bytes: always two blocks. */
function putInner(node: usize, p: usize): void {
  v128.store(p, i32x4.splat(0), 64)
  v128.store(p, i32x4.splat(0), 80)
  v128.store(p, i32x4.splat(0), 96)
  v128.store(p, i32x4.splat(0), 112)
  const rec = node << 6
  let q = putUvarint(p, <u64>load<u8>(rec, 20) << 1)
  q = putUvarint(q, <u64>load<u32>(rec, 8) << 1)
  q = putUvarint(q, <u64>load<u32>(rec, 12) << 1)
  q = putHash(q, (<usize>load<u32>(rec, 0) << 6) + 32)
  q = putHash(q, (<usize>load<u32>(rec, 4) << 6) + 32)
  store<u8>(q, 0x80)
  store<u64>(p, bswap<u64>(<u64>(q - p) << 3), 120)
}

/** The leaf's message: its value hash stands where its hash will. Returns the number of blocks. */
function putLeaf(node: usize, p: usize): usize {
  const rec = node << 6
  const keyLength = load<u32>(rec, 20) >> 8
  store<u16>(p, 0x0200)
  let q = putUvarint(p + 2, <u64>load<u32>(rec, 12) << 1)
  q = putUvarint(q, keyLength)
  memory.copy(q, load<u32>(rec, 16), keyLength)
  q = putHash(q + keyLength, rec + 32)
  return pad(p, q - p)
}

/** Hashes the inner nodes whose numbers stand at `list`. None may be an ancestor of another. */
export function hashInner(list: usize, count: usize): void {
  const l1 = LANES + LANE_BYTES
  const l2 = l1 + LANE_BYTES
  const l3 = l2 + LANE_BYTES
  for (let i: usize = 0; i < count; i += 4) {
    const last = count - 1
    const n0 = <usize>load<u32>(list + (i << 2))
    const n1 = <usize>load<u32>(list + (min(i + 1, last) << 2))
    const n2 = <usize>load<u32>(list + (min(i + 2, last) << 2))
    const n3 = <usize>load<u32>(list + (min(i + 3, last) << 2))
    putInner(n0, LANES)
    putInner(n1, l1)
    putInner(n2, l2)
    putInner(n3, l3)
    resetState()
    compress(LANES, l1, l2, l3)
    compress(LANES + 64, l1 + 64, l2 + 64, l3 + 64)
    storeDigests((n0 << 6) + 32, (n1 << 6) + 32, (n2 << 6) + 32, (n3 << 6) + 32)
  }
}

/** Runs four padded messages of b0..b3 blocks; a lane's digest is taken when its own blocks are done. */
function runLanes(p0: usize, p1: usize, p2: usize, p3: usize, b0: usize, b1: usize, b2: usize, b3: usize, o0: usize, o1: usize, o2: usize, o3: usize): void {
  const blocks = max(max(b0, b1), max(b2, b3))
  resetState()
  for (let b: usize = 0; b < blocks; b++) {
    const o = b << 6
    // A lane that is done goes on over its own first block: its digest is stored already.
    compress(b < b0 ? p0 + o : p0, b < b1 ? p1 + o : p1, b < b2 ? p2 + o : p2, b < b3 ? p3 + o : p3)
    if (b + 1 == b0) storeDigest(0, o0)
    if (b + 1 == b1) storeDigest(1, o1)
    if (b + 1 == b2) storeDigest(2, o2)
    if (b + 1 == b3) storeDigest(3, o3)
  }
}

/** Hashes the leaves whose numbers stand at `list`; each holds its value hash in place of its hash, keys up to 900 bytes. */
export function hashLeaves(list: usize, count: usize): void {
  const l1 = LANES + LANE_BYTES
  const l2 = l1 + LANE_BYTES
  const l3 = l2 + LANE_BYTES
  for (let i: usize = 0; i < count; i += 4) {
    const last = count - 1
    const n0 = <usize>load<u32>(list + (i << 2))
    const n1 = <usize>load<u32>(list + (min(i + 1, last) << 2))
    const n2 = <usize>load<u32>(list + (min(i + 2, last) << 2))
    const n3 = <usize>load<u32>(list + (min(i + 3, last) << 2))
    // All four messages are written before the first digest replaces a value hash.
    const b0 = putLeaf(n0, LANES)
    const b1 = putLeaf(n1, l1)
    const b2 = putLeaf(n2, l2)
    const b3 = putLeaf(n3, l3)
    runLanes(LANES, l1, l2, l3, b0, b1, b2, b3, (n0 << 6) + 32, (n1 << 6) + 32, (n2 << 6) + 32, (n3 << 6) + 32)
  }
}

/** Hashes messages: triples (address, length, address of the digest) at `list`; each has 72 bytes of room for padding. */
export function hashMessages(list: usize, count: usize): void {
  for (let i: usize = 0; i < count; i += 4) {
    const last = count - 1
    const d0 = list + i * 12
    const d1 = list + min(i + 1, last) * 12
    const d2 = list + min(i + 2, last) * 12
    const d3 = list + min(i + 3, last) * 12
    const p0 = <usize>load<u32>(d0)
    const p1 = <usize>load<u32>(d1)
    const p2 = <usize>load<u32>(d2)
    const p3 = <usize>load<u32>(d3)
    const b0 = pad(p0, load<u32>(d0, 4))
    const b1 = pad(p1, load<u32>(d1, 4))
    const b2 = pad(p2, load<u32>(d2, 4))
    const b3 = pad(p3, load<u32>(d3, 4))
    runLanes(p0, p1, p2, p3, b0, b1, b2, b3, load<u32>(d0, 8), load<u32>(d1, 8), load<u32>(d2, 8), load<u32>(d3, 8))
  }
}
