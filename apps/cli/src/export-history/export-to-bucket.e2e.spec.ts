import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { S3BlobStore, S3Objects } from '@heddle/platform-blob-store';
import { describeOnS3 } from '@heddle/testing-servers';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHeddle, startHeddle } from '../heddle-process.fixture.js';
import type { Ended } from '../heddle-process.fixture.js';

const GRAPH = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'blue' } },
};

describeOnS3('an export in a bucket', (server) => {
  const place = 's3://exports/of/tests';
  let service: Standalone;
  let folder: string;
  let objects: S3Objects;
  let env: Record<string, string>;
  let jobId: string;
  let first: Ended;
  const exported = (...words: string[]) =>
    runHeddle(['history', 'export', '--json', '--data', service.dataDir, ...words], env);
  const from = (...words: string[]) => runHeddle(['history', ...words, '--json', '--from', place], env);
  const stored = async (name: string): Promise<Buffer> => await buffer((await objects.read(name))!.body);
  const filesOf = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const name of objects.list('events/')) found.push(name);
    return found;
  };

  beforeAll(async () => {
    service = await startStandalone();
    folder = await mkdtemp(join(tmpdir(), 'heddle-cli-'));
    await mkdir(join(folder, 'tmp'));
    const { endpoint, accessKey, secretKey, region } = server();
    const connection = { endpoint, accessKey, secretKey, region, bucket: 'exports' };
    await S3BlobStore.open(connection);
    objects = await S3Objects.open({ ...connection, prefix: 'of/tests/' });
    env = {
      HEDDLE_S3_ENDPOINT: endpoint,
      HEDDLE_S3_ACCESS_KEY: accessKey,
      HEDDLE_S3_SECRET_KEY: secretKey,
      HEDDLE_S3_REGION: region,
      TMPDIR: join(folder, 'tmp'),
    };
    await writeFile(join(folder, 'graph.json'), JSON.stringify(GRAPH));
    const ran = await runHeddle(['run', join(folder, 'graph.json'), '--json'], { HEDDLE_URL: service.url });
    jobId = String((ran.lines().at(-1)!['job'] as { id: string }).id);
    const follow = ['history', 'follow', '--after', '0', '--type', 'JobSucceeded', '--limit', '1'];
    await runHeddle([...follow, '--data', service.dataDir], {});
    first = await exported('--out', `${place}/`, '--segment', '4');
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is the one of a folder, and is not written again without a new event', async () => {
    const line = first.lines().at(-1)!;
    expect([first.code, line]).toMatchObject([0, { out: place, from_seq: 1, events: line['to_seq'] }]);
    const manifest = await stored('manifest.json');
    expect((await exported('--out', place)).lines().at(-1)).toMatchObject({ events: 0, files: 0, out: place });
    expect(await stored('manifest.json')).toEqual(manifest);
    const local = join(folder, 'local');
    await exported('--out', local, '--segment', '4');
    const names = (text: string): unknown =>
      (JSON.parse(text) as { segments: { files: { path: string }[] }[] }).segments.map(({ files }) =>
        files.map(({ path }) => path),
      );
    expect(names(manifest.toString())).toEqual(names(await readFile(join(local, 'manifest.json'), 'utf8')));
    expect((await filesOf()).length).toBe(line['files']);
  }, 120_000);

  it('answers show, verify, as-of, diff and query like the database', async () => {
    const shown = await runHeddle(['history', 'show', jobId, '--json', '--data', service.dataDir], {});
    expect((await from('show', jobId)).out).toBe(shown.out);
    const last = shown.lines().length;
    expect((await from('verify')).lines().at(-1)).toMatchObject({ ok: true, jobs: 1, source: place });
    expect((await from('as-of', '2')).lines()).toMatchObject([{ jobs: 1, by_status: { running: 1 } }]);
    expect((await from('diff', '1', '2')).lines().at(-1)).toMatchObject({ changed: 1 });
    expect((await from('query', 'select count(*)::integer as n from events')).lines()).toEqual([{ n: last }]);
    expect(await readdir(env['TMPDIR']!)).toEqual([]);
  }, 120_000);

  it('with a file that is missing or changed is refused, and verify names the file', async () => {
    const path = (await filesOf()).at(-1)!;
    const kept = await stored(path);
    await objects.remove(path);
    expect((await from('show', jobId)).lines().at(-1)).toMatchObject({
      error: { code: 'export_torn', message: expect.stringContaining(`${place}/${path} is missing`) as string },
    });
    expect((await from('verify')).lines().at(-1)!['faults']).toContainEqual(
      expect.objectContaining({ fault: 'file_missing', file: path }),
    );
    await objects.put(path, kept.subarray(1), null);
    expect((await from('query', 'select 1')).lines().at(-1)).toMatchObject({ error: { code: 'export_torn' } });
    expect((await from('verify')).lines().at(-1)!['faults']).toContainEqual(
      expect.objectContaining({ fault: 'file_changed', file: path }),
    );
    await objects.remove(path);
    await objects.put(path, kept, null);
    await objects.put('events/more.txt', Buffer.from('x'), null);
    expect((await from('verify')).lines().at(-1)).toMatchObject({
      faults: [{ fault: 'file_unlisted', file: 'events/more.txt' }],
    });
    await objects.remove('events/more.txt');
    expect((await from('verify')).code).toBe(0);
  }, 120_000);

  it('is not continued while another export holds its lock', async () => {
    await objects.put('.export.lock', Buffer.from(JSON.stringify({ pid: 7, host: 'elsewhere', token: 'x' })), null);
    const { code, lines } = await exported('--out', place);
    expect([code, lines().at(-1)]).toMatchObject([
      1,
      {
        error: { code: 'export_busy', message: expect.stringContaining(`process 7 of elsewhere) writes to ${place}`) },
      },
    ]);
    await objects.remove('.export.lock');
  }, 60_000);

  it('is whole after two exports that began at once: one may find the other busy', async () => {
    const twice = 's3://exports/twice';
    const ended = await Promise.all([1, 2].map(() => exported('--out', twice, '--segment', '1')));
    for (const { code, lines } of ended)
      if (code !== 0) expect(lines().at(-1)).toMatchObject({ error: { code: 'export_busy' } });
    expect(ended.map(({ code }) => code)).toContain(0);
    const verified = await runHeddle(['history', 'verify', '--json', '--from', twice], env);
    expect(verified.lines().at(-1)).toMatchObject({ ok: true, faults: [] });
  }, 120_000);

  it.each([
    [{}, ['--from', 's3://exports/nothing-here'], 1, 'manifest_mismatch', 's3://exports/nothing-here holds no'],
    [{}, ['--from', 's3://absent-bucket/x'], 1, 'failed', 's3://absent-bucket/x: the S3 store at .* has no bucket'],
    [{ HEDDLE_S3_SECRET_KEY: 'wrong' }, ['--from', place], 1, 'failed', `${place}: .*refuses HEDDLE_S3_ACCESS_KEY`],
    [
      { HEDDLE_S3_ENDPOINT: 'http://127.0.0.1:9' },
      ['--from', place],
      3,
      'unreachable',
      `${place}: no S3 store answers`,
    ],
    [{ HEDDLE_S3_ENDPOINT: '' }, ['--from', place], 2, 'usage', `${place} needs HEDDLE_S3_ENDPOINT`],
    [{}, ['--from', 's3://Not_A_Bucket/x'], 2, 'usage', 'is not a place in a bucket'],
    [{}, ['--from', 's3://exports//x'], 2, 'usage', 'is not a place in a bucket'],
  ] as const)(
    'with %j, %j ends with %i %s',
    async (changes, words, code, error, message) => {
      const ended = await runHeddle(['history', 'show', jobId, '--json', ...words], { ...env, ...changes });
      expect([ended.code, ended.lines().at(-1)]).toMatchObject([
        code,
        { error: { code: error, message: expect.stringMatching(message) as string } },
      ]);
    },
    60_000,
  );

  /** A store that hands everything on, and falls silent in the middle of the file that `isSilent` chooses. */
  async function silentStore(isSilent: (method: string, path: string) => boolean) {
    const { port } = new URL(server().endpoint);
    let silent: () => void = () => undefined;
    const asleep = new Promise<void>((done) => (silent = done));
    const slow = createServer((asked, answer) => {
      const { method = '', url: path = '', headers } = asked;
      const isChosen = path.includes('.parquet') && isSilent(method, path);
      // An upload is never answered; of a download, the first bytes arrive.
      if (isChosen && method === 'PUT') return void asked.once('data', () => silent());
      const forwarded = request({ port, host: '127.0.0.1', method, path, headers }, (found) => {
        answer.writeHead(found.statusCode ?? 500, found.headers);
        if (!isChosen) return void found.pipe(answer);
        found.once('data', (chunk: Buffer) => answer.write(chunk.subarray(0, 10), () => silent()));
      });
      asked.pipe(forwarded);
    });
    await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done));
    const HEDDLE_S3_ENDPOINT = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const close = (): void => {
      slow.closeAllConnections();
      slow.close();
    };
    return { env: { ...env, HEDDLE_S3_ENDPOINT }, asleep, close };
  }

  it('is left alone on Ctrl-C in the middle of a download, and no file stays on this machine', async () => {
    const slow = await silentStore(() => true);
    const { child, ended } = startHeddle(['history', 'show', jobId, '--from', place], slow.env);
    await slow.asleep;
    expect((await readdir(env['TMPDIR']!)).length).toBe(1);
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(await readdir(env['TMPDIR']!)).toEqual([]);
    slow.close();
  }, 60_000);

  it('has only whole segments after Ctrl-C in the middle of an upload, and is continued there', async () => {
    const out = 's3://exports/interrupted';
    let uploads = 0;
    const isInSecond = (method: string, path: string): boolean =>
      method === 'PUT' && path.includes('part-000000000005') && ++uploads === 2;
    const slow = await silentStore(isInSecond);
    const words = ['history', 'export', '--json', '--data', service.dataDir, '--out', out, '--segment', '4'];
    const { child, ended } = startHeddle(words, slow.env);
    await slow.asleep;
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    slow.close();
    expect(await readdir(env['TMPDIR']!)).toEqual([]);
    const verify = ['history', 'verify', '--json', '--from', out];
    expect((await runHeddle(verify, env)).lines().at(-1)).toMatchObject({ ok: true, last_seq: 4, faults: [] });
    const again = await exported('--out', out, '--segment', '4');
    expect([again.code, again.lines().at(-1)]).toMatchObject([0, { from_seq: 5 }]);
    expect((await runHeddle(verify, env)).lines().at(-1)).toMatchObject({ ok: true, first_seq: 1, faults: [] });
  }, 120_000);
});
