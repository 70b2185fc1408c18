import type { Type } from '@nestjs/common';
import { ChallengeFinder } from './claim-node/challenge-finder.js';
import { ClaimNodeController } from './claim-node/claim-node.controller.js';
import { ClaimNodeHandler } from './claim-node/claim-node.handler.js';
import { CreateNodeController } from './create-node/create-node.controller.js';
import { CreateNodeHandler } from './create-node/create-node.handler.js';
import { DeleteNodeController } from './delete-node/delete-node.controller.js';
import { DeleteNodeHandler } from './delete-node/delete-node.handler.js';
import { DeleteVersionController } from './delete-version/delete-version.controller.js';
import { DeleteVersionHandler } from './delete-version/delete-version.handler.js';
import { WrittenVersions } from './load-for-write/written-versions.js';
import { PublishAnswer } from './publish-version/publish-answer.js';
import { PublishVersionController } from './publish-version/publish-version.controller.js';
import { PublishVersionHandler } from './publish-version/publish-version.handler.js';
import { RequestReviewController } from './request-review/request-review.controller.js';
import { RequestReviewHandler } from './request-review/request-review.handler.js';
import { UploadUrls } from './sign-versions/upload-url.js';
import { UpdateNodeController } from './update-node/update-node.controller.js';
import { UpdateNodeHandler } from './update-node/update-node.handler.js';
import { UpdateVersionController } from './update-version/update-version.controller.js';
import { UpdateVersionHandler } from './update-version/update-version.handler.js';
import { ArchiveKeeper } from './upload-archive/archive-keeper.js';
import { UploadArchiveController } from './upload-archive/upload-archive.controller.js';
import { JudgeTurns } from './upload-archive/judge-turns.js';
import { UploadArchiveHandler } from './upload-archive/upload-archive.handler.js';

/** Nodes and versions as their publishers write them: the steps of a claim, a publish, an upload and a change of a version. */
export const PUBLISHING_CONTROLLERS: readonly Type<unknown>[] = [
  CreateNodeController,
  UpdateNodeController,
  DeleteNodeController,
  ClaimNodeController,
  PublishVersionController,
  UploadArchiveController,
  UpdateVersionController,
  DeleteVersionController,
  RequestReviewController,
];

/** What these share, then their handlers in the same order. */
export const PUBLISHING_PROVIDERS: readonly Type<unknown>[] = [
  WrittenVersions,
  ChallengeFinder,
  UploadUrls,
  PublishAnswer,
  JudgeTurns,
  ArchiveKeeper,
  CreateNodeHandler,
  UpdateNodeHandler,
  DeleteNodeHandler,
  ClaimNodeHandler,
  PublishVersionHandler,
  UploadArchiveHandler,
  UpdateVersionHandler,
  DeleteVersionHandler,
  RequestReviewHandler,
];
