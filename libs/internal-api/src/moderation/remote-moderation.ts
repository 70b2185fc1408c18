import type { Answer, HashVerdict, ModerationDecision, ModerationPort } from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { answerOf } from '../encode-values/call-answers.js';
import { ModerationServiceService } from '../generated/heddle/assets/v1/moderation.js';
import { decisionMessage, verdictOf } from './moderation-wire.js';

/** Calls the assets service in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteModeration implements ModerationPort {
  constructor(private readonly channel: ServiceChannel) {}

  async decide(hash: string, decision: ModerationDecision): Promise<Answer<HashVerdict>> {
    const request = { hash, decision: decisionMessage(decision) };
    return answerOf(await this.channel.call(ModerationServiceService.decide, request), verdictOf);
  }

  async verdict(hash: string): Promise<Answer<HashVerdict>> {
    return answerOf(await this.channel.call(ModerationServiceService.verdict, { hash }), verdictOf);
  }
}
