import { tierDigest } from './tier-digest.js'

// A process of its own, so that V8's flags can be chosen: `node --liftoff-only tier-digest-main.js <token calls>`.
process.stdout.write(tierDigest(false, Number(process.argv[2])))
