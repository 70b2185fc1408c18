import { isTerminalStatus } from '@heddle/contracts-messages';
import type { JobMessage } from '@heddle/contracts-messages';
import type { BusMessage } from '@heddle/platform-message-bus';
import type { JobHoldingsReader } from '../read-holdings/job-holdings.js';

/** About 400 KB of ids; a message has to pass the limit of the bus. The services ask for the outputs of a job with more. */
const MAX_LISTED = 10_000;

/**
 * The messages, each terminal one with the ids of all outputs of its job: one query for all of them. The rows were written in
 * transactions before that of the end, so the list is complete; of a job that was purged since there are none, and no list.
 */
export async function withOutputs(
  messages: readonly BusMessage<JobMessage>[],
  holdings: Pick<JobHoldingsReader, 'of'>,
): Promise<readonly BusMessage<JobMessage>[]> {
  const ended = messages.filter(({ payload }) => isTerminalStatus(payload.status)).map(({ payload }) => payload.jobId);
  if (ended.length === 0) return messages;
  const known = await holdings.of(ended);
  return messages.map((message) => {
    const { payload } = message;
    const held = isTerminalStatus(payload.status) ? known.get(payload.jobId) : undefined;
    if (held?.ended !== true || held.outputAssetIds.length > MAX_LISTED) return message;
    return { ...message, payload: { ...payload, outputAssetIds: held.outputAssetIds } };
  });
}
