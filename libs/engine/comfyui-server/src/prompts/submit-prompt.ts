import { randomUUID } from 'node:crypto';
import { readJson, type JsonDocument } from '@heddle/workflow-graph';
import type { Generation } from '../generation.js';
import { empty, json, serverError, type HttpAnswer } from '../http/answer.js';
import type { Call } from '../http/call.js';
import type { PromptCheck, PromptError } from './prompt-check.js';
import { splitSensitive, type PromptGraph, type QueuedPrompt } from './queued-prompt.js';

/** Dependencies of the submission. */
interface SubmissionParts {
  readonly generation: Generation;
  readonly check: PromptCheck;
  /** False if too many prompts wait. */
  readonly enqueue: (prompt: QueuedPrompt) => boolean;
}

/** Far above what the web UI sends with a prompt. */
const BODY_LIMITS = { maxDepth: 256, maxKeys: 2_000_000, maxLists: 2_000_000, maxNumberLength: 4096 };
const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NO_PROMPT: PromptError = {
  type: 'no_prompt',
  message: 'No prompt provided',
  details: 'No prompt provided',
  extra_info: {},
};
const INVALID_ID: PromptError = {
  type: 'invalid_prompt_id',
  message: 'prompt_id must be a valid UUID',
  details:
    'prompt_id must be a UUID string in canonical lowercase hyphenated form; omit it to let the server generate one',
  extra_info: {},
};

/** `POST /prompt`: accepts prompts, numbers them and queues them (engine.md 1). */
export class PromptSubmission {
  private counter = 0;

  constructor(private readonly parts: SubmissionParts) {}

  async answer(call: Call): Promise<HttpAnswer> {
    const bytes = await call.body();
    const read = readJson(bytes, BODY_LIMITS);
    // What Python's parser refuses ends in a 500, and so does what the engine's own code raises on.
    if (!read.ok) return serverError();
    const body: unknown = read.value;
    if (Array.isArray(body) || typeof body === 'string') return refusal(NO_PROMPT);
    if (typeof body !== 'object' || body === null) return serverError();
    const fields = body as Readonly<Record<string, unknown>>;
    const number = this.numberOf(fields);
    if (number === null) return serverError();
    if (!Object.hasOwn(fields, 'prompt')) return refusal(NO_PROMPT);
    const id = this.idOf(fields);
    if (id === null) return refusal(INVALID_ID);
    const text = promptText(bytes, read);
    const targets = fields['partial_execution_targets'];
    const verdict = this.parts.check({ text, targets: Array.isArray(targets) ? targets.map(String) : null });
    if (verdict.kind === 'raised') return serverError();
    if (verdict.kind === 'refused') return json({ error: { ...verdict.error }, node_errors: verdict.nodeErrors }, 400);
    const { outputs, nodeErrors } = verdict;
    const prompt = { number, id, outputs, graphText: text.toString('utf8'), graph: fields['prompt'] as PromptGraph };
    const accepted = this.parts.enqueue({ ...prompt, ...this.ownerOf(fields) });
    return accepted ? json({ prompt_id: id, number, node_errors: nodeErrors }) : empty(503);
  }

  /** The queue number; null if it is not a number. Refused prompts use one up as well. */
  private numberOf(fields: Readonly<Record<string, unknown>>): number | null {
    if (Object.hasOwn(fields, 'number')) {
      const given = fields['number'];
      const number = typeof given === 'number' || typeof given === 'string' ? Number(given) : NaN;
      return Number.isNaN(number) ? null : number;
    }
    const number = this.counter;
    this.counter += 1;
    return fields['front'] ? -number : number;
  }

  private idOf(fields: Readonly<Record<string, unknown>>): string | null {
    const given = fields['prompt_id'];
    if (this.parts.generation === '0.33.0') {
      if (given === undefined || given === null) return randomUUID();
      return typeof given === 'string' && CANONICAL_UUID.test(given) ? given : null;
    }
    // The older engine uses the text form of any value.
    if (given === undefined) return randomUUID();
    if (given === null) return 'None';
    return String(given);
  }

  private ownerOf(
    fields: Readonly<Record<string, unknown>>,
  ): Pick<QueuedPrompt, 'clientId' | 'extraData' | 'sensitive' | 'createTime'> {
    const given = fields['extra_data'];
    const extra: Record<string, unknown> = typeof given === 'object' && given !== null ? { ...given } : {};
    if (fields['client_id'] !== undefined) extra['client_id'] = fields['client_id'];
    const createTime = Date.now();
    if (this.parts.generation === '0.33.0') extra['create_time'] = createTime;
    const clientId = typeof extra['client_id'] === 'string' ? extra['client_id'] : null;
    const { shown, sensitive } = splitSensitive(extra);
    return { clientId, extraData: shown, sensitive, createTime };
  }
}

function refusal(error: PromptError): HttpAnswer {
  return json({ error: { ...error }, node_errors: {} }, 400);
}

/** The bytes of the `prompt` member. */
function promptText(bytes: Buffer, { scan }: JsonDocument): Buffer {
  const isPrompt = (start: number, end: number): boolean =>
    bytes.toString('utf8', start, end).replaceAll('"', '') === 'prompt';
  const member = scan.topLevel.find(({ key }) => isPrompt(key.start, key.end));
  return bytes.subarray(member?.value.start ?? 0, member?.value.end ?? 0);
}
