import type { NodePackage, NodePackagesPort, PackageClasses } from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { NodePackagesServiceService } from '../generated/heddle/registry/v1/node_packages.js';
import { versionMessage } from './package-classes-wire.js';

/** Calls the registry in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteNodePackages implements NodePackagesPort {
  constructor(private readonly channel: ServiceChannel) {}

  async packagesOf(classes: readonly string[]): Promise<ReadonlyMap<string, NodePackage>> {
    const { packages } = await this.channel.call(NodePackagesServiceService.find, { classes: [...classes] });
    return new Map(packages.map(({ class: name, nodeId, version }) => [name, { nodeId, version }]));
  }

  async installable(packages: readonly NodePackage[]): Promise<readonly NodePackage[]> {
    const request = { packages: packages.map(versionMessage) };
    return (await this.channel.call(NodePackagesServiceService.installable, request)).packages;
  }

  async classesOf(version: NodePackage): Promise<PackageClasses | null> {
    const { found } = await this.channel.call(NodePackagesServiceService.classes, { package: versionMessage(version) });
    return found ?? null;
  }
}
