import { Injectable } from '@nestjs/common';
import { isTerminalStatus } from '@heddle/contracts-messages';
import type { JobMessage } from '@heddle/contracts-messages';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { CONFIRM_HOLDS, CONFIRM_OUTPUTS, END_JOBS, HEARD_UNTIL } from './follow-jobs.sql.js';

const NOTE_EVERY_MS = 1_000;

/**
 * Follows the jobs' committed events: a submission makes holds firm, a named output stays, an end releases. Every step
 * may be repeated. Within a batch the order by kind is right, because a job's end is its last message.
 */
@Injectable()
export class FollowJobsHandler {
  /** Of the newest event that this process has noted. */
  #notedMs = 0;

  constructor(private readonly database: AssetsDatabase) {}

  async handle(messages: readonly JobMessage[]): Promise<void> {
    const inputs = messages.flatMap((message) =>
      (message.inputAssetIds ?? []).map((assetId) => [message.jobId, message.accountId, assetId] as const),
    );
    if (inputs.length > 0) await this.database.query(CONFIRM_HOLDS, columns(inputs, 3));
    const outputs = messages.flatMap((message) =>
      message.output === undefined ? [] : [[message.jobId, message.output.assetId] as const],
    );
    const ended = messages.filter((message) => isTerminalStatus(message.status)).map((message) => message.jobId);
    if (ended.length > 0) await this.database.query(END_JOBS, [...columns(outputs, 2), [...new Set(ended)]]);
    else if (outputs.length > 0) await this.database.query(CONFIRM_OUTPUTS, columns(outputs, 2));
    await this.#note(messages);
  }

  /** Last, when everything that the messages name is safe from the sweeps. Instants of one form are ordered as texts. */
  async #note(messages: readonly JobMessage[]): Promise<void> {
    const newest = messages.reduce((latest, { recordedAt }) => (recordedAt > latest ? recordedAt : latest), '');
    const newestMs = Date.parse(newest);
    if (Number.isNaN(newestMs) || newestMs < this.#notedMs + NOTE_EVERY_MS) return;
    await this.database.query(HEARD_UNTIL, [newest]);
    this.#notedMs = newestMs;
  }
}

function columns(rows: readonly (readonly string[])[], width: number): string[][] {
  return Array.from({ length: width }, (_, at) => rows.map((row) => row[at]!));
}
