import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { Type } from '@nestjs/common';
import { ModerateNodeController } from './moderate-registry/moderate-node.controller.js';
import { ModeratePublisherController } from './moderate-registry/moderate-publisher.controller.js';
import { ModerateVersionController } from './moderate-registry/moderate-version.controller.js';
import { ReadRegistryController } from './moderate-registry/read-registry.controller.js';
import { RedeliverTaskController } from './redeliver-task/redeliver-task.controller.js';

/** The calls behind the operator's part of `heddle registry`. */
export const REGISTRY_CONTROLLERS: readonly Type<unknown>[] = [
  ModerateNodeController,
  ModeratePublisherController,
  ModerateVersionController,
  ReadRegistryController,
  RedeliverTaskController,
];

export function servesRegistry(ports: ReadonlyMap<symbol, object>): boolean {
  return ports.has(REGISTRY_ADMIN_PORT);
}
