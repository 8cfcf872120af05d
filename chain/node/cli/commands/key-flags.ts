import { InvalidArgumentError } from 'commander'

/** Reads a whole number from `min` to `max`, both inclusive. */
export function numberFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`expected a number from ${min} to ${max}`)
  }
}
