import type { ServiceDescriptor } from '@coin/wire/descriptors'

/** `AccountAddressByID` -> `account-address-by-id`, `denom_units` -> `denom-units` */
export function kebab(name: string): string {
  return name
    .replaceAll('_', '-')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
}

/** Package, module and version of a service: `cosmos.bank.v1beta1.Query` is of module `bank`. */
const serviceName = /^(?:[a-z0-9_]+\.)+([a-z0-9_]+)\.(v[0-9]+(?:(?:alpha|beta)[0-9]+)?)\.(Query|Msg)$/

export interface ModuleServices {
  readonly query: ServiceDescriptor | undefined
  readonly msg: ServiceDescriptor | undefined
}

/** The newest Query and Msg service of a module; older versions are for clients that have not moved yet. */
export function servicesOf(module: string, services: readonly ServiceDescriptor[]): ModuleServices {
  const newest = (kind: string) =>
    services
      .flatMap((service) => {
        const match = serviceName.exec(service.name)
        return match?.[1] === module && match[3] === kind ? [{ service, rank: versionRank(match[2]!) }] : []
      })
      .sort((a, b) => b.rank - a.rank)[0]?.service
  return { query: newest('Query'), msg: newest('Msg') }
}

/** `v1alpha2` < `v1beta1` < `v1` < `v2beta1` */
function versionRank(version: string): number {
  const [, major = '0', stage, minor = '0'] = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/.exec(version) ?? []
  const stageRank = stage === 'alpha' ? 0 : stage === 'beta' ? 1 : 2
  return Number(major) * 3000 + stageRank * 1000 + Number(minor)
}
