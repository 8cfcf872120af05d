import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { connectionsWithin, openFilesMax } from './file-limit.js'

it('leaves files for the node itself, whatever the doors may take', () => {
  const warnings: object[] = []
  const logger = { warn: (fields: object) => void warnings.push(fields) }
  const asked = { rpc: 900, api: 1000, grpc: 1000 }
  const own = 256 + 16 * availableParallelism()
  expect(connectionsWithin(asked, undefined, logger)).toEqual(asked)
  expect(connectionsWithin(asked, own + 2900, logger)).toEqual(asked)
  expect(warnings).toEqual([])
  const few = connectionsWithin(asked, own + 290, logger)
  expect(few).toEqual({ rpc: 90, api: 100, grpc: 100 })
  expect(warnings).toEqual([{ filesMax: own + 290, ...few }])
  expect(connectionsWithin({ ...asked, rpc: 0 }, own + 12_000, logger)).toEqual({ rpc: 10_000, api: 1000, grpc: 1000 })
  expect(connectionsWithin({ ...asked, rpc: 0 }, own + 120, logger)).toEqual({ rpc: 100, api: 10, grpc: 10 })
  expect(connectionsWithin(asked, 10, logger)).toEqual({ rpc: 4, api: 4, grpc: 4 })
})

it('knows the limit of this process on Linux', () => {
  if (process.platform === 'linux') expect(openFilesMax()).toBeGreaterThan(10)
  else expect(openFilesMax()).toBeUndefined()
})
