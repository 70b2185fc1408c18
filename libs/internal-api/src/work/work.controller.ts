import { callerOf } from '@heddle/platform-service-calls/serve';
import { Controller } from '@nestjs/common';
import { GrpcStreamCall } from '@nestjs/microservices';
import { WorkerServiceService } from '../generated/heddle/worker/v1/worker.js';
import { readRequest } from './read-request.js';
import { WorkStreams } from './work-streams.js';
import type { WorkCall } from './worker-stream.js';

/** The gRPC services of the worker protocol */
export const WORKER_PROTOCOL = {
  package: 'heddle.worker.v1',
  services: {
    'heddle.worker.v1.WorkerService': {
      work: { ...WorkerServiceService.work, requestDeserialize: readRequest },
    },
  },
  openTo: { [WorkerServiceService.work.path]: ['worker'] },
};

/** Serves the worker protocol (docs/architecture/11-worker-protocol.md). */
@Controller()
export class WorkController {
  constructor(private readonly streams: WorkStreams) {}

  /** Writes answers to the call itself. Resolves when the stream has ended. */
  @GrpcStreamCall('WorkerService', 'work')
  async work(call: WorkCall): Promise<void> {
    await this.streams.accept(call, callerOf());
  }
}
