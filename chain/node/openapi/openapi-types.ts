/** The part of OpenAPI 3.0.3 that the document uses. */
export interface Schema {
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly nullable?: boolean
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly minimum?: number
  readonly description?: string
  readonly example?: unknown
}

export interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly example?: unknown
}

export interface Content {
  readonly schema: Schema
  readonly example?: unknown
}

export interface ResponseObject {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>
  readonly content?: Readonly<Record<string, Content>>
}

export interface Operation {
  /** Unique in the document. */
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> }
  /** By HTTP status, or `default`. */
  readonly responses: Readonly<Record<string, ResponseObject>>
}

export interface OpenApiDocument {
  readonly openapi: '3.0.3'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  /** Path template -> verb in lower case -> operation. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, ResponseObject>>
  }
}
