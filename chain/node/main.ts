import { runCli } from './cli/program.js'
import { processTerminal } from './cli/terminal.js'

process.exitCode = await runCli(process.argv.slice(2), processTerminal(process.env))
