import { createSecretKey, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { NodePackagesPort, RegistryAdminPort } from '@heddle/contracts-messages';
import { LocalProxyAdmin } from '@heddle/partner-proxy/admin';
import { PARTNER_PROXY_MIGRATIONS, PARTNER_PROXY_ROLE } from '@heddle/partner-proxy/schema';
import { DirectoryBlobStore } from '@heddle/platform-blob-store';
import { CredentialDigest, readPepper } from '@heddle/platform-credentials';
import { checkCredentialsForm, createHttpApplication, HTTP_DEFAULTS, noteAddress } from '@heddle/platform-http';
import { BodyBudget } from '@heddle/platform-http/body-budget';
import { CONNECTION_DEFAULTS, ConnectionGuard } from '@heddle/platform-http/connection-guard';
import { createLogger, MetricsRegistry } from '@heddle/platform-telemetry';
import { REGISTRY_API } from '@heddle/platform-http/registry-form';
import { RegistryGate, RegistryModule, RegistrySettings, VersionSigner } from '@heddle/registry';
import { LocalNodePackages } from '@heddle/registry/node-packages';
import { REGISTRY_MIGRATIONS, REGISTRY_ROLE } from '@heddle/registry/schema';
import { freshDatabase } from '@heddle/testing-database';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PublishingClient } from './publish-package.js';

export interface RegistryUnderTest {
  readonly admin: RegistryAdminPort;
  readonly client: PublishingClient;
  /** The validation's questions, with a memory of its own. */
  packages(): NodePackagesPort;
  /** The id of a new task of the partner proxy whose callback is dead. */
  deadTask(): Promise<string>;
  close(): Promise<void>;
}

/** A registry of the self-hosted surface on a database and a folder of its own. */
export async function openRegistry(): Promise<RegistryUnderTest> {
  const database = await freshDatabase({ migrations: [REGISTRY_MIGRATIONS, PARTNER_PROXY_MIGRATIONS] });
  const proxyPool = database.pool(PARTNER_PROXY_ROLE);
  const folder = await mkdtemp(join(tmpdir(), 'registry-'));
  const settings = new RegistrySettings({ uploadFolder: join(folder, 'uploads') });
  const logger = createLogger('silent');
  const module = RegistryModule.register({
    database,
    store: await DirectoryBlobStore.open(join(folder, 'blobs')),
    settings,
    signer: new VersionSigner([{ id: 'key-1', secret: createSecretKey(Buffer.alloc(32, 7)) }]),
    digest: new CredentialDigest(readPepper(join(folder, 'pepper'), true)),
    logger,
    metrics: new MetricsRegistry(),
    proxy: new LocalProxyAdmin(proxyPool, () => undefined),
    imports: [],
  });
  const app: NestFastifyApplication = await createHttpApplication(module, {
    api: REGISTRY_API,
    limits: HTTP_DEFAULTS,
    logger,
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
  let deadTasks = 0;
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    admin: app.get<RegistryAdminPort>(REGISTRY_ADMIN_PORT),
    client: new PublishingClient(`http://127.0.0.1:${port}`),
    packages: () => new LocalNodePackages(database.pool(REGISTRY_ROLE)),
    deadTask: async () => {
      const [taskId, accountId] = [randomUUID(), randomUUID()];
      await proxyPool.query(
        `insert into partner_proxy.task (task_id, account_id, vendor, step, state, price, callback_token)
         values ($1, $2, 'video', 'over', 'success', 0, $3)`,
        [taskId, accountId, taskId.replaceAll('-', '')],
      );
      await proxyPool.query(
        `insert into partner_proxy.delivery
           (delivery_id, task_id, account_id, url, body, status, attempts, problem, ended_at)
         values ($1, $2, $3, 'https://hooks.example.com/', '{}', 'dead', 6, 'the receiver answered 500',
                 heddle.clock_now_ms() + $4 * interval '1 millisecond')`,
        // Of one millisecond they would be listed by their ids.
        [randomUUID(), taskId, accountId, (deadTasks += 1)],
      );
      return taskId;
    },
    close: async () => {
      await app.close();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}
