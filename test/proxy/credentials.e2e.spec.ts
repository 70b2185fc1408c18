import { eventually, pictureGraph, textOf } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { Canary } from '../security/canary.js';
import { useScriptedProxy } from './proxy.js';

const canary = new Canary();
const extraData = { api_key_partner_org: `${canary.text}-key`, auth_token_partner_org: `${canary.text}-token` };

describe('partner credentials on their way to an engine', () => {
  const proxy = useScriptedProxy({ HEDDLE_LOG_LEVEL: 'debug' });

  it('reach the engine under its own names, with their prompt and no other', async () => {
    const job = await proxy.client.submitted(pictureGraph(), { extraData });
    const plain = await proxy.client.submitted(pictureGraph());
    for (const { id } of [job, plain]) await proxy.client.reached(id, 'succeeded');
    const [withKeys, without] = proxy.engine.prompts.map((prompt) => JSON.stringify(prompt));
    expect(withKeys).toContain(`"api_key_comfy_org":"${extraData.api_key_partner_org}"`);
    expect(withKeys).toContain(`"auth_token_comfy_org":"${extraData.auth_token_partner_org}"`);
    expect(canary.isIn(without!)).toBe(false);
  });

  it('are in no answer, also where the engine repeats them in its error and its refusal', async () => {
    const said: string[] = [];
    proxy.engine.onNextPrompt(async (play) => {
      play.begin('2');
      return play.error('2', `401 from partner: key ${extraData.api_key_partner_org} is unknown`);
    });
    const failed = await proxy.client.submitted(pictureGraph(), { extraData });
    const stream = await proxy.client.events(failed.id);
    await stream.all(40_000);
    const body = JSON.stringify({ error: { type: 'x', message: extraData.auth_token_partner_org, details: '' } });
    const fault = { kind: 'status', status: 400, body, contentType: 'application/json' } as const;
    proxy.engine.breakRequests({ method: 'POST', path: '/prompt', times: 1, fault });
    const refused = await proxy.client.submitted(pictureGraph(), { extraData });
    expect((await proxy.client.ended(refused.id)).status).toBe('failed');
    for (const { id } of [failed, refused]) {
      said.push(textOf(await proxy.client.job(id)), textOf(await proxy.client.workflow(id)));
    }
    said.push(stream.text(), textOf(await proxy.client.jobs('?limit=100')));
    expect((await proxy.client.jobNow(failed.id)).error!.message).toContain('401 from partner');
    expect(said.filter((text) => canary.isIn(text))).toEqual([]);
  });

  it('let a job run once only: a restart of the engine charges nobody twice', async () => {
    const before = proxy.engine.prompts.length;
    proxy.engine.onNextPrompt((play) => (play.begin('1'), play.deaf()));
    const job = await proxy.client.submitted(pictureGraph(), { extraData });
    await eventually('the attempt', () => proxy.engine.prompts.length > before);
    await proxy.engine.restart(50);
    const ended = await proxy.client.ended(job.id);
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'worker_lost' } });
    expect(proxy.engine.prompts).toHaveLength(before + 1);
  }, 120_000);

  it('are nowhere in log, database and data directory', async () => {
    expect(canary.isIn(proxy.process.stderr())).toBe(false);
    const tables = await canary.tables(proxy.process.dataDir);
    expect(tables.searched).toBeGreaterThan(3);
    expect(tables.hits).toEqual([]);
    const files = await canary.files(proxy.process.dataDir);
    expect(files.bytes).toBeGreaterThan(1_000_000);
    expect(files.hits).toEqual([]);
  });
});
