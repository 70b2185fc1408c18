import { pipeline } from 'node:stream';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ASSETS_PORT, refuse } from '@heddle/contracts-messages';
import type { Answer, AssetId, AssetsPort, AssetView } from '@heddle/contracts-messages';
import { ownTurn, sendRejection } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idIn, notFound } from '../api-request.js';
import { principalOf } from '../authenticate/admission.js';
import { byteRange } from './byte-range.js';
import { attachment } from './content-disposition.js';
import { resumedContent } from './resumed-content.js';
import type { OpenRange } from './resumed-content.js';

@Controller('api/v2/assets')
export class GetAssetContentController {
  constructor(@Inject(ASSETS_PORT) private readonly assets: AssetsPort) {}

  @Get(':id/content')
  async get(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // Thousands of pipelined requests on one connection must not each hold an open file with read-ahead.
    await ownTurn(reply.raw);
    if (reply.raw.destroyed) return void reply.hijack();
    const answer = await this.#content(request, id);
    if (!answer.ok) return sendRejection(reply, answer.rejection);
    const { value: asset } = answer;
    await sendContent(request, reply, asset, (range) => this.assets.bytes(principalOf(request), asset.id, range));
  }

  async #content(request: FastifyRequest, text: string): Promise<Answer<AssetView>> {
    const id = idIn<AssetId>(text);
    return id === null ? notFound() : this.assets.content(principalOf(request), id);
  }
}

async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  { sizeBytes, filePath, hash }: AssetView,
  open: OpenRange,
): Promise<void> {
  const etag = `"${hash}"`;
  const fresh = request.headers['if-range'] === undefined || request.headers['if-range'] === etag;
  const range = byteRange(fresh ? request.headers.range : undefined, sizeBytes);
  if (range.kind === 'unsatisfiable') {
    void reply.header('content-range', `bytes */${sizeBytes}`);
    return sendRejection(reply, refuse('range_not_satisfiable', { case: 'range', size: sizeBytes }));
  }
  const part = range.kind === 'part' ? { start: range.start, end: range.end } : { start: 0, end: sizeBytes - 1 };
  const length = part.end - part.start + 1;
  const head: Record<string, string> = {
    'content-type': 'application/octet-stream',
    'content-length': String(length),
    'accept-ranges': 'bytes',
    'content-disposition': attachment(filePath),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-cache',
    'x-request-id': request.id,
    etag,
  };
  if (range.kind === 'part') head['content-range'] = `bytes ${part.start}-${part.end}/${sizeBytes}`;
  // The bytes are opened before the headers are sent, so that a failure still gets its envelope.
  const opened = request.method === 'HEAD' || length === 0 ? null : await open(part);
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
  reply.raw.writeHead(range.kind === 'part' ? 206 : 200, head);
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
