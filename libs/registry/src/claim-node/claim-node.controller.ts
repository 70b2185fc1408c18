import { Controller, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { ClaimNodeHandler } from './claim-node.handler.js';
import type { Challenge } from './claim-node.handler.js';

@Controller('publishers/:publisher/nodes/:node/claim-my-node')
export class ClaimNodeController {
  constructor(private readonly claims: ClaimNodeHandler) {}

  /** 204: it is the publisher's. */
  @Post()
  async handle(
    @Param() { publisher, node: nodeId }: { readonly publisher: string; readonly node: string },
    @Caller() caller: RegistryCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Challenge | undefined> {
    return challengeOr204(await this.claims.handle({ publisher, nodeId, caller }), reply);
  }
}

function challengeOr204(challenge: Challenge | null, reply: FastifyReply): Challenge | undefined {
  void reply.status(challenge === null ? 204 : 200);
  return challenge ?? undefined;
}
