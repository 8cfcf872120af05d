// Adds up what the runners counted and prints the closing line. Usage: summary.mjs RESULTS_DIR FAILED_STEPS
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [dir, failedSteps] = process.argv.slice(2)
let passed = 0
let failed = 0
let skipped = 0
for (const name of ['tests', 'long']) {
  const path = join(dir, `${name}.json`)
  if (!existsSync(path)) {
    console.log(`no results of ${name}: it did not run to its end`)
    failed++
    continue
  }
  const report = JSON.parse(readFileSync(path, 'utf8'))
  passed += report.numPassedTests
  failed += report.numFailedTests
  skipped += report.numPendingTests + report.numTodoTests
  // A file that does not load fails without a failed test in it.
  failed += report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length
}
const rust = join(dir, 'rust.txt')
if (existsSync(rust)) {
  for (const [, ok, bad, ignored] of readFileSync(rust, 'utf8').matchAll(
    /test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/g,
  )) {
    passed += Number(ok)
    failed += Number(bad)
    skipped += Number(ignored)
  }
}
// A step that failed without a failed test (an install, a crash) still counts.
if (failed === 0) failed += Number(failedSteps)
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
