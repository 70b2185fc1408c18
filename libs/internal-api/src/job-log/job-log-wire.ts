import type { AssetId, JobHoldings, JobId, JobMessage, JobMessagePage } from '@heddle/contracts-messages';
import type { JobHoldings as HoldingsMessage, MessagesResponse } from '../generated/heddle/jobs/v1/job_log.js';

export function holdingsMessages(holdings: ReadonlyMap<JobId, JobHoldings>): HoldingsMessage[] {
  return [...holdings].map(([jobId, { ended, outputAssetIds }]) => ({
    jobId,
    ended,
    outputAssetIds: [...outputAssetIds],
  }));
}

export function holdingsOf(messages: readonly HoldingsMessage[]): ReadonlyMap<JobId, JobHoldings> {
  return new Map(
    messages.map(({ jobId, ended, outputAssetIds }) => [
      jobId as JobId,
      { ended, outputAssetIds: outputAssetIds as AssetId[] },
    ]),
  );
}

export function pageMessage({ messages, after, head }: JobMessagePage): MessagesResponse {
  return {
    messages: messages.map(({ seq, message }) => ({ seq, message: Buffer.from(JSON.stringify(message)) })),
    after: after ?? undefined,
    head,
  };
}

export function pageOf({ messages, after, head }: MessagesResponse): JobMessagePage {
  return {
    messages: messages.map(({ seq, message }) => ({ seq, message: JSON.parse(message.toString()) as JobMessage })),
    after: after ?? null,
    head,
  };
}
