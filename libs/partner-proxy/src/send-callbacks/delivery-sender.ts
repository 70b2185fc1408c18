import { Injectable } from '@nestjs/common';
import type { AccountId } from '@heddle/contracts-messages';
import { pinnedCall, TargetRefusedError } from '@heddle/platform-outbound';
import type { Network } from '@heddle/platform-outbound';
import { signWebhook } from '@heddle/platform-webhooks';
import { callbackProblem, TargetUrls } from '../create-task/target-urls.js';
import { WebhookSecrets } from '../webhook-secret/webhook-secrets.js';
import type { ClaimedDelivery } from './delivery-rows.sql.js';
import type { AttemptEnd } from './delivery-verdict.js';

/** Of an attempt (registry decisions, To the caller). */
export const ATTEMPT_MS = 10_000;
/** What the receiver answers is read so that it is not cut off, and shown to nobody. */
const MAX_ANSWER = 65_536;

/** Makes one attempt: the URL is judged again, since its name and the settings may have changed. */
@Injectable()
export class DeliverySender {
  /** Specs reach a server of their own. */
  readonly network: Network | undefined = undefined;

  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly urls: TargetUrls,
  ) {}

  async send({ deliveryId, accountId, url, body }: ClaimedDelivery): Promise<AttemptEnd> {
    const key = await this.secrets.keyOf(accountId as AccountId);
    const signed = signWebhook({ id: deliveryId, timestamp: Math.floor(Date.now() / 1_000), body }, key);
    const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'heddle-webhooks' };
    try {
      const call = { url, method: 'POST', headers, body, timeoutMs: ATTEMPT_MS, maxBytes: MAX_ANSWER } as const;
      return { kind: 'answer', status: (await pinnedCall(call, this.urls.callbackRules, this.network)).status };
    } catch (error) {
      if (error instanceof TargetRefusedError) return { kind: 'refused', reason: callbackProblem(url, error.fault) };
      // The error could name an address inside of a network.
      return { kind: 'no_answer' };
    }
  }
}
