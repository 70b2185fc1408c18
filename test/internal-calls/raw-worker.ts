import { credentials } from '@grpc/grpc-js';
import { newUuid, SELF_HOSTED_POOL } from '@heddle/contracts-messages';
import { WorkerServiceClient } from '@heddle/internal-api/worker-protocol';
import type { WorkRequest, WorkResponse } from '@heddle/internal-api/worker-protocol';
import { callMetadata } from '@heddle/platform-service-calls/call';
import { until } from './jobs-under-test.js';

type Message = NonNullable<WorkRequest['kind']>;

/** A worker that sends protocol messages by hand */
export class RawWorker {
  readonly heard: WorkResponse[] = [];
  readonly over: Promise<{ readonly code: number; readonly details: string }>;
  readonly #token: string;
  readonly #call: ReturnType<WorkerServiceClient['work']>;

  constructor(url: string, token: string) {
    this.#token = token;
    const client = new WorkerServiceClient(new URL(url).host, credentials.createInsecure());
    this.#call = client.work(callMetadata(token));
    this.#call.on('data', (message: WorkResponse) => this.heard.push(message));
    this.#call.on('error', () => undefined);
    this.over = new Promise<{ code: number; details: string }>((resolve) => {
      this.#call.once('status', ({ code, details }) => resolve({ code, details }));
    }).finally(() => client.close());
  }

  say(kind: Message): void {
    this.#call.write({ kind });
  }

  /** Stops reading. */
  deafen(): this {
    this.#call.pause();
    return this;
  }

  hello(changes: object = {}): this {
    const names = { workerId: `raw-${newUuid()}`, environment: 'raw/1', held: [] };
    const value = { protocolVersion: 2, ...names, ...poolOf(this.#token), ...changes };
    this.say({ $case: 'hello', value });
    return this;
  }

  async hears<Case extends NonNullable<WorkResponse['kind']>['$case']>(kind: Case) {
    const found = () => this.heard.map((message) => message.kind).find((one) => one?.$case === kind);
    await until(() => Promise.resolve(found() !== undefined), `the message ${kind}`);
    return found() as Extract<NonNullable<WorkResponse['kind']>, { $case: Case }>;
  }

  end(): void {
    this.#call.end();
  }
}

/** The pool that a token names, read without Heddle's code. */
function poolOf(token: string): { readonly deploymentId: string; readonly revision: number } {
  const [, claims = ''] = token.split('.');
  const { dep = SELF_HOSTED_POOL.deploymentId, rev = 0 } = (
    claims.length > 2 ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : {}
  ) as { readonly dep?: string; readonly rev?: number };
  return { deploymentId: dep, revision: rev };
}
