/** The part of the WebAssembly JavaScript interface that this room uses; TypeScript has it only for browsers. */
declare namespace WebAssembly {
  type ImportValue = (...args: number[]) => unknown
  type Imports = Record<string, Record<string, ImportValue>>
  type ExportValue = Memory | Global | ((...args: never[]) => unknown)
  type Exports = Record<string, ExportValue | undefined>

  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>)
  }
  class Instance {
    constructor(module: Module, imports?: Imports)
    readonly exports: Exports
  }
  class Memory {
    readonly buffer: ArrayBuffer
  }
  class Global {
    value: number | bigint
  }
  class CompileError extends Error {}
  class LinkError extends Error {}
  class RuntimeError extends Error {}
  function validate(bytes: Uint8Array<ArrayBuffer>): boolean
}
