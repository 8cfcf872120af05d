import { rpcCall } from './http.mjs'
import { createSigner, hashOf, waitForTx } from './transactions.mjs'

/** Sends the transactions one by one, each in a block of its own, and gives their results. `known` learns from them. */
export async function play(rpcUrl, transactions, known) {
  const signers = {}
  const played = []
  for (const { name, from, messages, learn, gas, memo, mode } of transactions) {
    signers[from] ??= await createSigner(rpcUrl, from)
    const bytes = await signers[from].sign(messages(known), { gas, memo, mode })
    const check = await rpcCall(rpcUrl, 'broadcast_tx_sync', { tx: Buffer.from(bytes).toString('base64') })
    if (check.body.result.code !== 0) throw new Error(`${name} was refused: ${JSON.stringify(check.body)}`)
    const result = await waitForTx(rpcUrl, hashOf(bytes))
    if (result.tx_result.code === 0) learn?.(known, result)
    const { code, gas_used: gasUsed, log } = result.tx_result
    console.log(`${name}: height ${result.height} code ${code} gas ${gasUsed} ${code === 0 ? '' : log}`)
    played.push({ name, result })
  }
  return played
}
