import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { CREDITS_PORT } from '@heddle/contracts-messages';
import type { Answer, CreditsPort, LedgerEntry, LedgerPart } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { FindNames } from '../find-names/find-names.js';
import { AskedLedgerPart } from './asked-ledger-part.decorator.js';

/** A part of an account's entries, oldest first; `next` is the `after` of the next part, null at the end. */
@Controller('admin/v1/credits/:account/ledger')
export class ReadLedgerController {
  constructor(
    @Inject(CREDITS_PORT) private readonly credits: CreditsPort,
    private readonly names: FindNames,
  ) {}

  @Get()
  read(
    @Param('account') account: string,
    @AskedLedgerPart() part: LedgerPart,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(reply, this.#read(account, part), 200, renderPart(part.limit));
  }

  async #read(account: string, part: LedgerPart): Promise<Answer<readonly LedgerEntry[]>> {
    const id = await this.names.account(account);
    return id.ok ? { ok: true, value: await this.credits.ledger(id.value, part) } : id;
  }
}

const renderPart = (limit: number) => (entries: readonly LedgerEntry[]) =>
  JSON.stringify({
    entries: entries.map(({ entryId, at, kind, amount, balance, jobId, taskId, charged, note }) => {
      return { entry_id: entryId, at, kind, amount, balance, job_id: jobId, task_id: taskId, charged, note };
    }),
    next: entries.length < limit ? null : String(entries.at(-1)!.entryId),
  });
