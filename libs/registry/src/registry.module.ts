import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { PROXY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { ProxyAdminPort } from '@heddle/contracts-messages';
import { BLOB_STORE } from '@heddle/platform-blob-store';
import type { BlobStore } from '@heddle/platform-blob-store';
import { CredentialDigest } from '@heddle/platform-credentials';
import type { Database } from '@heddle/platform-database';
import type { MessageBus } from '@heddle/platform-message-bus';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Logger } from '@heddle/platform-telemetry';
import { FailedCredentials } from '@heddle/platform-http/failed-credentials';
import { AddMemberController } from './add-member/add-member.controller.js';
import { AddMemberHandler } from './add-member/add-member.handler.js';
import { FindAccount } from './add-member/find-account.js';
import { ADMIN_HANDLERS, registryAdminPort } from './answer-admin/registry-admin-port.js';
import { Membership } from './authorize/membership.js';
import { RegistryGate } from './authorize/registry-gate.js';
import { TokenCheck } from './authorize/token-check.js';
import { CheckPublisherIdController } from './check-publisher-id/check-publisher-id.controller.js';
import { CheckPublisherIdHandler } from './check-publisher-id/check-publisher-id.handler.js';
import { ChallengeFinder } from './claim-node/challenge-finder.js';
import { ClaimNodeController } from './claim-node/claim-node.controller.js';
import { ClaimNodeHandler } from './claim-node/claim-node.handler.js';
import { KeptReads } from './answer-reads/kept-reads.js';
import { ReadCache } from './answer-reads/read-cache.js';
import { ReadInterceptor } from './answer-reads/read.interceptor.js';
import { BulkVersionsController } from './bulk-versions/bulk-versions.controller.js';
import { BulkVersionsHandler } from './bulk-versions/bulk-versions.handler.js';
import { RegistryLog } from './commit-events/registry-log.js';
import { CreateNodeController } from './create-node/create-node.controller.js';
import { CreateNodeHandler } from './create-node/create-node.handler.js';
import { CreatePublisherController } from './create-publisher/create-publisher.controller.js';
import { CreatePublisherHandler } from './create-publisher/create-publisher.handler.js';
import { CreateTokenController } from './create-token/create-token.controller.js';
import { CreateTokenHandler } from './create-token/create-token.handler.js';
import { DeleteNodeController } from './delete-node/delete-node.controller.js';
import { DeleteNodeHandler } from './delete-node/delete-node.handler.js';
import { DeleteVersionController } from './delete-version/delete-version.controller.js';
import { DeleteVersionHandler } from './delete-version/delete-version.handler.js';
import { FindClassNodeController } from './find-class-node/find-class-node.controller.js';
import { FindClassNodeHandler } from './find-class-node/find-class-node.handler.js';
import { NodeReads } from './find-nodes/node-reads.js';
import { VersionReads } from './find-versions/version-reads.js';
import { GetArchiveController } from './get-archive/get-archive.controller.js';
import { GetArchiveHandler } from './get-archive/get-archive.handler.js';
import { InspectionLoop } from './inspect-versions/inspection-loop.js';
import { StoredPackageInspector } from './inspect-versions/stored-package-inspector.js';
import { VersionInspector } from './inspect-versions/version-inspector.js';
import { WaitingVersions } from './inspect-versions/waiting-versions.js';
import { Requests } from './keep-requests/requests.js';
import { ListPublishersController } from './list-publishers/list-publishers.controller.js';
import { InstallNodeController } from './install-node/install-node.controller.js';
import { InstallNodeHandler } from './install-node/install-node.handler.js';
import { ListChangesController } from './list-changes/list-changes.controller.js';
import { ListChangesHandler } from './list-changes/list-changes.handler.js';
import { ListNodesController } from './list-nodes/list-nodes.controller.js';
import { ListNodesHandler } from './list-nodes/list-nodes.handler.js';
import { ListPublisherNodesController } from './list-nodes/list-publisher-nodes.controller.js';
import { ListTokensController } from './list-tokens/list-tokens.controller.js';
import { ListTokensHandler } from './list-tokens/list-tokens.handler.js';
import { ListVersionClassesController } from './list-version-classes/list-version-classes.controller.js';
import { ListVersionClassesHandler } from './list-version-classes/list-version-classes.handler.js';
import { ListVersionsController } from './list-versions/list-versions.controller.js';
import { ListVersionsHandler } from './list-versions/list-versions.handler.js';
import { ClassReads } from './list-wf-nodes/class-reads.js';
import { ListWfNodesController } from './list-wf-nodes/list-wf-nodes.controller.js';
import { ListWfNodesHandler } from './list-wf-nodes/list-wf-nodes.handler.js';
import { ListedClasses } from './list-wf-nodes/listed-classes.js';
import { WrittenVersions } from './load-for-write/written-versions.js';
import { PublishAnswer } from './publish-version/publish-answer.js';
import { PublishVersionController } from './publish-version/publish-version.controller.js';
import { PublishVersionHandler } from './publish-version/publish-version.handler.js';
import { BusyInterceptor } from './refuse-busy/busy.interceptor.js';
import { REGISTRY_POOL } from './registry-pool.js';
import { RegistryLogger } from './registry-logger.js';
import { RegistryRuntime } from './registry-runtime.js';
import { REGISTRY_ROLE } from './registry-schema/registry-migrations.js';
import { LogPublication } from './relay-events/log-publication.js';
import { RegistryMessages } from './relay-events/registry-messages.js';
import { REGISTRY_BUS, RegistryRelay } from './relay-events/registry-relay.js';
import { RelayLag } from './relay-events/relay-lag.js';
import { RemoveMemberController } from './remove-member/remove-member.controller.js';
import { RemoveMemberHandler } from './remove-member/remove-member.handler.js';
import { ReportNodeController } from './report-node/report-node.controller.js';
import { ReportNodeHandler } from './report-node/report-node.handler.js';
import { RequestReviewController } from './request-review/request-review.controller.js';
import { RequestReviewHandler } from './request-review/request-review.handler.js';
import { RevokeTokenController } from './revoke-token/revoke-token.controller.js';
import { RevokeTokenHandler } from './revoke-token/revoke-token.handler.js';
import { RateNodeController } from './rate-node/rate-node.controller.js';
import { RateNodeHandler } from './rate-node/rate-node.handler.js';
import { SearchNodesController } from './search-nodes/search-nodes.controller.js';
import { SearchNodesHandler } from './search-nodes/search-nodes.handler.js';
import { RegistrySettings } from './settings.js';
import { ShowDocumentController } from './show-document/show-document.controller.js';
import { ShowIndexController } from './show-index/show-index.controller.js';
import { ShowIndexHandler } from './show-index/show-index.handler.js';
import { ShowKeysController } from './show-keys/show-keys.controller.js';
import { ShowNodeController } from './show-node/show-node.controller.js';
import { ShowNodeHandler } from './show-node/show-node.handler.js';
import { sequencer } from './sequence-events/sequencer.provider.js';
import { ShowPublisherController } from './show-publisher/show-publisher.controller.js';
import { ShowPublisherHandler } from './show-publisher/show-publisher.handler.js';
import { ShowNodeVersionController } from './show-version/show-version.controller.js';
import { ShowVersionHandler } from './show-version/show-version.handler.js';
import { UploadUrls } from './sign-versions/upload-url.js';
import { VersionSigner } from './sign-versions/version-signer.js';
import { PendingSweep } from './sweep-leftovers/pending-sweep.js';
import { SweepLoop } from './sweep-leftovers/sweep-loop.js';
import { UploadSweep } from './sweep-leftovers/upload-sweep.js';
import { UpdateNodeController } from './update-node/update-node.controller.js';
import { UpdateNodeHandler } from './update-node/update-node.handler.js';
import { UpdatePublisherController } from './update-publisher/update-publisher.controller.js';
import { UpdatePublisherHandler } from './update-publisher/update-publisher.handler.js';
import { UpdateVersionController } from './update-version/update-version.controller.js';
import { UpdateVersionHandler } from './update-version/update-version.handler.js';
import { ArchiveKeeper } from './upload-archive/archive-keeper.js';
import { UploadArchiveController } from './upload-archive/upload-archive.controller.js';
import { JudgeTurns } from './upload-archive/judge-turns.js';
import { UploadArchiveHandler } from './upload-archive/upload-archive.handler.js';

export interface RegistryModuleOptions {
  readonly database: Pick<Database, 'pool'>;
  /** Of the registry alone: its objects are nobody else's. */
  readonly store: BlobStore;
  readonly settings: RegistrySettings;
  readonly signer: VersionSigner;
  readonly digest: CredentialDigest;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics: MetricsRegistry;
  /** Absent: no other process reads the events of the registry. */
  readonly bus?: MessageBus;
  /** Absent: a process without the partner proxy. */
  readonly proxy?: ProxyAdminPort;
  /** Modules that provide KEY_CHECK; none on self-hosted. */
  readonly imports: readonly DynamicModule[];
}

/** In the order of a package's life: its publisher, its node, its versions, and who reads, installs and rates them. */
const CONTROLLERS: readonly Type<unknown>[] = [
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
  CreateNodeController,
  UpdateNodeController,
  DeleteNodeController,
  ClaimNodeController,
  PublishVersionController,
  UploadArchiveController,
  UpdateVersionController,
  DeleteVersionController,
  RequestReviewController,
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

/** In the same order. */
const HANDLERS: readonly Type<unknown>[] = [
  CheckPublisherIdHandler,
  CreatePublisherHandler,
  UpdatePublisherHandler,
  ShowPublisherHandler,
  AddMemberHandler,
  RemoveMemberHandler,
  CreateTokenHandler,
  ListTokensHandler,
  RevokeTokenHandler,
  CreateNodeHandler,
  UpdateNodeHandler,
  DeleteNodeHandler,
  ClaimNodeHandler,
  PublishVersionHandler,
  UploadArchiveHandler,
  UpdateVersionHandler,
  DeleteVersionHandler,
  RequestReviewHandler,
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

/** What these share: where they read, and the steps of a claim, a publish, a change of a version and an upload. */
const PARTS: readonly Type<unknown>[] = [
  NodeReads,
  VersionReads,
  ClassReads,
  ListedClasses,
  FindAccount,
  WrittenVersions,
  ChallengeFinder,
  UploadUrls,
  PublishAnswer,
  JudgeTurns,
  ArchiveKeeper,
];

/** The node registry: publishers, nodes, their versions, and what is in them. */
@Module({})
export class RegistryModule {
  static register({
    database,
    store,
    settings,
    signer,
    digest,
    logger,
    metrics,
    bus,
    proxy,
    imports,
  }: RegistryModuleOptions): DynamicModule {
    return {
      module: RegistryModule,
      imports: [...imports],
      controllers: [...CONTROLLERS],
      providers: [
        { provide: REGISTRY_POOL, useValue: database.pool(REGISTRY_ROLE) },
        { provide: BLOB_STORE, useValue: store },
        { provide: RegistrySettings, useValue: settings },
        { provide: VersionSigner, useValue: signer },
        { provide: CredentialDigest, useValue: digest },
        { provide: REGISTRY_BUS, useValue: bus ?? null },
        { provide: PROXY_ADMIN_PORT, useValue: proxy ?? null },
        { provide: RegistryLogger, useValue: new RegistryLogger(logger) },
        { provide: MetricsRegistry, useValue: metrics },
        { provide: FailedCredentials, useValue: new FailedCredentials(settings.authFailures) },
        TokenCheck,
        RegistryGate,
        KeptReads,
        ReadCache,
        { provide: APP_INTERCEPTOR, useClass: ReadInterceptor },
        { provide: APP_INTERCEPTOR, useClass: BusyInterceptor },
        Membership,
        Requests,
        ...PARTS,
        ...HANDLERS,
        ...ADMIN_HANDLERS,
        registryAdminPort,
        RegistryLog,
        WaitingVersions,
        StoredPackageInspector,
        VersionInspector,
        InspectionLoop,
        PendingSweep,
        UploadSweep,
        SweepLoop,
        sequencer,
        RegistryMessages,
        RegistryRelay,
        RelayLag,
        LogPublication,
        RegistryRuntime,
      ],
    };
  }
}
