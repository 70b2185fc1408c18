import { isEndedStatus } from '@heddle/jobs-domain';
import type { JobMessage } from '@heddle/contracts-messages';
import type { BusMessage } from '@heddle/platform-message-bus';
import type { JobHoldingsReader } from '../read-holdings/job-holdings.js';

/** About 400 KB of ids; a message must fit the bus's limit. For a job with more outputs the services ask for them. */
const MAX_LISTED = 10_000;

/**
 * Adds the ids of all outputs to each terminal message, with one query for all. The rows were committed before the end,
 * so the list is complete; for a purged job there is no list.
 */
export async function withOutputs(
  messages: readonly BusMessage<JobMessage>[],
  holdings: Pick<JobHoldingsReader, 'of'>,
): Promise<readonly BusMessage<JobMessage>[]> {
  const ended = messages.filter(({ payload }) => isEndedStatus(payload.status)).map(({ payload }) => payload.jobId);
  if (ended.length === 0) return messages;
  const known = await holdings.of(ended);
  return messages.map((message) => {
    const { payload } = message;
    const held = isEndedStatus(payload.status) ? known.get(payload.jobId) : undefined;
    if (held?.ended !== true || held.outputAssetIds.length > MAX_LISTED) return message;
    return { ...message, payload: { ...payload, outputAssetIds: held.outputAssetIds } };
  });
}
