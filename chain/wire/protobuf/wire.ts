/** The two names that generated code imports; see reader.ts and writer.ts. */
export { BinaryReader } from './reader.js'
export { BinaryWriter } from './writer.js'
