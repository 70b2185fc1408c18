import { Controller, Delete, Inject, Param, Req, Res } from '@nestjs/common';
import { ASSETS_PORT, isTerminalStatus, JOBS_PORT, uuidTimeMs } from '@heddle/contracts-messages';
import type { Answer, AssetId, AssetsPort, JobId, JobsPort, JobView, Principal } from '@heddle/contracts-messages';
import { respondEmpty } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idIn, notFound, principalOf } from '../api-request.js';

/** A submission is decided long before, milliseconds. */
const DECIDED_MS = 600_000;

@Controller('api/v2/assets')
export class DeleteAssetController {
  constructor(
    @Inject(ASSETS_PORT) private readonly assets: AssetsPort,
    @Inject(JOBS_PORT) private readonly jobs: JobsPort,
  ) {}

  @Delete(':id')
  delete(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return respondEmpty(reply, this.#delete(request, id), 204);
  }

  async #delete(request: FastifyRequest, text: string): Promise<Answer<null>> {
    const id = idIn<AssetId>(text);
    if (id === null) return notFound();
    const principal = principalOf(request);
    const answer = await this.assets.delete(principal, id);
    if (answer.ok || answer.rejection.code !== 'asset_in_use') return answer;
    const ended = await this.#endedHolders(principal, id);
    return ended === null ? answer : await this.assets.delete(principal, id, ended);
  }

  /**
   * An ended job holds nothing (decisions, Holds). The assets service hears of an end after the client does, and not at all while
   * the bus is away: the jobs service knows. Empty where it heard of it since it refused; null where a job that has not ended holds
   * the asset.
   */
  async #endedHolders(principal: Principal, id: AssetId): Promise<readonly JobId[] | null> {
    const holders = await this.assets.holders(principal, id);
    const ended: JobId[] = [];
    for (const jobId of holders) {
      if (!hasEnded(jobId, await this.jobs.get(principal, jobId))) return null;
      ended.push(jobId);
    }
    return ended;
  }
}

/** A job that is unknown although its id is old never came about: its submission got no answer. */
function hasEnded(jobId: JobId, answer: Answer<JobView>): boolean {
  if (answer.ok) return isTerminalStatus(answer.value.status);
  return answer.rejection.code === 'not_found' && Date.now() - uuidTimeMs(jobId) > DECIDED_MS;
}
