import { defineErrors } from '@coin/base/errors'

/**
 * Everything the store refuses. Not the SDK's codespace `store`, whose numbers clients know. A `corrupt...` error means that the
 * files on disk cannot be trusted as they are.
 */
export const storeErrors = defineErrors('storage', {
  heightUnavailable: [2, 'height is not available'],
  keyTooLong: [3, 'key is too long'],
  emptyKey: [4, 'key is empty'],
  locked: [5, 'the store is in use by another process'],
  corruptLog: [6, 'write-ahead log is corrupt'],
  corruptSnapshot: [7, 'no usable snapshot'],
  corruptValues: [8, 'flat values do not match the state tree'],
  unknownStore: [9, 'no such store'],
  unknownFormat: [10, 'files are of an unknown format version'],
  diskFailed: [11, 'the store could not write'],
})
