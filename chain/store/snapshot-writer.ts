import { workerData } from 'node:worker_threads'
import { type SnapshotJob, writeSnapshot } from './snapshot.js'

// The trees are read in shared memory while the chain goes on; whoever started this thread has pinned their version.
writeSnapshot(workerData as SnapshotJob)
