import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { accepted, CREDITS_PORT } from '@heddle/contracts-messages';
import type { CreditsPort, LedgerEntry, LedgerPart } from '@heddle/contracts-messages';
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
    return respond(
      reply,
      this.names.withAccount(account, async (id) => accepted(await this.credits.ledger(id, part))),
      200,
      renderPart(part.limit),
    );
  }
}

const renderPart = (limit: number) => (entries: readonly LedgerEntry[]) =>
  JSON.stringify({
    entries: entries.map(({ entryId, at, kind, amount, balance, jobId, taskId, charged, note }) => {
      return { entry_id: entryId, at, kind, amount, balance, job_id: jobId, task_id: taskId, charged, note };
    }),
    next: entries.length < limit ? null : String(entries.at(-1)!.entryId),
  });
