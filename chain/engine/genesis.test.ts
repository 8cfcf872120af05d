import { bytesToUtf8 } from '@coin/base/bytes'
import { describe, expect, it } from 'vitest'
import { defaultConsensusParams, parseGenesis } from './genesis.js'

const params = {
  block: { max_bytes: '22020096', max_gas: '-1' },
  evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
  validator: { pub_key_types: ['ed25519'] },
  version: { app: '0' },
  abci: { vote_extensions_enable_height: '0' },
}
const validator = {
  address: '',
  pub_key: { type: 'tendermint/PubKeyEd25519', value: 'g10ZxFFum2I3H6gyARC57ZwpCQKxpSsbZlJnfaXk9IM=' },
  power: '10',
  name: 'v',
}
const sdkForm = {
  app_name: 'wasmd',
  app_version: '0.60.2',
  genesis_time: '2023-11-14T22:13:20.25Z',
  chain_id: 'testing',
  initial_height: 1,
  app_hash: null,
  app_state: { bank: { supply: [] } },
  consensus: { params },
}
const cometForm = {
  genesis_time: '2023-11-14T22:13:20.25Z',
  chain_id: 'testing',
  initial_height: '7',
  consensus_params: params,
  validators: [validator],
  app_hash: '0A0B',
  app_state: {},
}
const parse = (changes: object) => parseGenesis(JSON.stringify({ ...sdkForm, ...changes }))

describe('genesis', () => {
  it('is read in the form of the Cosmos SDK', () => {
    const genesis = parse({})
    expect(genesis).toMatchObject({
      chainId: 'testing',
      initialHeight: 1,
      validators: [],
      time: 1_700_000_000_250_000_000n,
    })
    expect(genesis.consensusParams).toEqual(defaultConsensusParams)
    expect(bytesToUtf8(genesis.appState)).toBe('{"bank":{"supply":[]}}')
  })

  it('is read in the form of CometBFT', () => {
    const genesis = parseGenesis(JSON.stringify(cometForm))
    expect(genesis).toMatchObject({ initialHeight: 7, appHash: Uint8Array.of(10, 11) })
    expect(genesis.validators).toMatchObject([{ keyType: 'ed25519', power: 10n, name: 'v' }])
  })

  it.each([
    [{ chain_id: '' }, 'chain_id is ""'],
    [{ chain_id: 'x'.repeat(51) }, 'expected 1 to 50 characters'],
    [{ genesis_time: 'yesterday' }, 'not an RFC 3339 time'],
    [{ genesis_time: undefined }, 'genesis_time is undefined, expected a string'],
    [{ initial_height: -1 }, 'initial_height is -1'],
    [{ initial_height: 1.5 }, 'initial_height is 1.5, expected an integer'],
    [{ consensus: { params: { ...params, block: { max_bytes: '0', max_gas: '0' } } } }, 'block.max_bytes is 0'],
    [{ consensus: { params: { ...params, block: { max_bytes: '9', max_gas: '-2' } } } }, 'block.max_gas is -2'],
    [{ consensus: { params: { ...params, validator: { pub_key_types: ['rsa'] } } } }, '"rsa" is not known'],
    [{ consensus: { validators: [{ ...validator, power: '0' }] } }, 'validators[0].power is "0", expected above 0'],
    [{ consensus: { validators: [{ ...validator, pub_key: { type: 'x', value: '' } }] } }, 'pub_key.type is "x"'],
  ])('refuses %j', (changes, message) => {
    expect(() => parse(changes)).toThrow(message)
  })

  it('refuses text that is not JSON', () => {
    expect(() => parseGenesis('{')).toThrow('not JSON')
    expect(() => parseGenesis('[]')).toThrow('genesis is [], expected an object')
  })
})
