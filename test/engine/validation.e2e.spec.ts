import { readFileSync, readdirSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findValueSpans,
  hasErrors,
  loadCatalogue,
  readWorkflow,
  validateWorkflow,
  withUnknownFiles,
} from '@heddle/workflow-graph';
import type { Catalogue } from '@heddle/workflow-graph';
import { ENGINE_URL } from './real-engine.js';

interface RecordedCase {
  readonly name: string;
  readonly raw?: string;
}

interface Verdict {
  readonly status: number;
  readonly nodeErrors: object;
}

const INPUTS = new URL('../../libs/engine/builtin/recorded/inputs/', import.meta.url);
const GRAPHS = new URL('../../libs/workflow/graph/recorded/', import.meta.url);
const intended = JSON.parse(readFileSync(new URL('intended-differences.json', GRAPHS), 'utf8')) as {
  readonly cases: Readonly<Record<string, string>>;
};
const cases = gunzipSync(readFileSync(new URL('validation-cases.jsonl.gz', GRAPHS)))
  .toString('utf8')
  .trim()
  .split('\n');

// Posts every recorded graph to a busy engine, so that none of them runs, and compares the engine's verdict with Heddle's
// verdict by the catalogue of the same engine.
describe('validation beside a real engine', () => {
  const blocker = crypto.randomUUID();
  const submitted: string[] = [];
  let catalogue: Catalogue;

  beforeAll(async () => {
    for (const name of readdirSync(INPUTS)) await upload(ENGINE_URL, name);
    const answer = await fetch(`${ENGINE_URL}/object_info`);
    catalogue = loadCatalogue(Buffer.from(await answer.arrayBuffer()));
    await post(ENGINE_URL, { prompt: busyGraph(), prompt_id: blocker });
  });

  afterAll(async () => {
    await send(`${ENGINE_URL}/queue`, { delete: submitted });
    await send(`${ENGINE_URL}/interrupt`, { prompt_id: blocker });
  });

  it('accepts and refuses what the engine does, the intended differences aside', async () => {
    const differing: string[] = [];
    const count = { accepted: 0, refused: 0, intended: 0 };
    for (const line of cases) {
      const { name, raw } = JSON.parse(line) as RecordedCase;
      const bytes = raw === undefined ? workflowOf(line) : Buffer.from(raw);
      const verdict = await verdictOf(ENGINE_URL, bytes, submitted);
      const isAccepted = verdict.status === 200 && Object.keys(verdict.nodeErrors).length === 0;
      count[isAccepted ? 'accepted' : 'refused'] += 1;
      if (accepts(bytes, catalogue) === isAccepted) continue;
      if (name in intended.cases) count.intended += 1;
      else differing.push(`${name}: the engine answers ${verdict.status} ${JSON.stringify(verdict.nodeErrors)}`);
    }
    console.log(`validation: ${cases.length} graphs, ${JSON.stringify(count)}`);
    expect(differing).toEqual([]);
  }, 120_000);
});

function accepts(bytes: Uint8Array, catalogue: Catalogue): boolean {
  const read = readWorkflow(bytes);
  if (!read.ok) return false;
  const report = validateWorkflow(read.workflow, catalogue, read);
  return report.graphProblem === null && !hasErrors(withUnknownFiles(report, () => false));
}

/** The recorded text of the workflow, because a parser would lose number forms. */
function workflowOf(line: string): Uint8Array {
  const bytes = Buffer.from(line);
  const [span] = findValueSpans(bytes, [['workflow']]);
  return bytes.subarray(span?.start, span?.end);
}

async function verdictOf(url: string, workflow: Uint8Array, submitted: string[]): Promise<Verdict> {
  const promptId = crypto.randomUUID();
  submitted.push(promptId);
  const body = Buffer.concat([Buffer.from(`{"prompt_id":"${promptId}","prompt":`), workflow, Buffer.from('}')]);
  const answer = await fetch(`${url}/prompt`, { method: 'POST', body });
  const text = await answer.text();
  // The engine writes Infinity and NaN as Python does.
  const json = text.replace(/-?\b(?:Infinity|NaN)\b/g, 'null');
  const { node_errors: nodeErrors = {} } = (json.startsWith('{') ? JSON.parse(json) : {}) as { node_errors?: object };
  return { status: answer.status, nodeErrors };
}

function busyGraph(): object {
  const graph: Record<string, object> = {
    '1': {
      class_type: 'EmptyImage',
      inputs: { width: 1500, height: 1500, batch_size: 1, color: Date.now() % 0xffffff },
    },
  };
  for (let i = 2; i < 80; i += 1) {
    graph[i] = { class_type: 'ImageBlur', inputs: { image: [String(i - 1), 0], blur_radius: 15, sigma: 1 + i / 100 } };
  }
  graph['99'] = { class_type: 'PreviewImage', inputs: { images: ['79', 0] } };
  return graph;
}

async function upload(url: string, name: string): Promise<void> {
  const form = new FormData();
  form.set('image', new Blob([readFileSync(new URL(name, INPUTS))]), name);
  form.set('overwrite', 'true');
  await (await fetch(`${url}/upload/image`, { method: 'POST', body: form })).arrayBuffer();
}

async function post(url: string, body: object): Promise<void> {
  const answer = await send(`${url}/prompt`, body);
  expect(answer.status).toBe(200);
}

async function send(url: string, body: object): Promise<Response> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  await answer.arrayBuffer();
  return answer;
}
