import { cpus, loadavg } from 'node:os'
import type { StageTime } from './stages.js'

/**
 * What the prototype took for the same work, us per transaction, lowest and highest: figures of a toy without modules, parameters,
 * indexes of denoms and events as real. Stages that are not here had no counterpart.
 */
const prototypeUs: Readonly<Record<string, readonly [low: number, high: number]>> = {
  submit: [3, 6.6], // hash of the transaction
  prepare: [7.5, 8.6], // decoding and the way to the workers
  checkTx: [4.3, 4.3],
  save: [7, 7], // encoding of results
  finalize: [20, 30], // ante steps, messages, gas, events
  resultsHash: [3.4, 4.7],
  treeSet: [15, 19], // with encoding of the record
  treeHash: [21, 21],
  wal: [0.9, 0.9],
  post: [0.1, 0.1],
}

/** The machine and how busy it is. */
export function describeMachine(): string {
  const [cpu] = cpus()
  const load = loadavg().map((value) => value.toFixed(1))
  return `${cpu?.model ?? 'unknown processor'} x ${cpus().length}, Node ${process.version}, load ${load.join(' ')}`
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [line(rows[0]!), rule, ...rows.slice(1).map(line)].join('\n')
}

export function stageTable(stages: readonly StageTime[]): string {
  return table([['stage', 'us per transaction'], ...stages.map(({ stage, us }) => [stage, us.toFixed(1)])])
}

/** Stage by stage beside the prototype; the factor is to its highest figure. */
export function comparedTable(stages: readonly StageTime[]): string {
  return table([
    ['stage', 'us per transaction', 'prototype', 'factor'],
    ...stages.map(({ stage, us }) => {
      const known = prototypeUs[stage]
      if (known === undefined) return [stage, us.toFixed(1), '', '']
      const [low, high] = known
      return [stage, us.toFixed(1), low === high ? `${low}` : `${low} to ${high}`, (us / high).toFixed(1)]
    }),
  ])
}
