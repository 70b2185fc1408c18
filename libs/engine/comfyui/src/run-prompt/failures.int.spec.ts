import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RecordingObserver } from '@heddle/testing-engine';
import { ScriptedDrive, until } from '../scripted-drive.fixture.js';

describe('a run that fails', () => {
  let drive: ScriptedDrive;
  beforeEach(async () => {
    drive = await ScriptedDrive.start();
  });
  afterEach(() => drive.close());

  it('names node, class and traceback without the folders of the machine', async () => {
    drive.engine.onPrompt(async (play) => {
      play.node('1');
      play.begin('2');
      return play.error('2', "cannot open '/home/someone/engine/models/a b.safetensors'");
    });
    const outcome = await drive.run();
    expect(outcome).toEqual({
      kind: 'failed',
      code: 'node_execution_error',
      message: "cannot open 'a b.safetensors'\n",
      nodeId: '2',
      classType: 'SaveImage',
      traceback: expect.stringMatching(
        /File "execution\.py", line 545[^]*File "nodes\.py", line 12[^]*RuntimeError: cannot open/,
      ),
    });
    expect(JSON.stringify(outcome)).not.toMatch(/someone|tensor\(/);
  });

  it('is out of memory if the engine reports it', async () => {
    drive.engine.onPrompt(async (play) => {
      play.begin('1');
      return play.outOfMemory('1');
    });
    expect(await drive.run()).toMatchObject({ kind: 'failed', code: 'out_of_memory', nodeId: '1' });
  });

  it('is refused with node and reason if the engine refuses what Heddle accepted', async () => {
    const body = await recorded('post_prompt_below_min');
    drive.engine.breakRequests({
      method: 'POST',
      path: '/prompt',
      times: 1,
      fault: { kind: 'status', status: 400, body },
    });
    expect(await drive.run()).toEqual({
      kind: 'failed',
      code: 'engine_error',
      message:
        'the engine refused the graph: node 1 (EmptyImage), width: value_below_min, Value 0 smaller than min of 1: width',
      nodeId: '1',
      classType: 'EmptyImage',
      traceback: null,
    });
  });

  it('is refused and withdrawn if the engine would run only its valid half', async () => {
    drive.engine.onPrompt((play) => play.endless());
    const body = JSON.stringify({
      prompt_id: 'ffffffff-0000-4000-8000-000000000001',
      number: 1,
      node_errors: JSON.parse(await recorded('post_prompt_one_bad_of_two')).node_errors,
    });
    drive.engine.breakRequests({
      method: 'POST',
      path: '/prompt',
      times: 1,
      fault: { kind: 'status', status: 200, body },
    });
    const observer = new RecordingObserver();
    expect(await drive.run(observer)).toMatchObject({ kind: 'failed', code: 'engine_error', nodeId: '1' });
    expect(observer.calls).toEqual([]);
    await until(() => drive.requestsOf('POST', '/api/jobs/ffffffff-0000-4000-8000-000000000001/cancel') === 1);
  });

  it('is refused even if the engine has finished the valid half when it answers', async () => {
    const errors = { '1': { errors: [{ type: 'of_tomorrow', message: 'm', details: '', extra_info: {} }] } };
    const check = () => ({ kind: 'accepted', outputs: ['2'], nodeErrors: errors }) as const;
    const hasty = await ScriptedDrive.start({ check });
    try {
      for (let i = 0; i < 10; i += 1) {
        const observer = new RecordingObserver();
        const outcome = await hasty.run(observer);
        expect(outcome).toMatchObject({ kind: 'failed', code: 'engine_error', nodeId: '1' });
        expect(outcome).toHaveProperty('message', expect.stringContaining('inputs: validation_exception, m'));
        expect(observer.calls).toEqual([]);
      }
    } finally {
      await hasty.close();
    }
  });

  it.each([
    [500, 'Server got itself in trouble', 'could not read the graph: it answered 500'],
    [413, '', '413 (the graph is larger than the engine accepts)'],
    [400, '<html>', 'answered the graph with 400 and without a reason'],
    [404, '404: Not Found', 'answered the graph with 404'],
  ])('is an engine error when the submission is answered %i', async (status, body, words) => {
    drive.engine.breakRequests({ method: 'POST', path: '/prompt', times: 1, fault: { kind: 'status', status, body } });
    const outcome = await drive.run();
    expect(outcome).toMatchObject({ kind: 'failed', code: 'engine_error', nodeId: null });
    expect(outcome).toHaveProperty('message', expect.stringContaining(words));
  });

  it('continues past a branch that was blocked', async () => {
    drive.engine.onPrompt(async (play) => {
      play.begin('1');
      const data = {
        prompt_id: play.prompt.id,
        node_id: '1',
        exception_type: 'ExecutionBlocked',
        exception_message: 'x',
      };
      drive.engine.sendToAll(JSON.stringify({ type: 'execution_error', data }));
      play.finish('1');
      play.node('2', { text: ['done'] });
    });
    const observer = new RecordingObserver();
    expect(await drive.run(observer)).toEqual({ kind: 'succeeded' });
    expect(observer.outputs).toHaveLength(1);
  });
});

describe('partner credentials', () => {
  const KEY = 'canary-key-5f7d1c';
  const TOKEN = 'canary-token-90ab';
  const credentials = { apiKey: { reveal: () => KEY }, authToken: { reveal: () => TOKEN } };
  let drive: ScriptedDrive;
  beforeEach(async () => {
    drive = await ScriptedDrive.start({ version: '0.3.64' });
  });
  afterEach(() => drive.close());

  it('reach the engine in extra_data under its names', async () => {
    await drive.run(new RecordingObserver(), { credentials });
    expect(drive.engine.prompts[0]?.sensitive).toEqual({
      api_key_comfy_org: KEY,
      auth_token_comfy_org: TOKEN,
    });
  });

  it('are in no call, address, header, outcome or observer call besides', async () => {
    drive.engine.onPrompt(async (play) => {
      play.begin('2');
      return play.error('2', `401 for ${KEY} and ${TOKEN}`);
    });
    const observer = new RecordingObserver();
    const outcome = await drive.run(observer, { credentials });
    expect(outcome).toHaveProperty('message', '401 for *** and ***\n');
    const seen = JSON.stringify([outcome, observer.calls, drive.engine.requests]);
    expect(seen).not.toContain(KEY);
    expect(seen).not.toContain(TOKEN);
  });

  it('are not sent if there are none, and the origin of a page never is', async () => {
    await drive.run();
    expect(drive.engine.prompts[0]?.sensitive).toEqual({});
    expect(drive.engine.requests.filter(({ headers }) => headers['origin'] !== undefined)).toEqual([]);
  });
});

it('sends the graph byte for byte, integers that doubles cannot hold included', async () => {
  const drive = await ScriptedDrive.start();
  try {
    const text = '{"9":{"inputs":{"seed":18446744073709551615},"class_type":"A"},"1":{"class_type":"B","inputs":{}}}';
    expect(await drive.run(new RecordingObserver(), { workflow: Buffer.from(text) })).toEqual({ kind: 'succeeded' });
    expect(drive.engine.prompts[0]?.graphText).toBe(text);
  } finally {
    await drive.close();
  }
});

/** The body of a recorded answer of the newer engine. */
async function recorded(name: string): Promise<string> {
  const file = new URL('../../../comfyui-server/recorded/http-0.33.0.jsonl', import.meta.url);
  const exchanges = (await readFile(file, 'utf8')).trim().split('\n');
  const found = exchanges
    .map((line) => JSON.parse(line) as { name: string; body: unknown })
    .find((exchange) => exchange.name === name);
  return JSON.stringify(found?.body);
}
