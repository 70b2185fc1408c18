import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngineServer, type EngineServer } from '../engine-server.js';
import type { Generation } from '../generation.js';
import { SocketClient } from '../scripted/socket-client.fixture.js';
import { normalised } from './normalise.fixture.js';
import { intendedDifferences, recordedExchanges, type Exchange } from './recordings.fixture.js';

const INPUTS = fileURLToPath(new URL('../../../builtin/recorded/inputs', import.meta.url));
const ID = '11111111-2222-4333-8444-5555555555';
/** It is random where an interruption hits. */
const MAY_AGREE = new Set(['interrupts_within_a_node']);
const JOB_ID = '22222222-2222-4333-8444-5555555555';
/** Headers compared by value; others only by presence. */
const COMPARED = ['content-type', 'content-disposition', 'accept-ranges', 'content-range'];

describe.each(['0.33.0', '0.3.64'] as const)('the recorded exchanges with engine %s', (version) => {
  const exchanges = recordedExchanges(version);
  const intended = intendedDifferences(version);
  const played = new Set<string>();
  let replay: Replay;
  beforeAll(async () => {
    replay = await Replay.start(version);
  });
  afterAll(() => replay.close());

  /** Replays exchanges in this order; `expect` compares each with its recording. */
  const plays = (title: string, names: string, before?: () => Promise<void>): void => {
    it(title, async () => {
      await before?.();
      for (const name of names.trim().split(/\s+/)) {
        const exchange = exchanges.get(name);
        if (exchange === undefined) throw new Error(`no recording ${name}`);
        played.add(name);
        const recorded = comparable(exchange);
        const ours = await replay.play(exchange);
        if (MAY_AGREE.has(intended.get(name) ?? '')) expect(ours).toHaveProperty('status', exchange.status);
        else if (intended.has(name)) expect(ours, `${name} agrees, and is listed as different`).not.toEqual(recorded);
        else expect(ours, name).toEqual(recorded);
        await replay.settled(exchange);
      }
    });
  };

  plays(
    'reports about itself',
    `get_prompt get_queue_idle api_jobs system_stats features embeddings extensions_missing_route models models_checkpoints
     models_unknown object_info_one_v1 object_info_one_v3 object_info_unknown origin_mismatch free`,
  );
  plays(
    'takes prompts and shows their history',
    'post_prompt_ok history_one history_last1 post_prompt_cached history_cached',
  );
  plays(
    'refuses prompts',
    `post_prompt_array post_prompt_empty post_prompt_empty_body post_prompt_no_prompt post_prompt_null_prompt
     post_prompt_not_json post_prompt_node_string post_prompt_no_class post_prompt_unknown_class post_prompt_below_min
     post_prompt_wrong_content_type`,
  );
  plays('drops a bad output', 'post_prompt_one_bad_of_two');
  // The real engine remembers only the results of the previous prompt.
  plays('reports a failure', 'post_prompt_will_fail history_failed', () => replay.freeMemory());
  plays(
    'keeps prompts waiting, and removes them',
    `post_prompt_slow get_prompt_busy get_queue_busy history_running queue_delete_unknown queue_delete
     history_deleted_pending queue_clear interrupt_other interrupt`,
  );
  plays('deletes prompts', 'history_interrupted history_unknown history_bad_max history_delete');
  plays(
    'lists jobs',
    `jobs_list jobs_list_limit_0 jobs_list_limit_x jobs_list_offset_1_limit_1 jobs_list_status_cancelled
     jobs_list_status_completed_limit_2 jobs_list_status_failed jobs_list_status_nope jobs_list_workflow_id_wf_1
     jobs_list_sort_by_execution_duration_sort_order_asc_limit_1 jobs_one_completed jobs_one_failed jobs_one_interrupted
     jobs_one_not_uuid jobs_one_unknown`,
  );
  plays(
    'cancels jobs',
    `jobs_list_busy jobs_one_running jobs_one_pending jobs_cancel_many_bad jobs_cancel_many_empty jobs_cancel_many
     jobs_cancel_pending jobs_one_cancelled_pending jobs_cancel_finished jobs_cancel_unknown jobs_cancel_running`,
    async () => {
      if (version === '0.33.0') await replay.fillQueue([`${JOB_ID}60`, `${JOB_ID}61`, `${JOB_ID}62`]);
    },
  );
  plays('reports a canceled job', 'jobs_one_cancelled_running', async () => {
    if (version === '0.33.0') await replay.ended(`${JOB_ID}60`);
  });
  plays('judges prompt ids', 'post_prompt_bad_id post_prompt_bad_id_upper post_prompt_id_number post_prompt_id_null');
  plays(
    'takes files',
    `upload_new upload_same upload_other_bytes upload_overwrite upload_bad_type upload_escape upload_no_file
     internal_files_output internal_files_bad`,
  );
  plays(
    'gives files',
    `view_png view_range view_bad_range view_preview view_channel_a view_bad_type view_escape view_missing view_no_name
     view_traversal`,
  );

  it('are all played', () => {
    expect([...exchanges.keys()].filter((name) => !played.has(name))).toEqual([]);
  });
});

/** The server during a replay, with its set-up. */
class Replay {
  private constructor(
    private readonly directory: string,
    private readonly server: EngineServer,
    private readonly client: SocketClient,
    private readonly version: Generation,
  ) {}

  static async start(version: Generation): Promise<Replay> {
    const directory = await mkdtemp(join(tmpdir(), 'heddle-replay-'));
    await cp(INPUTS, join(directory, 'input'), { recursive: true });
    const server = await startEngineServer({ directory, port: 0, generation: version });
    return new Replay(directory, server, await SocketClient.open(server.url, 'sample-client'), version);
  }

  async close(): Promise<void> {
    this.client.close();
    await this.server.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  async play(exchange: Exchange): Promise<unknown> {
    const { method, path, headers } = exchange.request;
    const body = bodyOf(exchange);
    const response = await fetch(this.server.url + path, { method, headers: { ...headers }, body });
    const bytes = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get('content-type') ?? '';
    let shown: unknown = bytes.toString('utf8');
    if (type.startsWith('application/json')) shown = JSON.parse(String(shown));
    else if (bytes.length > 0 && !type.startsWith('text/')) shown = { bytes: bytes.length, sha256: '' };
    const names = Object.keys(exchange.headers);
    const present = names.filter((name) => response.headers.has(name));
    const shownHeaders = Object.fromEntries(present.map((name) => [name, response.headers.get(name) ?? '']));
    return comparable({ ...exchange, status: response.status, headers: shownHeaders, body: shown });
  }

  /** Waits for the end of a prompt before the next exchange, except for the slow one, behind which others queue. */
  async settled({ name, request, status }: Exchange): Promise<void> {
    if (name === 'post_prompt_slow') await this.fillQueue([`${ID}70`, `${ID}71`, `${ID}72`], true);
    else if (name === 'interrupt') await this.ended(`${ID}60`);
    else if (request.method === 'POST' && request.path === '/prompt' && status === 200) {
      const id = (request.json as { prompt_id?: unknown }).prompt_id;
      if (typeof id === 'string' && id.startsWith(ID)) await this.ended(id);
    }
  }

  /** Submits a long prompt and short ones behind it; `waiting` omits the long one. */
  async fillQueue(ids: readonly string[], waiting = false): Promise<void> {
    const slow = recordedExchanges(this.version).get('post_prompt_slow')!.request.json as Record<string, unknown>;
    const short = recordedExchanges(this.version).get('post_prompt_ok')!.request.json as Record<string, unknown>;
    const busy = recordedExchanges(this.version).get('get_queue_busy')!.body as {
      queue_pending: [number, string, unknown][];
    };
    for (const [at, prompt_id] of ids.entries()) {
      const recorded = busy.queue_pending.find(([, id]) => id === prompt_id);
      const graph = recorded?.[2] ?? (at === 0 && !waiting ? recolour(slow['prompt'] as Graph, 77) : short['prompt']);
      const number = recorded === undefined ? {} : { number: recorded[0] };
      const body = JSON.stringify({ prompt: graph, prompt_id, ...number });
      expect((await fetch(`${this.server.url}/prompt`, { method: 'POST', body })).status).toBe(200);
    }
    await this.client.until(({ messages }) => messages.at(-1)?.type === 'progress_state');
    // Otherwise the long prompt could end while this process is paused; a frozen one ends at once when interrupted.
    for (const pid of childrenOf(process.pid)) process.kill(pid, 'SIGSTOP');
  }

  async freeMemory(): Promise<void> {
    const body = JSON.stringify({ free_memory: true });
    expect((await fetch(`${this.server.url}/free`, { method: 'POST', body })).status).toBe(200);
  }

  async ended(id: string): Promise<void> {
    for (;;) {
      const history = (await (await fetch(`${this.server.url}/history/${id}`)).json()) as object;
      if (id in history) return;
      const heard = this.client.messages.length;
      await this.client.until(({ messages }) => messages.length > heard || messages.at(-1)?.type === 'status');
    }
  }
}

/** The processes of the engine under test. */
function childrenOf(parent: number): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => parentOf(pid) === parent).map(Number);
}

function parentOf(pid: string): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  } catch {
    // It ended between listing and reading.
    return null;
  }
}

type Graph = Record<string, { class_type: string; inputs: Record<string, unknown> }>;

function recolour(graph: Graph, color: number): Graph {
  const first = graph['1']!;
  return { ...graph, '1': { ...first, inputs: { ...first.inputs, color } } };
}

function bodyOf({ request }: Exchange): string | FormData | URLSearchParams | undefined {
  if (request.json !== undefined) return JSON.stringify(request.json);
  if (typeof request.body === 'string') return request.body;
  if (request.multipart === undefined)
    return request.body === undefined ? undefined : new URLSearchParams(request.body);
  const form = new FormData();
  for (const [field, name, size] of request.multipart) form.append(field, new Blob([Buffer.alloc(size, size)]), name);
  for (const [field, value] of Object.entries(request.body ?? {})) form.append(field, value);
  return form;
}

/** Status, headers and body of an exchange, normalised for comparison. */
function comparable({ name, status, headers, body }: Exchange): unknown {
  const shown: Record<string, unknown> = {};
  for (const [header, value] of Object.entries(headers)) {
    const key = header.toLowerCase();
    if (COMPARED.includes(key)) shown[key] = value.replace(/\/\d+$/, '/N').replace(/_\d{5}_\./, '_N_.');
    else if (key !== 'content-length') shown[key] = 'any';
    else if (value === '0') shown[key] = value;
  }
  return { status, headers: shown, body: normalised(special(name, body)) };
}

/** Values that depend on the machine or the time. */
function special(name: string, body: unknown): unknown {
  if (name === 'system_stats') {
    const { system, devices } = body as { system: object; devices: object[] };
    return { system: Object.keys(system).sort(), devices: devices.map((device) => Object.keys(device).sort()) };
  }
  if (name.startsWith('jobs_list_sort_by') && typeof body === 'object')
    return (body as { pagination: unknown }).pagination;
  // The older engine had other files as well.
  if (name === 'internal_files_output')
    return (body as string[]).filter((file) => !/^(?:sdk_|kit|big|tmp)/.test(file)).sort();
  return body;
}
