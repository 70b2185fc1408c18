import type { UpscaleWire, VideoTaskWire } from '@heddle/contracts-registry';
import type { TaskState } from '@heddle/partner-proxy-domain';
import type { ProxyTask } from '../keep-tasks/task.js';

const STATUSES: Readonly<Record<TaskState, UpscaleWire['data']['status']>> = {
  created: 'CREATED',
  queueing: 'CREATED',
  processing: 'IN_PROGRESS',
  success: 'COMPLETED',
  failed: 'FAILED',
};

export function videoTaskWire(task: ProxyTask, payload: string): VideoTaskWire {
  return {
    id: task.taskId,
    state: task.state,
    err_code: task.errCode,
    credits: task.state === 'failed' ? 0 : task.price,
    payload,
    creations: task.creations.map(({ id, url, coverUrl }) => ({ id, url, cover_url: coverUrl })),
  };
}

export function upscaleWire({ taskId, state, creations }: ProxyTask): UpscaleWire {
  return { data: { generated: creations.map(({ url }) => url), status: STATUSES[state], task_id: taskId } };
}
