// Builds kernel.as.ts into kernel.ts (base64, committed): `node chain/store/hash/build.mjs`.
// With `--check` it writes nothing and fails when the committed artifact is not what the source gives.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))

const flags = [
  '--optimizeLevel 3 --shrinkLevel 0 --noAssert --runtime stub --importMemory --sharedMemory',
  '--memoryBase 64 --initialMemory 16 --maximumMemory 65536 --enable simd --enable threads',
]
  .join(' ')
  .split(' ')

function fail(why) {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}

/** The artifact's text for the committed source. */
export async function buildKernel() {
  const source = await readFile(here('kernel.as.ts'), 'utf8')
  const files = new Map()
  const { error, stderr } = await asc.main(['kernel.as.ts', '--outFile', 'kernel.wasm', ...flags], {
    readFile: (name) => (name === 'kernel.as.ts' ? source : null),
    writeFile: (name, contents) => files.set(name, contents),
    listFiles: () => [],
  })
  if (error) fail(`${error.message}\n${stderr.toString()}`)
  const wasm = Buffer.from(files.get('kernel.wasm')).toString('base64')
  return `// Generated from kernel.as.ts by build.mjs. Do not edit.\nexport const kernelWasmBase64 =\n  '${wasm}'\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await buildKernel()
  if (process.argv.includes('--check')) {
    if ((await readFile(here('kernel.ts'), 'utf8')) !== text) fail('hash/kernel.ts is stale: run build.mjs')
  } else {
    await writeFile(here('kernel.ts'), text)
  }
}
