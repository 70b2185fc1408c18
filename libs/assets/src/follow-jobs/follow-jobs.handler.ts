import { Injectable } from '@nestjs/common';
import { isTerminalStatus } from '@heddle/contracts-messages';
import type { JobMessage } from '@heddle/contracts-messages';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { CONFIRM_HOLDS, CONFIRM_OUTPUTS, END_JOBS } from './follow-jobs.sql.js';

/**
 * Follows the jobs' committed events: a submission makes holds firm, a named output stays, an end releases. Every step
 * may be repeated. Within a batch the order by kind is right, because a job's end is its last message.
 */
@Injectable()
export class FollowJobsHandler {
  constructor(private readonly database: AssetsDatabase) {}

  async handle(messages: readonly JobMessage[]): Promise<void> {
    const inputs = messages.flatMap((message) =>
      (message.inputAssetIds ?? []).map((assetId) => [message.jobId, message.accountId, assetId] as const),
    );
    if (inputs.length > 0) await this.database.query(CONFIRM_HOLDS, columns(inputs, 3));
    const outputs = messages.flatMap((message) =>
      message.output === undefined ? [] : [[message.jobId, message.output.assetId] as const],
    );
    if (outputs.length > 0) await this.database.query(CONFIRM_OUTPUTS, columns(outputs, 2));
    const ended = messages.filter((message) => isTerminalStatus(message.status)).map((message) => message.jobId);
    if (ended.length > 0) await this.database.query(END_JOBS, [[...new Set(ended)]]);
  }
}

function columns(rows: readonly (readonly string[])[], width: number): string[][] {
  return Array.from({ length: width }, (_, at) => rows.map((row) => row[at]!));
}
