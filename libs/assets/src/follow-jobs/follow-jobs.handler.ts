import { Injectable } from '@nestjs/common';
import { isEndedStatus, isUuid } from '@heddle/contracts-messages';
import type { JobMessage } from '@heddle/contracts-messages';
import { AssetsDatabase, keep } from '../assets-database/assets-database.js';
import type { Session } from '../assets-database/assets-database.js';
import { CONFIRM_HOLDS, CONFIRM_OUTPUTS, END_JOBS } from './follow-jobs.sql.js';

/**
 * Follows the jobs' committed events: a submission confirms holds, a named output stays, an end releases holds. Every
 * step may be repeated, and the steps of one job may arrive in any order: if an older message would undo a newer one,
 * `SilentJobs` asks the jobs service.
 */
@Injectable()
export class FollowJobsHandler {
  constructor(private readonly database: AssetsDatabase) {}

  async handle(messages: readonly JobMessage[]): Promise<void> {
    await this.transaction(async (session) => await this.apply(session, messages));
  }

  async transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return await this.database.transaction(async (session) => keep(await work(session)));
  }

  async apply(session: Session, messages: readonly JobMessage[]): Promise<void> {
    const inputs = messages.flatMap((message) =>
      (message.inputAssetIds ?? []).map((assetId) => [message.jobId, message.accountId, assetId] as const),
    );
    if (inputs.length > 0) await session.query(CONFIRM_HOLDS, columns(inputs, 3));
    const outputs = messages.flatMap((message) =>
      outputsNamedBy(message).map((assetId) => [message.jobId, assetId] as const),
    );
    const ended = messages.filter((message) => isEndedStatus(message.status));
    if (ended.length > 0) {
      const jobs = [jobsOf(ended), jobsOf(ended.filter(isComplete))];
      await session.query(END_JOBS, [...columns(outputs, 2), ...jobs]);
    } else if (outputs.length > 0) await session.query(CONFIRM_OUTPUTS, columns(outputs, 2));
  }
}

function outputsNamedBy({ output, outputAssetIds = [] }: JobMessage): readonly string[] {
  // An older build stored any asset id that a worker sent; an invalid one must not block the batch.
  return output !== undefined && isUuid(output.assetId) ? [...outputAssetIds, output.assetId] : outputAssetIds;
}

/** The message proves which outputs the job lacks: it lists every output, or the job no longer exists. */
function isComplete({ type, outputAssetIds }: JobMessage): boolean {
  return outputAssetIds !== undefined || type === 'JobPurged';
}

function jobsOf(messages: readonly JobMessage[]): string[] {
  return [...new Set(messages.map(({ jobId }) => jobId))];
}

function columns(rows: readonly (readonly string[])[], width: number): string[][] {
  return Array.from({ length: width }, (_, at) => rows.map((row) => row[at]!));
}
