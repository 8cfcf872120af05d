import { describe, expect, it } from 'vitest'
import { CodedError, defineErrors } from './errors.js'

const errors = defineErrors('sdk', { insufficientFunds: [5, 'insufficient funds'] })

describe('typed errors', () => {
  it('carry codespace and code, and put the detail in front of the text as the Go SDK does', () => {
    const error = errors.insufficientFunds('holds 1ucoin, needs 2ucoin')
    expect(error).toBeInstanceOf(CodedError)
    expect([error.codespace, error.code]).toEqual(['sdk', 5])
    expect(error.message).toBe('holds 1ucoin, needs 2ucoin: insufficient funds')
    expect(errors.insufficientFunds().message).toBe('insufficient funds')
    expect(errors.insufficientFunds.code).toBe(5)
  })

  it('keep their code when wrapped', () => {
    const wrapped = errors.insufficientFunds().wrap('failed to execute message; message index: 0')
    expect(wrapped.message).toBe('failed to execute message; message index: 0: insufficient funds')
    expect(wrapped.code).toBe(5)
  })
})
