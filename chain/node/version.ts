/** Of this program; the same as in package.json. */
export const version = '0.1.0'

/** Whose behaviour this node follows. */
export const cosmosSdkVersion = 'v0.53.4'

/** What `coind version --long` and the node info tell. */
export const versionInfo = {
  name: 'coin',
  appName: 'coind',
  version,
  gitCommit: '',
  buildTags: '',
  goVersion: `node ${process.version}`,
  cosmosSdkVersion,
} as const
