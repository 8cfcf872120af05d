// Transactions of several signers, each with its own sign mode; keys are hashes of names. Run `npx tsc -b chain/wire` first.
import { createHash } from 'node:crypto'
import { createAddressCodec, secp256k1Address } from '../../../chain/wire/dist/addresses.js'
import { codecOf } from '../../../chain/wire/dist/registry.js'
import { secp256k1PublicKey, signSecp256k1 } from '../../../chain/wire/dist/secp256k1.js'
import { aminoSignBytes, directSignBytes } from '../../../chain/wire/dist/sign-doc.js'
import { pause } from './http.mjs'

const sha256 = (bytes) => createHash('sha256').update(bytes).digest()
const codec = createAddressCodec('wasm')

export const keyOf = (name) => sha256(`reference ${name}`)
export const publicKeyOf = (name) => secp256k1PublicKey(keyOf(name))
export const addressOf = (name) => codec.encode(secp256k1Address(publicKeyOf(name)))

export const pack = (name, value) => ({
  typeUrl: `/${name}`,
  value: codecOf(name).encode(codecOf(name).fromPartial(value)).finish(),
})

/** The answer of `abci_query` for a query method of the application. */
export async function query(rpcUrl, method, request) {
  const [, service, name] = method.split('/')
  const data = codecOf(`${service.replace(/Query$/, '')}Query${name}Request`)
  const bytes = data.encode(data.fromPartial(request)).finish()
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'abci_query' },
      params: { path: method, data: Buffer.from(bytes).toString('hex'), height: '0', prove: false },
    }),
  }).then((response) => response.json())
  return { data: Buffer.from(bytes).toString('base64'), response: answer.result.response }
}

/** Number and sequence; zeros for an account that is not there. */
export async function accountOf(rpcUrl, address) {
  const { response } = await query(rpcUrl, '/cosmos.auth.v1beta1.Query/AccountInfo', { address })
  if (response.code !== 0) return { accountNumber: 0n, sequence: 0n }
  return codecOf('cosmos.auth.v1beta1.QueryAccountInfoResponse').decode(Buffer.from(response.value, 'base64')).info
}

const modes = { direct: 1, aux: 3, amino: 127, textual: 2 }

/** `signers`: names or `{ name, mode, sequence }`, in the order that the messages and the fee payer give them. */
export async function signTx(rpcUrl, { messages, signers, gas = 200_000, fee, payer = '', granter = '', ...rest }) {
  const list = signers.map((signer) => (typeof signer === 'string' ? { name: signer } : signer))
  const body = codecOf('cosmos.tx.v1beta1.TxBody').fromPartial({ messages, ...rest })
  const amount = fee ?? [{ denom: 'ucosm', amount: String(Math.ceil(gas / 1000)) }]
  const infos = []
  for (const { name, mode = 'direct', sequence } of list) {
    const account = await accountOf(rpcUrl, addressOf(name))
    const publicKey = pack('cosmos.crypto.secp256k1.PubKey', { key: publicKeyOf(name) })
    infos.push({ name, mode, publicKey, accountNumber: account.accountNumber, sequence: sequence ?? account.sequence })
  }
  const authInfo = codecOf('cosmos.tx.v1beta1.AuthInfo').fromPartial({
    signerInfos: infos.map(({ publicKey, mode, sequence }) => ({
      ...{ publicKey, sequence, modeInfo: { single: { mode: modes[mode] } } },
    })),
    fee: { amount, gasLimit: BigInt(gas), payer, granter },
  })
  const bodyBytes = codecOf('cosmos.tx.v1beta1.TxBody').encode(body).finish()
  const authInfoBytes = codecOf('cosmos.tx.v1beta1.AuthInfo').encode(authInfo).finish()
  const signatures = infos.map(({ name, mode, publicKey, accountNumber, sequence }) => {
    const chainId = 'testing'
    const bytes =
      mode === 'amino'
        ? aminoSignBytes(body, authInfo.fee, { chainId, accountNumber, sequence })
        : mode === 'aux'
          ? codecOf('cosmos.tx.v1beta1.SignDocDirectAux')
              .encode({ bodyBytes, publicKey, chainId, accountNumber, sequence, tip: undefined })
              .finish()
          : directSignBytes(bodyBytes, authInfoBytes, { chainId, accountNumber })
    return signSecp256k1(keyOf(name), sha256(bytes))
  })
  return codecOf('cosmos.tx.v1beta1.TxRaw').encode({ bodyBytes, authInfoBytes, signatures }).finish()
}

/** Waits until a block of this time (seconds) is there. */
export async function waitForTime(rpcUrl, seconds) {
  for (;;) {
    const { result } = await fetch(`${rpcUrl}/status`).then((response) => response.json())
    if (Date.parse(result.sync_info.latest_block_time) / 1000 >= seconds) return
    await pause(200)
  }
}
