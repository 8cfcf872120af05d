import { selfTest } from '../self-test.js'

// A process of its own, so that V8's flags can be chosen.
try {
  selfTest()
  process.stdout.write('passed')
} catch (error) {
  process.stdout.write(error instanceof Error ? `${error.constructor.name}: ${error.message}` : String(error))
}
