import type { Type } from '@nestjs/common';
import { AddMemberController } from './add-member/add-member.controller.js';
import { AddMemberHandler } from './add-member/add-member.handler.js';
import { FindAccount } from './add-member/find-account.js';
import { CheckPublisherIdController } from './check-publisher-id/check-publisher-id.controller.js';
import { CheckPublisherIdHandler } from './check-publisher-id/check-publisher-id.handler.js';
import { CreatePublisherController } from './create-publisher/create-publisher.controller.js';
import { CreatePublisherHandler } from './create-publisher/create-publisher.handler.js';
import { CreateTokenController } from './create-token/create-token.controller.js';
import { CreateTokenHandler } from './create-token/create-token.handler.js';
import { ListPublishersController } from './list-publishers/list-publishers.controller.js';
import { ListTokensController } from './list-tokens/list-tokens.controller.js';
import { ListTokensHandler } from './list-tokens/list-tokens.handler.js';
import { RemoveMemberController } from './remove-member/remove-member.controller.js';
import { RemoveMemberHandler } from './remove-member/remove-member.handler.js';
import { RevokeTokenController } from './revoke-token/revoke-token.controller.js';
import { RevokeTokenHandler } from './revoke-token/revoke-token.handler.js';
import { ShowPublisherController } from './show-publisher/show-publisher.controller.js';
import { ShowPublisherHandler } from './show-publisher/show-publisher.handler.js';
import { UpdatePublisherController } from './update-publisher/update-publisher.controller.js';
import { UpdatePublisherHandler } from './update-publisher/update-publisher.handler.js';

/** Publishers, their members and their tokens. */
export const PUBLISHER_CONTROLLERS: readonly Type<unknown>[] = [
  CheckPublisherIdController,
  CreatePublisherController,
  UpdatePublisherController,
  ShowPublisherController,
  ListPublishersController,
  AddMemberController,
  RemoveMemberController,
  CreateTokenController,
  ListTokensController,
  RevokeTokenController,
];

/** What these share, then their handlers in the same order. */
export const PUBLISHER_PROVIDERS: readonly Type<unknown>[] = [
  FindAccount,
  CheckPublisherIdHandler,
  CreatePublisherHandler,
  UpdatePublisherHandler,
  ShowPublisherHandler,
  AddMemberHandler,
  RemoveMemberHandler,
  CreateTokenHandler,
  ListTokensHandler,
  RevokeTokenHandler,
];
