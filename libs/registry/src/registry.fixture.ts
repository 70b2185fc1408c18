import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import { BLOB_STORE, DirectoryBlobStore } from '@heddle/platform-blob-store';
import { CredentialDigest, readPepper } from '@heddle/platform-credentials';
import { checkCredentialsForm, createHttpApplication, HTTP_DEFAULTS, noteAddress } from '@heddle/platform-http';
import { BodyBudget } from '@heddle/platform-http/body-budget';
import { CONNECTION_DEFAULTS, ConnectionGuard } from '@heddle/platform-http/connection-guard';
import { REGISTRY_API } from '@heddle/platform-http/registry-form';
import type { MessageBus } from '@heddle/platform-message-bus';
import { createLogger, MetricsRegistry } from '@heddle/platform-telemetry';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { RegistryGate } from './authorize/registry-gate.js';
import { RegistryLog } from './commit-events/registry-log.js';
import { REGISTRY_MIGRATIONS, REGISTRY_ROLE } from './registry-schema/registry-migrations.js';
import { RegistryModule } from './registry.module.js';
import { RegistrySettings } from './settings.js';
import { VersionSigner } from './sign-versions/version-signer.js';

/** The static token of the account that owns every publisher of a test. */
export const OWNER = `owner-${randomBytes(8).toString('hex')}`;
export const OWNER_ID = SELF_HOSTED_PRINCIPAL.accountId;

/** A registry as clients meet it, on a database of its own. */
export interface TestRegistry {
  readonly database: TestDatabase;
  readonly log: RegistryLog;
  readonly store: DirectoryBlobStore;
  /** Of the store, the pepper and unjudged uploads. */
  readonly folder: string;
  readonly metrics: MetricsRegistry;
  readonly app: NestFastifyApplication;
  readonly url: string;
  close(): Promise<void>;
}

/** `imports`: what other contexts provide, such as KEY_CHECK. `bus`: where events go; absent: nowhere. */
export async function testRegistry(
  changes: Partial<RegistrySettings> = {},
  imports: readonly DynamicModule[] = [],
  bus?: MessageBus,
): Promise<TestRegistry> {
  const database = await freshDatabase({ migrations: [REGISTRY_MIGRATIONS], poolSizes: { [REGISTRY_ROLE]: 12 } });
  const folder = await mkdtemp(join(tmpdir(), 'registry-'));
  const limits = { readRate: 1e9, readBurst: 1e9 };
  const settings = new RegistrySettings({
    uploadFolder: join(folder, 'uploads'),
    staticToken: OWNER,
    ...limits,
    ...changes,
  });
  const metrics = new MetricsRegistry();
  const store = await DirectoryBlobStore.open(join(folder, 'blobs'));
  const module = RegistryModule.register({
    database,
    store,
    settings,
    signer: new VersionSigner([{ id: 'key-1', secret: createSecretKey(Buffer.alloc(32, 7)) }]),
    digest: new CredentialDigest(readPepper(join(folder, 'pepper'), true)),
    logger: createLogger('silent'),
    metrics,
    ...(bus === undefined ? {} : { bus }),
    imports,
  });
  const app: NestFastifyApplication = await createHttpApplication(module, {
    api: REGISTRY_API,
    limits: { ...HTTP_DEFAULTS, bodyBytes: 1_048_576 },
    logger: createLogger('silent'),
    tracer: null,
    guard: (request) => {
      noteAddress(request, settings);
      return checkCredentialsForm(request.raw);
    },
    admit: (request) => app.get(RegistryGate).admit(request),
    streamedBodies: new Set(['PUT /uploads/:version']),
    connections: new ConnectionGuard(CONNECTION_DEFAULTS),
    bodies: new BodyBudget(100_000_000),
    observe: () => undefined,
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    database,
    log: app.get(RegistryLog),
    store: app.get(BLOB_STORE),
    folder,
    metrics,
    app,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      await app.close();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}
