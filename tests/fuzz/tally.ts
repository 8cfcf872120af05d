/** What came back, in all. */
export interface Tally {
  readonly sent: Map<string, number>
  /** How often each kind of answer came: `REST 400`, `RPC -32603`, `gRPC 3`. */
  readonly answers: Map<string, number>
  /** Answers that tell of a fault of the node, not of the caller; with the request. */
  readonly internal: string[]
  /** Texts of REST's 500s and gRPC's 13s that are none: failures that a module, a contract or the protocol tells of. */
  readonly told: Map<string, number>
  /** Requests whose connection ended without an answer, with the reason. */
  readonly cutOff: string[]
  /** Answers that no client could make sense of. */
  readonly wrong: string[]
}

export function createTally(): Tally {
  return { sent: new Map(), answers: new Map(), internal: [], told: new Map(), cutOff: [], wrong: [] }
}

export function count(map: Map<string, number>, name: string): void {
  map.set(name, (map.get(name) ?? 0) + 1)
}

/** Without what differs from one request to the next. */
export function shapeOf(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"/g, '"..."')
    .replace(/\b[0-9a-zA-Z+/=_-]{20,}\b/g, '...')
    .replace(/\d+/g, '0')
    .slice(0, 160)
}
