import { callerOf } from '@heddle/platform-service-calls/grpc-server';
import { Controller } from '@nestjs/common';
import { GrpcStreamCall } from '@nestjs/microservices';
import { WorkRequest, WorkerServiceService } from '../generated/heddle/worker/v1/worker.js';
import { WorkStreams } from './work-streams.js';
import type { WorkCall } from './worker-stream.js';

export { WorkStreams } from './work-streams.js';

/** A message that cannot be read is one of no known kind: it is counted and passed over, and the stream goes on. */
function readable(bytes: Buffer): WorkRequest {
  try {
    return WorkRequest.decode(bytes);
  } catch {
    return { kind: undefined };
  }
}

/** What a server of the worker protocol serves. */
export const WORKER_PROTOCOL = {
  package: 'heddle.worker.v1',
  services: {
    'heddle.worker.v1.WorkerService': {
      work: { ...WorkerServiceService.work, requestDeserialize: readable },
    },
  },
  openTo: { [WorkerServiceService.work.path]: ['worker'] },
};

/** The worker protocol (docs/architecture/11-worker-protocol.md). */
@Controller()
export class WorkController {
  constructor(private readonly streams: WorkStreams) {}

  /** Answers on the call itself; resolves when the stream is over. */
  @GrpcStreamCall('WorkerService', 'work')
  async work(call: WorkCall): Promise<void> {
    await this.streams.accept(call, callerOf());
  }
}
