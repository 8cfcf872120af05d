/** What the command of one service method is called and takes; everything may be left out. */
export interface MethodOptions {
  /** `account-info` for the method `AccountInfo` when left out. */
  readonly name?: string
  /**
   * Fields that are given by their place: `'denom'`, `'denom?'` when it may be left out, `'denoms...'` for all that follow, and
   * `'account_id=acc-num'` to show it under another name. All other fields are flags.
   */
  readonly args?: readonly string[]
  readonly aliases?: readonly string[]
  /** One line. */
  readonly about?: string
  /** What stands behind the command's name in its example; made from the arguments when left out. */
  readonly example?: string
  /** By field. */
  readonly flags?: Readonly<Record<string, FlagOptions>>
  /** There is a hand-made command, or none is wanted. */
  readonly skip?: boolean
  /** Print this field of the response instead of all of it. */
  readonly pick?: string
}

export interface FlagOptions {
  /** Without the dashes. */
  readonly name?: string
  readonly about?: string
}

/** By method: `cosmos.bank.v1beta1.Query/Balance`. */
export type OptionTable = Readonly<Record<string, MethodOptions>>

export interface Argument {
  readonly field: string
  readonly shown: string
  readonly kind: 'required' | 'optional' | 'rest'
}

/** Reads one entry of `args`. */
export function parseArgument(text: string): Argument {
  const [, field = '', shown, mark] = /^([a-z0-9_]+)(?:=([a-z0-9-]+))?(\?|\.\.\.)?$/.exec(text) ?? []
  const kind = mark === '?' ? 'optional' : mark === '...' ? 'rest' : 'required'
  return { field, shown: shown ?? field.replaceAll('_', '-'), kind }
}
