import type { ClientDuplexStream, StatusObject } from '@grpc/grpc-js';
import type { RenewableTls } from '@heddle/platform-service-calls';
import { callMetadata, grpcTarget } from '@heddle/platform-service-calls/call';
import { WorkerServiceClient } from '../generated/heddle/worker/v1/worker.js';
import type { WorkRequest, WorkResponse } from '../generated/heddle/worker/v1/worker.js';

export interface WorkTargets {
  /** For example `http://jobs:8390`; `https` means TLS */
  readonly urls: readonly string[];
  readonly token: () => string;
  readonly tls: RenewableTls | null;
}

export interface OpenWorkStream {
  readonly url: string;
  readonly call: ClientDuplexStream<WorkRequest, WorkResponse>;
  /** The status with which the stream ended; never rejects */
  readonly over: Promise<StatusObject>;
}

/** Opens streams to the replicas in turn, each on its own connection. */
export class WorkChannel {
  #next: number;

  constructor(private readonly targets: WorkTargets) {
    // A random start spreads workers that start together.
    this.#next = Math.floor(Math.random() * targets.urls.length);
  }

  open(received: (message: WorkResponse) => void): OpenWorkStream {
    const { urls, token, tls } = this.targets;
    const url = urls[this.#next % urls.length]!;
    this.#next += 1;
    const { address, credentials, options } = grpcTarget(url, tls);
    const client = new WorkerServiceClient(address, credentials, options);
    const call = client.work(callMetadata(token()));
    const over = new Promise<StatusObject>((resolve) => call.once('status', resolve)).finally(() => client.close());
    call.on('data', received);
    // `over` resolves with the same status.
    call.on('error', () => undefined);
    return { url, call, over };
  }
}
