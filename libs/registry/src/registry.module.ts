import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
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
import { ADMIN_HANDLERS, registryAdminPort } from './answer-admin/registry-admin-port.js';
import { Membership } from './authorize/membership.js';
import { RegistryGate } from './authorize/registry-gate.js';
import { TokenCheck } from './authorize/token-check.js';
import { KeptReads } from './answer-reads/kept-reads.js';
import { ReadCache } from './answer-reads/read-cache.js';
import { ReadInterceptor } from './answer-reads/read.interceptor.js';
import { Requests } from './keep-requests/requests.js';
import { BusyInterceptor } from './refuse-busy/busy.interceptor.js';
import { BACKGROUND_PROVIDERS } from './background.providers.js';
import { PUBLISHER_CONTROLLERS, PUBLISHER_PROVIDERS } from './publishers.providers.js';
import { PUBLISHING_CONTROLLERS, PUBLISHING_PROVIDERS } from './publishing.providers.js';
import { READER_CONTROLLERS, READER_PROVIDERS } from './readers.providers.js';
import { REGISTRY_POOL } from './registry-pool.js';
import { RegistryLogger } from './registry-logger.js';
import { RegistryRuntime } from './registry-runtime.js';
import { REGISTRY_ROLE } from './registry-schema/registry-migrations.js';
import { REGISTRY_BUS } from './relay-events/registry-relay.js';
import { RegistrySettings } from './settings.js';
import { VersionSigner } from './sign-versions/version-signer.js';

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

/** The node registry in the order of a package's life: its publisher, its node, its versions, and who reads, installs and rates them. */
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
      controllers: [...PUBLISHER_CONTROLLERS, ...PUBLISHING_CONTROLLERS, ...READER_CONTROLLERS],
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
        ...PUBLISHER_PROVIDERS,
        ...PUBLISHING_PROVIDERS,
        ...READER_PROVIDERS,
        ...ADMIN_HANDLERS,
        registryAdminPort,
        ...BACKGROUND_PROVIDERS,
        RegistryRuntime,
      ],
    };
  }
}
