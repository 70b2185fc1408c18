import { accepted, PROXY_ADMIN_PORT, refuse, REGISTRY_ADMIN_PORT, rejected } from '@heddle/contracts-messages';
import type { Answer, ProxyAdminPort, RegistryAdminPort, Rejection } from '@heddle/contracts-messages';
import { RejectionError } from '@heddle/platform-http';
import { BanTargetHandler } from '../ban-target/ban-target.handler.js';
import { PostClassesHandler } from '../post-classes/post-classes.handler.js';
import { RankNodeHandler } from '../rank-node/rank-node.handler.js';
import { ReadNodeEventsHandler } from '../read-node-events/read-node-events.handler.js';
import { ReadQueueHandler } from '../read-queue/read-queue.handler.js';
import { ReleaseNodeHandler } from '../release-node/release-node.handler.js';
import { RescanVersionHandler } from '../rescan-version/rescan-version.handler.js';
import { ReviewVersionHandler } from '../review-version/review-version.handler.js';

export const ADMIN_HANDLERS = [
  BanTargetHandler,
  ReviewVersionHandler,
  RescanVersionHandler,
  RankNodeHandler,
  ReleaseNodeHandler,
  ReadQueueHandler,
  ReadNodeEventsHandler,
  PostClassesHandler,
] as const;

type Made<Classes extends readonly (new (...parts: never[]) => unknown)[]> = {
  readonly [At in keyof Classes]: InstanceType<Classes[At]>;
};

/** The operator's calls. The handlers throw refusals of the admin API, so that their transactions leave nothing behind. */
export const registryAdminPort = {
  provide: REGISTRY_ADMIN_PORT,
  inject: [PROXY_ADMIN_PORT, ...ADMIN_HANDLERS],
  useFactory: (
    proxy: ProxyAdminPort | null,
    ...[bans, reviews, rescans, ranks, releases, queue, events, classes]: Made<typeof ADMIN_HANDLERS>
  ): RegistryAdminPort => ({
    ban: (target, reason) => answered(bans.handle(target, true, reason)),
    unban: (target, reason) => answered(bans.handle(target, false, reason)),
    review: (name, status, reason) => answered(reviews.handle(name, status, reason)),
    rescan: (name) => answered(rescans.handle(name)),
    setRanks: (nodeId, changes) => answered(ranks.handle(nodeId, changes)),
    release: (nodeId) => answered(releases.handle(nodeId)),
    queue: (part) => answered(queue.handle(part)),
    events: (nodeId, part) => answered(events.handle(nodeId, part)),
    setClasses: (name, posted) => answered(classes.handle(name, posted)),
    redeliver: async (taskId) =>
      proxy === null ? rejected(refuse('not_found', { case: 'task', id: taskId })) : await proxy.redeliver(taskId),
  }),
};

async function answered<T>(work: Promise<T>): Promise<Answer<T>> {
  try {
    return accepted(await work);
  } catch (error) {
    if (error instanceof RejectionError) return rejected(error.rejection as Rejection);
    throw error;
  }
}
