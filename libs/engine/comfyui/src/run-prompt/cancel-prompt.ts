import type { EngineCalls } from '../calls/engine-calls.js';
import { readQueue } from './engine-queue.js';

/**
 * Asks the engine to drop one prompt, waiting or running, without affecting others. Newer engines do it in one step;
 * older ones lack that route (404 or 405), so the prompt is deleted from the queue, and interrupted only if it is the
 * running one.
 * @throws EngineCallError
 */
export async function cancelPrompt(calls: EngineCalls, promptId: string): Promise<void> {
  const answer = await calls.post(`/api/jobs/${encodeURIComponent(promptId)}/cancel`);
  if (answer.status === 200) return;
  await calls.post('/queue', { delete: [promptId] });
  const { running } = await readQueue(calls);
  // Engines without targeted interrupts stop whatever runs.
  if (running.has(promptId)) await calls.post('/interrupt', { prompt_id: promptId });
}
