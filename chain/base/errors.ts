/**
 * The user's fault, as a value: clients match on `codespace` and `code`, people read `message`.
 *
 * An assertion (see assert.ts) is our own bug and stops the node; a `CodedError` is expected and changes nothing.
 */
export class CodedError extends Error {
  override readonly name = 'CodedError'
  readonly codespace: string
  /** ABCI result code within the codespace; never 0. */
  readonly code: number

  constructor(codespace: string, code: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.codespace = codespace
    this.code = code
  }

  /** The same failure with where it happened put in front: `wrap('message index: 0')` -> `message index: 0: <message>`. */
  wrap(context: string): CodedError {
    return new CodedError(this.codespace, this.code, `${context}: ${this.message}`, { cause: this })
  }
}

/** Builds one kind of error. `detail` says what was wrong, with the value, and what was expected. */
export type ErrorMaker = ((detail?: string) => CodedError) & { readonly code: number; readonly text: string }

/**
 * Declares the catalogue of a codespace; messages are composed as the Go SDK does, `detail: text`.
 *
 * @example
 * const errors = defineErrors('sdk', { insufficientFunds: [5, 'insufficient funds'] })
 * errors.insufficientFunds('holds 1ucoin, needs 2ucoin').message // 'holds 1ucoin, needs 2ucoin: insufficient funds'
 */
export function defineErrors<const T extends Record<string, readonly [code: number, text: string]>>(
  codespace: string,
  entries: T,
): { readonly [K in keyof T]: ErrorMaker } {
  const makers: Record<string, ErrorMaker> = {}
  for (const [name, [code, text]] of Object.entries(entries)) {
    const make = (detail?: string) =>
      new CodedError(codespace, code, detail === undefined ? text : `${detail}: ${text}`)
    makers[name] = Object.assign(make, { code, text })
  }
  return makers as { readonly [K in keyof T]: ErrorMaker }
}
