import { pipeline } from 'node:stream';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ASSETS_PORT } from '@heddle/contracts-messages';
import type { AssetId, AssetsPort, AssetView, Principal } from '@heddle/contracts-messages';
import { ownTurn, sendRejection } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller } from '../read-request/caller.decorator.js';
import { IdPipe } from '../read-request/id.pipe.js';
import { contentHead } from './content-head.js';
import { resumedContent } from './resumed-content.js';
import type { OpenRange } from './resumed-content.js';

@Controller('api/v2/assets')
export class GetAssetContentController {
  constructor(@Inject(ASSETS_PORT) private readonly assets: AssetsPort) {}

  @Get(':id/content')
  async get(
    @Param('id', IdPipe) id: AssetId,
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    // Thousands of pipelined requests on one connection must not each hold an open file with read-ahead.
    await ownTurn(reply.raw);
    if (reply.raw.destroyed) return void reply.hijack();
    const answer = await this.assets.content(caller, id);
    if (!answer.ok) return sendRejection(reply, answer.rejection);
    await sendContent(request, reply, answer.value, (range) => this.assets.bytes(caller, id, range));
  }
}

async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: AssetView,
  open: OpenRange,
): Promise<void> {
  const answer = contentHead(request.headers, asset);
  if (answer.kind === 'unsatisfiable') {
    void reply.header('content-range', answer.contentRange);
    return sendRejection(reply, answer.rejection);
  }
  const { status, head, part } = answer;
  // The bytes are opened before the head is sent, so that a failure still gets its envelope.
  const opened = request.method === 'HEAD' || part.end < part.start ? null : await open(part);
  if (opened?.ok === false) return sendRejection(reply, opened.rejection);
  if (reply.raw.destroyed) {
    // Its client left while the bytes were opened.
    opened?.value.destroy();
    return void reply.hijack();
  }
  // A manually written reply must include headers set by hooks (CORS).
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.hijack();
  reply.raw.writeHead(status, { ...head, 'x-request-id': request.id });
  if (opened === null) {
    reply.raw.end();
    return;
  }
  const { value: source } = opened;
  // An aborted client ends the pipeline and the read; content that fails cuts the connection. A source that is never
  // read must be released here.
  reply.raw.once('close', () => source.destroy());
  pipeline(resumedContent(open, part, source), reply.raw, (error) => {
    if (error) reply.raw.destroy();
  });
}
