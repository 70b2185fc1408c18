import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freshPicture } from '@heddle/testing-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { ownServer, useServer } from '../api/server.js';
import { ENGINES, useEngineBehind } from './engine-behind.js';
import { pythonIsHere, pythonWithSdk } from './python-environment.js';

const SCRIPT = join(dirname(fileURLToPath(import.meta.url)), 'python', 'session.py');
const here = pythonIsHere();
const missing = here ? '' : ' (skipped: this machine has no python3 with venv)';

interface Session {
  sync: Record<string, unknown> & { events: string[] };
  async: Record<string, unknown> & { events: string[] };
}

describe.runIf(ownServer && here).each(ENGINES)(
  `the official Python SDK, unchanged, without any setting, over %s${missing}`,
  (engine) => {
    const settings: Record<string, string> = {};
    useEngineBehind(engine, settings);
    const server = useServer(settings);
    let session: Session;
    beforeAll(async () => {
      const python = await pythonWithSdk();
      const folder = await mkdtemp(join(tmpdir(), 'heddle-python-'));
      const picture = join(folder, 'picture.png');
      await writeFile(picture, freshPicture(40, 30));
      const env = { ...process.env, COMFY_BASE_URL: server.url, COMFY_API_KEY: '', PYTHONDONTWRITEBYTECODE: '1' };
      const { stdout } = await promisify(execFile)(python, [SCRIPT, picture], { env, timeout: 180_000 });
      await rm(folder, { recursive: true, force: true });
      session = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Session;
    }, 360_000);

    it('uploads, submits, streams, waits and downloads [XC06]', () => {
      expect(session.sync).toMatchObject({
        created_new: true,
        last_status: 'succeeded',
        status: 'succeeded',
        sizes_agree: true,
        is_png: true,
        range: 'PNG',
        workflow_format: 'api',
        deduplicated: true,
      });
      expect(session.async).toMatchObject({ status: 'succeeded', bytes: true });
    });

    it('sees an output before the terminal status in its stream, by both of its clients [XC06]', () => {
      for (const { events } of [session.sync, session.async]) {
        expect(events.at(-1)).toBe('StatusChange');
        expect(events.slice(0, -1)).toContain('OutputReady');
      }
    });

    it('reads labels and the list as it expects them (decisions, List and Labels)', () => {
      expect(session.sync).toMatchObject({ metadata: { client: 'python' }, listed: true, listed_times: true });
    });

    it('raises refusals by their codes and cancels', () => {
      expect(session.sync).toMatchObject({
        reuse: 'idempotency_key_reuse',
        refused: 'invalid_workflow',
        unknown: 'not_found',
        canceled: 'canceled',
      });
    });
  },
);
