import type { EngineCredentials } from '@heddle/engine-port';
import type { EngineCalls } from '../calls/engine-calls.js';
import { callError } from '../calls/call-error.js';
import { at, isRecord, textAt } from '../calls/json-shape.js';
import type { Failure } from './execution-failure.js';
import { engineFailure } from './execution-failure.js';
import { refusalOf } from './prompt-refusal.js';

interface SubmittedGraph {
  readonly promptId: string;
  readonly clientId: string;
  readonly workflow: Uint8Array;
  readonly credentials?: EngineCredentials;
  readonly previewMethod?: string;
}

/**
 * Result of a submission. `unknown`: the engine may have accepted it, so its queue decides; `away`: it never received
 * it; `partly`: it dropped bad outputs and runs the others, which is a refusal here.
 */
type Submitted =
  | { readonly kind: 'accepted'; readonly promptId: string }
  | { readonly kind: 'partly'; readonly promptId: string; readonly failure: Failure }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'away'; readonly reason: string };

const MAX_ID_LENGTH = 200;
const BEHIND_A_PROXY = new Set([502, 503, 504]);

/** Posts a graph byte for byte under our own id, so that it can be looked up even if the answer is lost. */
export async function submitPrompt(calls: EngineCalls, submission: SubmittedGraph): Promise<Submitted> {
  let answer;
  try {
    answer = await calls.post('/prompt', bodyOf(submission));
  } catch (error) {
    const { failure, message } = callError(error, 'POST /prompt');
    return failure === 'refused' ? { kind: 'away', reason: message } : { kind: 'unknown', reason: message };
  }
  const { status, json } = answer;
  if (BEHIND_A_PROXY.has(status)) return { kind: 'unknown', reason: `POST /prompt of the engine answered ${status}` };
  if (status >= 500) {
    return { kind: 'refused', failure: engineFailure(`the engine could not read the graph: it answered ${status}`) };
  }
  if (status !== 200) return { kind: 'refused', failure: refusalOf(answer) };
  if (!isRecord(json)) return { kind: 'unknown', reason: 'POST /prompt of the engine answered 200 and no JSON' };
  // Engines without client-made ids return theirs here.
  const given = textAt(json, 'prompt_id');
  const promptId = given !== null && given !== '' && given.length <= MAX_ID_LENGTH ? given : submission.promptId;
  const errors = at(json, 'node_errors');
  const isClean = !isRecord(errors) || Object.keys(errors).length === 0;
  return isClean ? { kind: 'accepted', promptId } : { kind: 'partly', promptId, failure: refusalOf(answer) };
}

function bodyOf({ promptId, clientId, workflow, credentials, previewMethod }: SubmittedGraph): Uint8Array {
  const extra: Record<string, string> = {};
  if (credentials?.apiKey) extra['api_key_comfy_org'] = credentials.apiKey.reveal();
  if (credentials?.authToken) extra['auth_token_comfy_org'] = credentials.authToken.reveal();
  if (previewMethod !== undefined) extra['preview_method'] = previewMethod;
  const head = `{"prompt_id":${JSON.stringify(promptId)},"client_id":${JSON.stringify(clientId)},"extra_data":${JSON.stringify(extra)},"prompt":`;
  // The graph's original bytes: key order and integers beyond double precision reach the engine unchanged.
  return Buffer.concat([Buffer.from(head), workflow, Buffer.from('}')]);
}
