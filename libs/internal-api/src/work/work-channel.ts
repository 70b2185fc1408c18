import type { ClientDuplexStream, StatusObject } from '@grpc/grpc-js';
import type { CallTls } from '@heddle/platform-service-calls';
import { callMetadata, grpcTarget } from '@heddle/platform-service-calls/call';
import { WorkerServiceClient } from '../generated/heddle/worker/v1/worker.js';
import type { WorkRequest, WorkResponse } from '../generated/heddle/worker/v1/worker.js';

export interface WorkTargets {
  /** e.g. `http://jobs:8390`; with `https`, TLS. */
  readonly urls: readonly string[];
  readonly token: () => string;
  readonly tls: CallTls | null;
}

export interface OpenWorkStream {
  readonly url: string;
  readonly call: ClientDuplexStream<WorkRequest, WorkResponse>;
  /** How it ended; never rejects. */
  readonly over: Promise<StatusObject>;
}

/** Opens streams, each on a connection of its own, to one replica after the other. */
export class WorkChannel {
  #next: number;

  constructor(private readonly targets: WorkTargets) {
    // Workers that start together do not all begin with the same one.
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
    // Told by the status as well.
    call.on('error', () => undefined);
    return { url, call, over };
  }
}
