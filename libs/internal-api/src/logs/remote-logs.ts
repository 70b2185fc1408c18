import { accepted, cutLogText } from '@heddle/contracts-messages';
import type {
  Answer,
  CapturedLog,
  CaptureVerdict,
  JobId,
  JobLog,
  LogsPort,
  Principal,
} from '@heddle/contracts-messages';
import type { ServiceClient } from '@heddle/platform-service-calls';
import { CALLS } from '../internal-calls.js';

/** The logs service in another process. Throws ServiceAwayError where it does not answer. */
export class RemoteLogs implements LogsPort {
  constructor(private readonly client: ServiceClient) {}

  async capture({ jobId, fence, workerId, text, truncated, complete }: CapturedLog): Promise<CaptureVerdict> {
    const { bytes, isCut } = cutLogText(text);
    const head = { lease: { jobId, fence }, workerId, truncated: truncated || isCut, complete };
    const call = { path: CALLS.logs.capture, head, bytes: [bytes], repeatable: true };
    return (await this.client.call(call)).head as CaptureVerdict;
  }

  async read(principal: Principal, jobId: JobId): Promise<Answer<JobLog>> {
    const { head, bytes } = await this.client.call({
      path: CALLS.logs.read,
      head: { principal, jobId },
      repeatable: true,
    });
    const answer = head as Answer<Omit<JobLog, 'text'>>;
    if (!answer.ok) return answer;
    return accepted({ ...answer.value, text: Buffer.from(bytes).toString('utf8') });
  }
}
