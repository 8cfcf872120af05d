import { defineErrors } from '@coin/base/errors'

/** What is wrong with bytes that claim to be protobuf, or with values that protobuf cannot hold. */
export const protobufErrors = defineErrors('protobuf', {
  truncated: [1, 'the message ends inside a field'],
  badVarint: [2, 'a varint is longer than its type allows'],
  badLength: [3, 'a length goes past the end of the message'],
  badTag: [4, 'not a valid field tag'],
  wrongWireType: [5, 'the field has another wire type'],
  badUtf8: [6, 'a string is not UTF-8'],
  tooDeep: [7, 'messages are nested too deeply'],
  outOfRange: [8, 'the value does not fit the field'],
  unknownField: [9, 'unknown field'],
  unknownType: [10, 'unknown type'],
  notCanonical: [11, 'not the canonical encoding'],
})
