import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { Type } from '@nestjs/common';
import { BanNodeController } from './ban-target/ban-node.controller.js';
import { BanPublisherController } from './ban-target/ban-publisher.controller.js';
import { PostClassesController } from './post-classes/post-classes.controller.js';
import { RankNodeController } from './rank-node/rank-node.controller.js';
import { ReadNodeEventsController } from './read-node-events/read-node-events.controller.js';
import { ReadQueueController } from './read-queue/read-queue.controller.js';
import { RedeliverTaskController } from './redeliver-task/redeliver-task.controller.js';
import { ReleaseNodeController } from './release-node/release-node.controller.js';
import { RescanVersionController } from './rescan-version/rescan-version.controller.js';
import { ReviewVersionController } from './review-version/review-version.controller.js';

/** The calls behind the operator's part of `heddle registry`. */
export const REGISTRY_CONTROLLERS: readonly Type<unknown>[] = [
  BanNodeController,
  BanPublisherController,
  RankNodeController,
  ReleaseNodeController,
  ReviewVersionController,
  RescanVersionController,
  PostClassesController,
  ReadQueueController,
  ReadNodeEventsController,
  RedeliverTaskController,
];

export function servesRegistry(ports: ReadonlyMap<symbol, object>): boolean {
  return ports.has(REGISTRY_ADMIN_PORT);
}
