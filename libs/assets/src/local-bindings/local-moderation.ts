import type { FactoryProvider, Provider } from '@nestjs/common';
import { MODERATION_PORT } from '@heddle/contracts-messages';
import type { ModerationPort } from '@heddle/contracts-messages';
import { ModerateHashHandler } from '../moderate-hash/moderate-hash.handler.js';

/** An operator's calls about hashes, answered in this process. */
const port: FactoryProvider<ModerationPort> = {
  provide: MODERATION_PORT,
  inject: [ModerateHashHandler],
  useFactory: (moderate: ModerateHashHandler): ModerationPort => ({
    decide: (hash, decision) => moderate.handle(hash, decision),
    verdict: (hash) => moderate.verdict(hash),
  }),
};

export const LOCAL_MODERATION: readonly Provider[] = [ModerateHashHandler, port];
