import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Environment } from '../config/environment.js'
import { nodeErrors } from '../errors.js'

/** Where the command line reads and writes. Results go to `out`, everything for people's eyes to `err`. */
export interface Terminal {
  readonly environment: Environment
  /** One text, a newline is added. */
  out(text: string): void
  err(text: string): void
  /** The next line of input. `hidden` shows nothing of it. Throws `cancelled` at the end of input. */
  ask(question: string, options?: { readonly hidden?: boolean }): Promise<string>
  /** Everything that is piped in, to its end. */
  readAll(): Promise<string>
  /** Stops reading, so that the process can end. */
  close(): void
}

/** The terminal of this process; input may be typed or piped. */
export function processTerminal(environment: Environment): Terminal {
  const lines: string[] = []
  const waiting: { resolve(line: string): void; reject(error: Error): void }[] = []
  let ended = false
  let muted = false
  let reader: ReturnType<typeof createInterface> | undefined

  function open(): void {
    if (reader !== undefined) return
    const isTerminal = process.stdin.isTTY === true
    // What is typed is echoed to stderr by readline itself, except while it is a secret.
    const echo = new Writable({
      write(chunk, _encoding, done) {
        if (!muted) process.stderr.write(chunk)
        done()
      },
    })
    reader = createInterface({ input: process.stdin, output: echo, terminal: isTerminal })
    reader.on('line', (line) => {
      const next = waiting.shift()
      if (next === undefined) lines.push(line)
      else next.resolve(line)
    })
    reader.on('SIGINT', () => reader?.close())
    reader.on('close', () => {
      ended = true
      for (const { reject } of waiting.splice(0)) reject(nodeErrors.cancelled('the input ended'))
    })
  }

  async function ask(question: string, options: { readonly hidden?: boolean } = {}): Promise<string> {
    process.stderr.write(question)
    open()
    muted = options.hidden === true
    try {
      const line = lines.shift()
      if (line !== undefined) return line
      if (ended) throw nodeErrors.cancelled('the input ended')
      return await new Promise<string>((resolve, reject) => waiting.push({ resolve, reject }))
    } finally {
      if (muted && process.stdin.isTTY === true) process.stderr.write('\n')
      muted = false
    }
  }

  async function readAll(): Promise<string> {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array))
    return Buffer.concat(chunks).toString('utf8')
  }

  return {
    environment,
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    ask,
    readAll,
    close: () => reader?.close(),
  }
}
