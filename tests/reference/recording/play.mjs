import { rpcCall } from './http.mjs'
import { createSigner, hashOf, waitForTx } from './transactions.mjs'

/**
 * Sends the transactions one by one, each in a block of its own, and gives their results, or that of CheckTx for one that a node
 * refuses because it lacks the module. `known` learns from them.
 */
export async function play(rpcUrl, transactions, known) {
  const signers = {}
  const played = []
  for (const { name, from, messages, learn, gas, memo, mode } of transactions) {
    signers[from] ??= await createSigner(rpcUrl, from)
    const bytes = await signers[from].sign(messages(known), { gas, memo, mode })
    const check = await rpcCall(rpcUrl, 'broadcast_tx_sync', { tx: Buffer.from(bytes).toString('base64') })
    const { code: refusal, log: reason } = check.body.result
    if (refusal !== 0) {
      console.log(`${name}: refused with code ${refusal} ${reason}`)
      played.push({ name, hash: hashOf(bytes), height: 0, code: refusal })
      continue
    }
    const result = await waitForTx(rpcUrl, hashOf(bytes))
    if (result.tx_result.code === 0) learn?.(known, result)
    const { code, gas_used: gasUsed, log } = result.tx_result
    console.log(`${name}: height ${result.height} code ${code} gas ${gasUsed} ${code === 0 ? '' : log}`)
    played.push({ name, hash: result.hash, height: Number(result.height), code, result })
  }
  return played
}
