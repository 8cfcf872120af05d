import type { Logger } from '@coin/base/logger'
import { type DestinationStream, pino } from 'pino'
import type { NodeConfig } from './config/node-config.js'

const levels = ['debug', 'info', 'warn', 'error'] as const

/**
 * The log of a node: one line each, plain for people or JSON as the reference's logger has it, which collectors of logs are set up
 * for: `{"level":"info","time":"2026-01-02T03:04:05.678Z","height":5,"message":"committed block"}`.
 */
export function createLogger({ format, level }: NodeConfig['log'], lines: DestinationStream): Logger {
  if (format !== 'json') return plainLogger(level, lines)
  const settings = {
    level,
    base: null,
    messageKey: 'message',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: pino.stdSerializers.err },
  }
  return pino(settings, lines)
}

/** `12:00:00 INF committed block height=5 txs=2` */
function plainLogger(least: NodeConfig['log']['level'], lines: DestinationStream): Logger {
  const write = (level: (typeof levels)[number]) => (fields: object, message: string) => {
    if (levels.indexOf(level) < levels.indexOf(least)) return
    const time = new Date().toISOString().slice(11, 19)
    const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${formatField(value)}`)
    lines.write(`${time} ${level.slice(0, 3).toUpperCase()} ${message}${pairs.join('')}\n`)
  }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

function formatField(value: unknown): string {
  if (value instanceof Error) return value.stack ?? value.message
  if (typeof value === 'string') return /[\s"=]/.test(value) ? JSON.stringify(value) : value
  if (typeof value !== 'object' || value === null) return String(value)
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
}
