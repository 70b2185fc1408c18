import { hash } from 'node:crypto';
import { appendFile, cp, mkdtemp, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { processIdentity } from '@heddle/platform-database';
import { serverOf, startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHeddle } from '../heddle-process.fixture.js';

const GRAPH = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'blue' } },
};

interface Manifest {
  readonly watermark: { readonly seq: number; readonly chain: string };
  readonly events: number;
  readonly segments: readonly { readonly files: readonly { readonly path: string }[] }[];
}

let service: Standalone;
let folder: string;
let out: string;
let jobId: string;
const runJob = async (): Promise<string> => {
  const { lines } = await runHeddle(['run', join(folder, 'graph.json'), '--json'], { HEDDLE_URL: service.url });
  return String((lines().at(-1)!['job'] as { id: string }).id);
};
const exported = (...words: string[]) =>
  runHeddle(['history', 'export', '--json', '--data', service.dataDir, ...words], {});
const from = (place: string, ...words: string[]) => runHeddle(['history', ...words, '--json', '--from', place], {});
const manifestOf = async (place: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(place, 'manifest.json'), 'utf8')) as Manifest;
const filesOf = async (place: string): Promise<string[]> =>
  (await manifestOf(place)).segments.flatMap(({ files }) => files.map(({ path }) => path));
/** A copy of the export to damage. */
const copyOf = async (name: string): Promise<string> => {
  const copy = join(folder, name);
  await cp(out, copy, { recursive: true });
  return copy;
};

beforeAll(async () => {
  service = await startStandalone();
  folder = await mkdtemp(join(tmpdir(), 'heddle-cli-'));
  out = join(folder, 'export');
  await writeFile(join(folder, 'graph.json'), JSON.stringify(GRAPH));
  jobId = await runJob();
  await runHeddle(
    ['history', 'follow', '--after', '0', '--type', 'JobSucceeded', '--limit', '1', '--data', service.dataDir],
    {},
  );
}, 60_000);
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('heddle history export', () => {
  it('refuses a place in which no folder can be made', async () => {
    const { code, err } = await exported('--out', '/proc/heddle');
    expect([code, err]).toEqual([2, expect.stringContaining('--out /proc/heddle cannot be written')]);
  });

  it('writes segments that verify themselves, and goes on where it stopped', async () => {
    const { code, lines } = await exported('--out', out, '--segment', '4');
    const line = lines().at(-1)!;
    expect([code, line]).toMatchObject([0, { out, from_seq: 1, events: line['to_seq'] }]);
    const manifest = await readFile(join(out, 'manifest.json'), 'utf8');
    expect((await exported('--out', out)).lines().at(-1)).toMatchObject({ events: 0, files: 0 });
    expect(await readFile(join(out, 'manifest.json'), 'utf8')).toBe(manifest);
    expect((await filesOf(out))[0]).toMatch(
      /^events\/dt=\d{4}-\d\d-\d\d\/event_type=JobLeased\/part-000000000001-000000000004.parquet$/,
    );
    const { watermark } = await manifestOf(out);
    const head = `${watermark.seq}:${watermark.chain}`;
    const verified = await from(out, 'verify', '--head', head);
    expect([verified.code, verified.lines().at(-1)]).toMatchObject([
      0,
      { ok: true, head, jobs: 1, outputs: 1, source: out },
    ]);
  }, 60_000);

  it('holds each event once after exports while jobs run', async () => {
    const many = join(folder, 'many');
    let added = 0;
    for (let turn = 0; turn < 10; turn++) {
      const [, ended] = await Promise.all([runJob(), exported('--out', many)]);
      expect(ended.code).toBe(0);
      added += Number(ended.lines().at(-1)!['events']);
    }
    const { events, watermark } = await manifestOf(many);
    expect([events, added]).toEqual([watermark.seq, watermark.seq]);
    expect((await from(many, 'verify')).lines().at(-1)).toMatchObject({ ok: true, events });
    const sql = 'select count(*) as n, count(distinct seq) as seqs, max(seq) as newest from events';
    expect((await from(many, 'query', sql)).lines()).toEqual([{ n: events, seqs: events, newest: events }]);
  }, 300_000);

  it('is whole after two exports that began at once: one may find the other busy', async () => {
    const twice = join(folder, 'twice');
    const ended = await Promise.all([1, 2].map(() => exported('--out', twice, '--segment', '1')));
    for (const { code, lines } of ended)
      if (code !== 0) expect(lines().at(-1)).toMatchObject({ error: { code: 'export_busy' } });
    expect(ended.map(({ code }) => code)).toContain(0);
    expect((await from(twice, 'verify')).lines().at(-1)).toMatchObject({ ok: true, faults: [] });
  }, 120_000);

  it('gives the same events as the database to show and as-of', async () => {
    const shown = await runHeddle(['history', 'show', jobId, '--json', '--data', service.dataDir], {});
    expect((await from(out, 'show', jobId)).out).toBe(shown.out);
    expect((await from(out, 'show', jobId.slice(-8))).out).toBe(shown.out);
    expect(JSON.parse((await from(out, 'as-of', '2')).out)).toMatchObject({ jobs: 1, by_status: { running: 1 } });
  }, 60_000);

  it('leaves out the payloads with --redact, and still verifies', async () => {
    const redacted = join(folder, 'redacted');
    expect((await exported('--out', redacted, '--redact')).code).toBe(0);
    expect((await from(redacted, 'verify')).lines().at(-1)).toMatchObject({ ok: true, jobs: 0 });
    expect((await from(redacted, 'verify')).err).toMatch(/^\d+ jobs? checked by digest, order and type alone/);
    const known = await from(redacted, 'as-of', '2');
    expect(known.lines().at(-1)).toMatchObject({ jobs: 1, by_status: { running: 1 } });
    expect(known.err).toContain('1 job known by envelopes alone');
    const lines = (await from(redacted, 'show', jobId)).lines();
    expect(lines.map(({ data }) => data)).toEqual(lines.map(() => null));
  }, 60_000);

  it('removes what a crash left behind', async () => {
    const copy = await copyOf('crashed');
    const [path] = await filesOf(copy);
    await cp(join(copy, path!), join(copy, path!.replace('part-0', 'part-9')));
    expect((await from(copy, 'verify')).lines().at(-1)).toMatchObject({ faults: [{ fault: 'file_unlisted' }] });
    await exported('--out', copy);
    expect((await from(copy, 'verify')).code).toBe(0);
  }, 60_000);

  it('removes no file that is of no export', async () => {
    const copy = await copyOf('foreign');
    const page = join(copy, 'events', 'JobFailed-1.md');
    await writeFile(page, '# JobFailed');
    expect((await exported('--out', copy)).lines().at(-1)).toMatchObject({
      error: { code: 'manifest_mismatch', message: expect.stringContaining('JobFailed-1.md') as string },
    });
    expect(await readFile(page, 'utf8')).toBe('# JobFailed');
  }, 60_000);
});

describe('a damaged export', () => {
  const damaged: [string, string, string, (copy: string, path: string) => Promise<void>][] = [
    ['a cut file', 'file_changed', 'export_torn', (copy, path) => truncate(join(copy, path), 200)],
    [
      'a file of another export',
      'file_changed',
      'export_torn',
      async (copy, path) => {
        const other = join(folder, 'same-log');
        const until = String((await manifestOf(copy)).watermark.seq);
        await exported('--out', other, '--segment', '4', '--until', until);
        await cp(join(other, path), join(copy, path));
      },
    ],
    ['a missing file', 'file_missing', 'export_torn', (copy, path) => rm(join(copy, path))],
    ['a changed file', 'file_changed', 'export_torn', (copy, path) => appendFile(join(copy, path), 'x')],
    [
      'a symbolic link',
      'file_changed',
      'export_torn',
      async (copy, path) => {
        await rename(join(copy, path), join(copy, 'elsewhere'));
        await symlink(join(copy, 'elsewhere'), join(copy, path));
      },
    ],
    [
      'a linked folder',
      'file_changed',
      'export_torn',
      async (copy, path) => {
        await rename(join(copy, dirname(path)), join(copy, 'elsewhere'));
        await symlink(join(copy, 'elsewhere'), join(copy, dirname(path)));
      },
    ],
  ];
  it.each(damaged)(
    '%s: verify reports %s, other commands end with %s',
    async (name, fault, code, damage) => {
      const copy = await copyOf(name.replaceAll(' ', '-'));
      const files = await filesOf(copy);
      // Alone in its folder: a linked folder makes every file in it a link.
      const path = files.findLast((one) => files.filter((other) => dirname(other) === dirname(one)).length === 1)!;
      await damage(copy, path);
      const verified = await from(copy, 'verify');
      expect([verified.code, verified.lines().at(-1)!['faults']]).toEqual([
        1,
        expect.arrayContaining([expect.objectContaining({ fault, file: path })]),
      ]);
      const shown = await from(copy, 'show', jobId);
      expect([shown.code, shown.lines().at(-1)]).toMatchObject([1, { error: { code } }]);
      expect(shown.err).toContain(path);
      // An export that lacks a file is not extended.
      if (fault === 'file_missing')
        expect((await exported('--out', copy)).lines().at(-1)).toMatchObject({ error: { code } });
    },
    60_000,
  );

  it('names a file that cannot be read although the manifest has its digest', async () => {
    const copy = await copyOf('unreadable');
    const path = (await filesOf(copy)).at(-1)!;
    const bytes = Buffer.from('not Parquet');
    await writeFile(join(copy, path), bytes);
    const manifest = JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8')) as {
      segments: { files: Record<string, unknown>[] }[];
    };
    const file = manifest.segments.flatMap(({ files }) => files).find((one) => one['path'] === path)!;
    Object.assign(file, { bytes: bytes.length, sha256: hash('sha256', bytes) });
    await writeFile(join(copy, 'manifest.json'), JSON.stringify(manifest));
    expect((await from(copy, 'verify')).lines().at(-1)!['faults']).toContainEqual(
      expect.objectContaining({ fault: 'manifest', file: path, message: expect.stringContaining('cannot be read') }),
    );
  }, 60_000);

  it.each([
    ['min_seq', 3],
    ['max_recorded_at', '2001-01-01T00:00:00.000Z'],
  ])(
    'the figure %s of a file is compared with the file',
    async (name, wrong) => {
      const copy = await copyOf(`figure-${name}`);
      const manifest = JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8')) as {
        segments: { files: Record<string, unknown>[] }[];
      };
      const [file] = manifest.segments.at(-1)!.files;
      file![name] = wrong;
      await writeFile(join(copy, 'manifest.json'), JSON.stringify(manifest));
      expect((await from(copy, 'verify')).lines().at(-1)).toMatchObject({
        faults: [
          {
            fault: 'manifest',
            file: file!['path'],
            message: expect.stringContaining(
              `${name} of ${String(file!['path'])} is ${wrong} in the manifest`,
            ) as string,
          },
        ],
      });
    },
    60_000,
  );

  const manifests: [string, string, (manifest: Record<string, unknown>) => unknown][] = [
    ['no JSON', 'manifest_mismatch', () => 'x'],
    ['of another format', 'manifest_mismatch', (manifest) => ({ ...manifest, format: 'other' })],
    ['of a newer format', 'manifest_version', (manifest) => ({ ...manifest, format_version: 2 })],
    ['with another count', 'manifest_mismatch', (manifest) => ({ ...manifest, events: 1 })],
    ['with another watermark', 'manifest_mismatch', (manifest) => ({ ...manifest, watermark: { seq: 1, chain: '' } })],
    [
      'with a path that leads out',
      'manifest_mismatch',
      (manifest) => JSON.parse(JSON.stringify(manifest).replaceAll('events/dt=', '../events/dt=')) as object,
    ],
  ];
  it.each(manifests)(
    'a manifest %s ends with %s',
    async (name, code, change) => {
      const copy = await copyOf(name.replaceAll(' ', '-'));
      const manifest = JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8')) as Record<string, unknown>;
      const changed = change(manifest);
      await writeFile(join(copy, 'manifest.json'), typeof changed === 'string' ? changed : JSON.stringify(changed));
      const { code: exit, lines } = await from(copy, 'verify');
      expect([exit, lines().at(-1)]).toMatchObject([1, { error: { code } }]);
    },
    60_000,
  );

  it('is not continued where it is of another log, or where another export writes', async () => {
    const copy = await copyOf('other-log');
    const text = await readFile(join(copy, 'manifest.json'), 'utf8');
    const { chain } = (await manifestOf(copy)).watermark;
    await writeFile(join(copy, 'manifest.json'), text.replaceAll(chain, 'a'.repeat(64)));
    const before = await readdir(copy, { recursive: true });
    expect((await exported('--out', copy)).lines().at(-1)).toMatchObject({ error: { code: 'manifest_mismatch' } });
    expect(await readdir(copy, { recursive: true })).toEqual(before);
  }, 60_000);

  it('waits for nobody who has ended, and for whoever writes to it', async () => {
    const copy = await copyOf('locked');
    const lock = join(copy, '.export.lock');
    const holder = { pid: process.pid, identity: processIdentity(process.pid), host: hostname(), token: 'other' };
    for (const busy of [JSON.stringify(holder), JSON.stringify({ ...holder, host: 'elsewhere' }), '']) {
      await writeFile(lock, busy);
      expect((await exported('--out', copy)).lines().at(-1)).toMatchObject({ error: { code: 'export_busy' } });
      expect(await readFile(lock, 'utf8')).toBe(busy);
    }
    // The number of the process is another one's by now.
    await writeFile(lock, JSON.stringify({ ...holder, identity: 'an earlier boot:1' }));
    expect((await exported('--out', copy)).code).toBe(0);
    expect((await readdir(copy)).filter((name) => name.startsWith('.export'))).toEqual([]);
  }, 60_000);

  it.each(['export --out never-made', 'show JOB', 'verify', 'follow', 'as-of 1', 'query values(1)', 'rebuild'])(
    'history %s: another database is not one of Heddle',
    async (words) => {
      const server = serverOf(service.dataDir)!;
      const url = server.url(server.running()!.port, 'postgres');
      const { code, err } = await runHeddle(
        ['history', ...words.replace('JOB', jobId).split(' '), '--database-url', url],
        {},
      );
      expect([code, err]).toEqual([1, expect.stringContaining('is not a database of Heddle')]);
    },
    60_000,
  );

  it.each([
    [['--segment', '0', '--out', 'x'], '--segment must be a whole number from 1'],
    [[], '--out is missing'],
    [['--out', 's3://bucket/prefix'], 's3://bucket/prefix needs HEDDLE_S3_ENDPOINT'],
  ])('%j is wrong usage', async (words, message) => {
    expect(await exported(...words)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
  });
});
