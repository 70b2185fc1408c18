import type { Type } from '@nestjs/common';
import { BulkVersionsController } from './bulk-versions/bulk-versions.controller.js';
import { BulkVersionsHandler } from './bulk-versions/bulk-versions.handler.js';
import { FindClassNodeController } from './find-class-node/find-class-node.controller.js';
import { FindClassNodeHandler } from './find-class-node/find-class-node.handler.js';
import { NodeReads } from './find-nodes/node-reads.js';
import { VersionReads } from './find-versions/version-reads.js';
import { GetArchiveController } from './get-archive/get-archive.controller.js';
import { GetArchiveHandler } from './get-archive/get-archive.handler.js';
import { InstallNodeController } from './install-node/install-node.controller.js';
import { InstallNodeHandler } from './install-node/install-node.handler.js';
import { ListChangesController } from './list-changes/list-changes.controller.js';
import { ListChangesHandler } from './list-changes/list-changes.handler.js';
import { ListNodesController } from './list-nodes/list-nodes.controller.js';
import { ListNodesHandler } from './list-nodes/list-nodes.handler.js';
import { ListPublisherNodesController } from './list-nodes/list-publisher-nodes.controller.js';
import { ListVersionClassesController } from './list-version-classes/list-version-classes.controller.js';
import { ListVersionClassesHandler } from './list-version-classes/list-version-classes.handler.js';
import { ListVersionsController } from './list-versions/list-versions.controller.js';
import { ListVersionsHandler } from './list-versions/list-versions.handler.js';
import { ClassReads } from './list-wf-nodes/class-reads.js';
import { ListWfNodesController } from './list-wf-nodes/list-wf-nodes.controller.js';
import { ListWfNodesHandler } from './list-wf-nodes/list-wf-nodes.handler.js';
import { ListedClasses } from './list-wf-nodes/listed-classes.js';
import { ReportNodeController } from './report-node/report-node.controller.js';
import { ReportNodeHandler } from './report-node/report-node.handler.js';
import { RateNodeController } from './rate-node/rate-node.controller.js';
import { RateNodeHandler } from './rate-node/rate-node.handler.js';
import { SearchNodesController } from './search-nodes/search-nodes.controller.js';
import { SearchNodesHandler } from './search-nodes/search-nodes.handler.js';
import { ShowDocumentController } from './show-document/show-document.controller.js';
import { ShowIndexController } from './show-index/show-index.controller.js';
import { ShowIndexHandler } from './show-index/show-index.handler.js';
import { ShowKeysController } from './show-keys/show-keys.controller.js';
import { ShowNodeController } from './show-node/show-node.controller.js';
import { ShowNodeHandler } from './show-node/show-node.handler.js';
import { ShowNodeVersionController } from './show-version/show-version.controller.js';
import { ShowVersionHandler } from './show-version/show-version.handler.js';

/** Who reads, installs, rates and reports what is published. */
export const READER_CONTROLLERS: readonly Type<unknown>[] = [
  ListNodesController,
  ListPublisherNodesController,
  SearchNodesController,
  ShowNodeController,
  ListVersionsController,
  ShowNodeVersionController,
  BulkVersionsController,
  ListWfNodesController,
  ListVersionClassesController,
  FindClassNodeController,
  InstallNodeController,
  GetArchiveController,
  RateNodeController,
  ReportNodeController,
  ShowIndexController,
  ListChangesController,
  ShowKeysController,
  ShowDocumentController,
];

/** What these share, then their handlers in the same order. */
export const READER_PROVIDERS: readonly Type<unknown>[] = [
  NodeReads,
  VersionReads,
  ClassReads,
  ListedClasses,
  ListNodesHandler,
  SearchNodesHandler,
  ShowNodeHandler,
  ListVersionsHandler,
  ShowVersionHandler,
  BulkVersionsHandler,
  ListWfNodesHandler,
  ListVersionClassesHandler,
  FindClassNodeHandler,
  InstallNodeHandler,
  GetArchiveHandler,
  RateNodeHandler,
  ReportNodeHandler,
  ShowIndexHandler,
  ListChangesHandler,
];
