import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectStatus, pictureGraph, sleepingGraph, textGraph, textOf } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { withDatabase } from '../api/database.js';
import { newKey, ownServer, START_WITHIN_MS, useServer } from '../api/server.js';
import { surface } from '../api/surface.js';

const CANARY = `canary${newKey().replaceAll('-', '')}`;
const both = { api_key_partner_org: `${CANARY}-key`, auth_token_partner_org: `${CANARY}-token` };
/** The canary plain, in hexadecimal, and in base64 at each of the three offsets */
const FORMS = [
  CANARY,
  Buffer.from(CANARY).toString('hex'),
  ...[0, 1, 2].map((skip) => Buffer.from(CANARY.slice(skip)).toString('base64').slice(0, 40)),
];

describe.runIf(ownServer)(
  'partner credentials (POST /api/v2/jobs rule 4; GET workflow rule 2; Surfaces, extra_data)',
  () => {
    const server = useServer({ HEDDLE_LOG_LEVEL: 'debug' });
    const said: string[] = [];
    const keep = (text: string): void => void said.push(text);

    it('are accepted alone and together; the job runs with them [JS16] [JS17]', async () => {
      for (const extraData of [
        { api_key_partner_org: both.api_key_partner_org },
        { auth_token_partner_org: both.auth_token_partner_org },
        both,
      ]) {
        const answer = expectStatus(await server.client.submit(textGraph(), { extraData }), 201);
        keep(textOf(answer));
        await server.client.reached((JSON.parse(textOf(answer)) as { id: string }).id, 'succeeded');
      }
    });

    it('are in no answer of any route, of a job that waits, runs, fails or is refused [WF02]', async () => {
      const running = await server.client.submitted(sleepingGraph(60), { extraData: both, key: newKey() });
      const waiting = await server.client.submitted(pictureGraph(), { extraData: both, metadata: { a: 'b' } });
      const stream = await server.client.events(running.id);
      await stream.until('running', (frame) => frame.data['status'] === 'running');
      for (const id of [running.id, waiting.id]) {
        for (const answer of [
          await server.client.job(id),
          await server.client.workflow(id),
          await server.client.cancel(id),
        ])
          keep(textOf(answer));
      }
      await stream.all();
      keep(stream.text());
      const failing = {
        ...textGraph(),
        '3': { class_type: 'HeddleTestFail', inputs: { message: 'x', value: ['1', 0] } },
      };
      const failed = await server.client.submitted(failing, { extraData: both });
      keep(JSON.stringify(await server.client.reached(failed.id, 'failed')));
      const refusals = [
        await server.client.submit({}, { extraData: both }),
        await server.client.submit(textGraph(), { extraData: { ...both, third: CANARY } }),
        await server.client.submit(textGraph(), { extraData: { api_key_partner_org: [CANARY] } }),
        await server.client.submit(textGraph(), { extraData: both, more: { inputs: {} } }),
        await server.client.submitRaw(`{"workflow":{},"extra_data":{"api_key_partner_org":"${CANARY}",`),
      ];
      for (const answer of refusals) expect(answer.status).toBe(422);
      for (const answer of refusals) keep(textOf(answer));
      keep(textOf(await server.client.jobs('?limit=100')));
      expect(said.length).toBeGreaterThan(12);
      for (const text of said) for (const form of FORMS) expect(text).not.toContain(form);
    });

    it('are nowhere in the log of the service [WF02]', () => {
      for (const form of FORMS) expect(server.process.stderr()).not.toContain(form);
    });

    it('are in no table of the database, as text or as bytes [WF03]', async () => {
      const found = await withDatabase(server.process.dataDir, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema')`,
        );
        expect(rows.length).toBeGreaterThan(3);
        const hits: string[] = [];
        for (const { name } of rows) {
          for (const form of FORMS) {
            const { rowCount } = await client.query(
              `select 1 from ${name} t where position($1 in t::text) > 0 limit 1`,
              [form],
            );
            if (rowCount !== 0) hits.push(name);
          }
        }
        return hits;
      });
      expect(found).toEqual([]);
    });

    it('are in no file of the data directory: tables, write-ahead log, blobs, temporary files [WF03]', async () => {
      await withDatabase(server.process.dataDir, (client) => client.query('checkpoint'));
      const folders = [server.process.dataDir, ...(await relocated(server.process.dataDir))];
      const needles = FORMS.map((form) => Buffer.from(form));
      const hits: string[] = [];
      let bytes = 0;
      for (const folder of folders) {
        for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
          if (!entry.isFile()) continue;
          const path = join(entry.parentPath, entry.name);
          const content = await readFile(path).catch(() => Buffer.alloc(0));
          bytes += content.length;
          if (needles.some((needle) => content.includes(needle))) hits.push(path);
        }
      }
      expect(bytes).toBeGreaterThan(1_000_000);
      expect(hits).toEqual([]);
    });
  },
);

const KILLED = 'a job that waits with credentials when its process is killed';
describe.runIf(ownServer)(KILLED, { timeout: START_WITHIN_MS }, () => {
  const server = useServer({ HEDDLE_WORKERS: '0' });

  const isSealed = surface.partnerCredentials === 'sealed';
  const what = isSealed
    ? 'runs with them (accounts, Partner credentials)'
    : 'fails with credential_lost and never runs without them (decisions, job.error)';

  it(what, async () => {
    const lost = await server.client.submitted(textGraph(), { extraData: both });
    const other = await server.client.submitted(textGraph());
    await server.restart('kill9', { HEDDLE_WORKERS: '1' });
    await server.client.reached(other.id, 'succeeded');
    const job = await server.client.ended(lost.id);
    if (isSealed) expect(job).toMatchObject({ status: 'succeeded', outputs: [{ name: '2_0.txt' }] });
    else expect(job).toMatchObject({ status: 'failed', error: { code: 'credential_lost' }, outputs: [] });
  });
});

/** Folders of the embedded server outside of the data directory, if its user may not enter that. */
async function relocated(dataDir: string): Promise<string[]> {
  const note = await readFile(join(dataDir, 'postgres', 'LOCATION'), 'utf8').catch(() => '');
  const folder = /are in (\S+):/.exec(note)?.[1];
  return folder === undefined ? [] : [folder];
}
