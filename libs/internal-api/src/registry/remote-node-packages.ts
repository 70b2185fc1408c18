import type { NodePackage, NodePackagesPort } from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { NodePackagesServiceService } from '../generated/heddle/registry/v1/node_packages.js';

/** Calls the registry in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteNodePackages implements NodePackagesPort {
  constructor(private readonly channel: ServiceChannel) {}

  async packagesOf(classes: readonly string[]): Promise<ReadonlyMap<string, NodePackage>> {
    const { packages } = await this.channel.call(NodePackagesServiceService.find, { classes: [...classes] });
    return new Map(packages.map(({ class: name, nodeId, version }) => [name, { nodeId, version }]));
  }
}
