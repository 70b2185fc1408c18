import 'reflect-metadata';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ASSETS_MIGRATIONS, ASSETS_ROLE, AssetsModule } from '@heddle/assets';
import type { AssetsSettings } from '@heddle/assets';
import {
  ASSETS_PORT,
  DEPLOYMENT_DIRECTORY,
  JOBS_PORT,
  KEY_CHECK,
  LOGS_PORT,
  newUuid,
  VALIDATION_PORT,
} from '@heddle/contracts-messages';
import type { AccountId, AssetsPort, DeploymentDirectory, KeyCheck, KeyHolder } from '@heddle/contracts-messages';
import { SCOPES } from '@heddle/contracts-api-v2';
import { GatewayModule, GatewaySettings, RequestGate, STREAMED_BODIES } from '@heddle/gateway';
import type { BlobStore, TargetSigner } from '@heddle/platform-blob-store';
import { createHttpApplication, HTTP_DEFAULTS } from '@heddle/platform-http';
import { BodyBudget } from '@heddle/platform-http/body-budget';
import { CONNECTION_DEFAULTS, ConnectionGuard } from '@heddle/platform-http/connection-guard';
import { JobFeed } from '@heddle/platform-message-bus';
import { createLogger } from '@heddle/platform-telemetry';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { jobsServiceFake } from '@heddle/testing-jobs';
import type { DynamicModule } from '@nestjs/common';

export interface ManagedOptions {
  readonly store: BlobStore;
  readonly signer: TargetSigner | null;
  readonly assets?: Partial<AssetsSettings>;
  readonly gateway?: Partial<GatewaySettings>;
}

/** Gateway and assets service in one process, on the managed surface, with two accounts. */
export interface ManagedGateway {
  readonly url: string;
  readonly assets: AssetsPort;
  readonly database: TestDatabase;
  /** Statements that the assets service has sent. */
  statements(): number;
  end(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request target exactly as it is written: `fetch` would tidy it up. */
export async function send(
  base: string,
  target: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Reply> {
  const { hostname, port } = new URL(base);
  const sent = request({ hostname, port, path: target, method, headers: { connection: 'close', ...headers } });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode!, headers: answer.headers, body: await buffer(answer) };
}

export const ALICE = 'alice';
export const BOB = 'bob';

/** Keys are names here: how a key becomes an account is not under test. */
function keysOfNames(): KeyCheck {
  const holders = new Map<string, KeyHolder>();
  for (const name of [ALICE, BOB]) {
    const none = {
      queueDepth: null,
      running: null,
      streams: null,
      storageBytes: null,
      readRate: null,
      readBurst: null,
    };
    holders.set(name, {
      accountId: newUuid() as AccountId,
      accountName: name,
      keyId: name,
      scopes: new Set(SCOPES),
      suspended: false,
      limits: none,
    });
  }
  return { check: (key) => holders.get(key) ?? null, isWellFormed: () => false, follow: () => () => undefined };
}

class Neighbours {}

function neighbours(): DynamicModule {
  const directory: DeploymentDirectory = { find: () => null, byId: () => null };
  const ports = [
    { provide: KEY_CHECK, useValue: keysOfNames() },
    { provide: DEPLOYMENT_DIRECTORY, useValue: directory },
    { provide: JOBS_PORT, useValue: {} },
    { provide: VALIDATION_PORT, useValue: {} },
    { provide: LOGS_PORT, useValue: {} },
  ];
  return { module: Neighbours, providers: ports, exports: ports.map(({ provide }) => provide) };
}

export async function startManaged({ store, signer, assets, gateway }: ManagedOptions): Promise<ManagedGateway> {
  const database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS], poolSizes: { [ASSETS_ROLE]: 4 } });
  const pool = database.database.pool(ASSETS_ROLE);
  let statements = 0;
  const query = pool.query.bind(pool) as (...given: unknown[]) => unknown;
  Reflect.set(pool, 'query', (...given: unknown[]) => ((statements += 1), query(...given)));
  const assetsModule = AssetsModule.register({
    database: database.database,
    store,
    imports: [jobsServiceFake()],
    settings: { sweepIntervalMs: 0, jobEventLookMs: 0, blobGraceMs: 0, ...assets },
  });
  const limits = { uploadBytes: 10_000_000, uploadRequestBytes: 11_000_000, stalledMs: 30_000 };
  const module = GatewayModule.register({
    settings: new GatewaySettings({ ...limits, surface: 'managed', ...gateway }),
    feed: new JobFeed(() => undefined),
    signer,
    imports: [assetsModule, neighbours()],
  });
  const app = await createHttpApplication(module, {
    limits: HTTP_DEFAULTS,
    logger: createLogger('silent'),
    tracer: null,
    verify: (head) => gate.verify(head),
    guard: (head, reply) => gate.guard(head, reply),
    admit: (head) => gate.admit(head),
    streamedBodies: STREAMED_BODIES,
    connections: new ConnectionGuard(CONNECTION_DEFAULTS),
    bodies: new BodyBudget(10_000_000),
    observe: () => undefined,
  });
  const gate = app.get(RequestGate);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    assets: app.get<AssetsPort>(ASSETS_PORT, { strict: false }),
    database,
    statements: () => statements,
    end: async () => {
      await app.close();
      await database.drop();
    },
  };
}

export interface AssetBody {
  readonly id: string;
  readonly hash: string;
  readonly url: string;
  readonly url_expires_at: string;
}

/** Uploads a file as an account; the body of the answer. */
export async function upload(
  base: string,
  account: string,
  bytes: Buffer,
  fields: Readonly<Record<string, string>> = {},
): Promise<AssetBody> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ content_type: 'image/png', file_path: 'a/b ü.png', ...fields })) {
    form.set(name, value);
  }
  form.set('file', new Blob([bytes]));
  const headers = { authorization: `Bearer ${account}` };
  const answer = await fetch(`${base}/api/v2/assets`, { method: 'POST', headers, body: form });
  if (!answer.ok) throw new Error(`the upload was answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as AssetBody;
}
