import { moduleNames } from '@coin/app/order'
import { descriptors } from '@coin/wire/registry'
import type { Command } from 'commander'
import { servicesOf } from '../autocli/names.js'
import { addTxCommands } from '../autocli/tx-commands.js'
import { txOptions } from '../autocli/tx-options.js'
import type { Terminal } from '../terminal.js'
import { moduleGroup } from './module-groups.js'
import { addMultiSend } from './tx-bank.js'
import { addTxFiles } from './tx-files.js'
import { addSubmitProposal } from './tx-gov.js'
import { addMultisign } from './tx-multisign.js'
import { addSign } from './tx-sign.js'
import { addPeriodicVesting } from './tx-vesting.js'
import { addWasmTxs } from './tx-wasm.js'

export function addTx(program: Command, terminal: Terminal): void {
  const group = program.command('tx').description('make, sign and send transactions')
  const services = descriptors().services()
  for (const module of moduleNames) {
    const { msg } = servicesOf(module, services)
    if (msg === undefined) continue
    addTxCommands(moduleGroup(group, module), `tx ${module}`, msg.methods, txOptions, terminal)
  }
  addMultiSend(moduleGroup(group, 'bank'), terminal)
  addSubmitProposal(moduleGroup(group, 'gov'), terminal)
  addPeriodicVesting(moduleGroup(group, 'vesting'), terminal)
  addWasmTxs(moduleGroup(group, 'wasm'), terminal)
  addSign(group, terminal)
  addMultisign(group, terminal)
  addTxFiles(group, terminal)
}
