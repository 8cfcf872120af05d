import { deepestCall } from './deep-calls.js'

// A process of its own, so that V8's flags can be chosen.
process.stdout.write(await deepestCall())
