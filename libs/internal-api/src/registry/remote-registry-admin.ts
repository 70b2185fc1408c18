import { accepted, rejected } from '@heddle/contracts-messages';
import type {
  Answer,
  ListPart,
  NodeRankChanges,
  PostedClasses,
  RedeliveredTask,
  RegistryAdminPort,
  RegistryEventView,
  RegistryQueueEntry,
  RegistryTarget,
  RegistryVerdict,
  VersionName,
} from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { answerOf } from '../encode-values/call-answers.js';
import { rejectionOf } from '../encode-values/rejections.js';
import { RegistryAdminServiceService as calls } from '../generated/heddle/registry/v1/registry_admin.js';
import { entryOf, eventOf, ranksMessage, targetMessage, verdictOf } from './registry-admin-wire.js';

/** Calls the registry in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteRegistryAdmin implements RegistryAdminPort {
  constructor(private readonly channel: ServiceChannel) {}

  async ban(target: RegistryTarget, reason: string): Promise<Answer<RegistryVerdict>> {
    return answerOf(await this.channel.call(calls.ban, { target: targetMessage(target), reason }), verdictOf);
  }

  async unban(target: RegistryTarget, reason: string): Promise<Answer<RegistryVerdict>> {
    return answerOf(await this.channel.call(calls.unban, { target: targetMessage(target), reason }), verdictOf);
  }

  async review(name: VersionName, status: string, reason: string): Promise<Answer<RegistryVerdict>> {
    return answerOf(await this.channel.call(calls.review, { ...name, status, reason }), verdictOf);
  }

  async rescan(name: VersionName): Promise<Answer<RegistryVerdict>> {
    return answerOf(await this.channel.call(calls.rescan, name), verdictOf);
  }

  async setRanks(nodeId: string, changes: NodeRankChanges): Promise<Answer<RegistryVerdict>> {
    return answerOf(await this.channel.call(calls.setRanks, ranksMessage(nodeId, changes)), verdictOf);
  }

  async release(nodeId: string): Promise<Answer<RegistryVerdict>> {
    return answerOf(await this.channel.call(calls.release, { nodeId }), verdictOf);
  }

  async queue({ after, limit }: ListPart): Promise<Answer<readonly RegistryQueueEntry[]>> {
    const answer = await this.channel.call(calls.queue, { after: after ?? undefined, limit });
    return answerOf(answer, ({ entries }) => entries.map(entryOf));
  }

  async events(nodeId: string, { after, limit }: ListPart): Promise<Answer<readonly RegistryEventView[]>> {
    const answer = await this.channel.call(calls.events, { nodeId, after: after ?? undefined, limit });
    return answerOf(answer, ({ events }) => events.map(eventOf));
  }

  async setClasses(name: VersionName, { success, reason, nodes }: PostedClasses): Promise<Answer<null>> {
    const request = { ...name, success, reason, nodes: JSON.stringify(nodes) };
    const { rejection } = await this.channel.call(calls.setClasses, request);
    return rejection === undefined ? accepted(null) : rejected(rejectionOf(rejection));
  }

  async redeliver(taskId: string): Promise<Answer<RedeliveredTask>> {
    return answerOf(await this.channel.call(calls.redeliver, { taskId }), (task) => task);
  }
}
