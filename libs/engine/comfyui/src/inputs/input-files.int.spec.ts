import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineFile } from '@heddle/engine-port';
import { RecordingObserver } from '@heddle/testing-engine';
import { ScriptedDrive, until } from '../scripted-drive.fixture.js';
import { LocalInputFolder } from './local-input-folder.js';

/** A file named by its content; counts how often its bytes were requested. */
function contentFile(bytes = randomBytes(2_000), sizeBytes = bytes.length): EngineFile & { opened: number } {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const file = {
    name: `heddle/${hash}.png`,
    sizeBytes,
    opened: 0,
    open: async () => {
      file.opened += 1;
      return Readable.from([bytes.subarray(0, 700), bytes.subarray(700)], { objectMode: false });
    },
  };
  return file;
}

const graphWith = (name: string): object => ({ '1': { class_type: 'LoadImage', inputs: { image: name } } });

describe('input files that are sent', () => {
  let drive: ScriptedDrive;
  beforeEach(async () => {
    drive = await ScriptedDrive.start();
  });
  afterEach(() => drive.close());
  const inputPath = (name: string): Promise<string> =>
    drive.engine.filePath('input', name.split('/')[1] ?? '', 'heddle');
  const runWith = (file: EngineFile) =>
    drive.run(new RecordingObserver(), { files: [file], graph: graphWith(file.name) });

  it('arrive whole under their name, once for any number of runs', async () => {
    const bytes = randomBytes(100_000);
    const file = contentFile(bytes);
    const runs = [runWith(file), runWith(file), runWith(file)];
    for (const outcome of await Promise.all(runs)) expect(outcome).toEqual({ kind: 'succeeded' });
    expect(await runWith(file)).toEqual({ kind: 'succeeded' });
    expect(await readFile(await inputPath(file.name))).toEqual(bytes);
    expect(drive.requestsOf('POST', '/upload/image')).toBe(1);
    expect(file.opened).toBe(1);
  });

  it('are not sent again when a restarted engine still has them, and are when it has not', async () => {
    const file = contentFile();
    await runWith(file);
    await drive.engine.restart();
    await drive.driver.whenReady(AbortSignal.timeout(20_000));
    await until(() => drive.engine.socketCount === 1);
    expect(await runWith(file)).toEqual({ kind: 'succeeded' });
    expect(drive.requestsOf('POST', '/upload/image')).toBe(1);
    await rm(await inputPath(file.name));
    await drive.engine.restart();
    await until(() => drive.engine.socketCount === 1);
    expect(await runWith(file)).toEqual({ kind: 'succeeded' });
    expect(drive.requestsOf('POST', '/upload/image')).toBe(2);
  });

  it('never replace what lies there; the graph then names the file by the name it got', async () => {
    const file = contentFile();
    const path = await inputPath(file.name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'something else');
    expect(await runWith(file)).toEqual({ kind: 'succeeded' });
    expect(await readFile(path, 'utf8')).toBe('something else');
    const named = drive.engine.prompts[0]?.graph['1']?.inputs['image'];
    expect(named).toBe(file.name.replace('.png', ' (1).png'));
  });

  it.each([
    '../x.png',
    '/etc/hostname',
    'heddle/../../x',
    'a//b',
    '',
    'a\\b.png',
    'heddle/x"y.png',
    'heddle/.hidden',
    'a\r\nb',
  ])('with the name %j never reach the engine', async (name) => {
    const outcome = await runWith({ ...contentFile(), name });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'engine_error' });
    expect(drive.requestsOf('POST', '/upload/image') + drive.requestsOf('POST', '/prompt')).toBe(0);
  });

  it('that are larger than the engine takes fail the run with what would help', async () => {
    drive.engine.breakRequests({ path: '/upload/image', fault: { kind: 'status', status: 413 } });
    const outcome = await runWith(contentFile());
    expect(outcome).toMatchObject({ kind: 'failed', code: 'engine_error' });
    expect(outcome).toHaveProperty('message', expect.stringContaining('--max-upload-size'));
  });

  it('lose the attempt when the way breaks, or when they end too early', async () => {
    drive.engine.breakRequests({ path: '/upload/image', times: 1, fault: { kind: 'reset' } });
    expect(await runWith(contentFile())).toMatchObject({ kind: 'lost' });
    expect(await runWith(contentFile(randomBytes(2_000), 2_001))).toMatchObject({ kind: 'lost' });
    expect(await runWith(contentFile())).toEqual({ kind: 'succeeded' });
  });
});

describe('the input folder on this machine', () => {
  const DAY = 86_400_000;
  let path: string;
  let folder: LocalInputFolder;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'heddle-inputs-'));
    folder = new LocalInputFolder({ path, keepMs: DAY });
  });
  afterEach(() => rm(path, { recursive: true, force: true }));
  const age = async (name: string, days: number): Promise<void> => {
    const then = new Date(Date.now() - days * DAY);
    await utimes(join(path, name), then, then);
  };

  it('gets a file whole, leaves nothing half, and accepts the same file twice', async () => {
    const bytes = randomBytes(5_000);
    const file = contentFile(bytes);
    await Promise.all([folder.place(file), folder.place(file)]);
    await folder.place(file);
    expect(await readFile(join(path, file.name))).toEqual(bytes);
    expect(await readdir(join(path, 'heddle'))).toHaveLength(1);
    await expect(folder.place(contentFile(bytes.subarray(1), 9_999))).rejects.toThrow('before its last byte');
    expect(await readdir(join(path, 'heddle'))).toHaveLength(1);
  });

  it('follows no link out of it', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'heddle-outside-'));
    try {
      await symlink(outside, join(path, 'heddle'));
      await expect(folder.place(contentFile())).rejects.toThrow('a link or a file');
      await rm(join(path, 'heddle'));
      const file = contentFile();
      await mkdir(join(path, 'heddle'));
      await writeFile(join(outside, 'target'), 'precious');
      await symlink(join(outside, 'target'), join(path, file.name));
      await expect(folder.place(file)).rejects.toThrow('something else under the name');
      expect(await readFile(join(outside, 'target'), 'utf8')).toBe('precious');
      expect(await readdir(outside)).toEqual(['target']);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  it('is swept of own files that nobody used for the time to keep, and of nothing else', async () => {
    const [old, used, young] = [contentFile(), contentFile(), contentFile()];
    for (const file of [old, used, young]) await folder.place(file);
    await writeFile(join(path, 'heddle', 'mine.png'), 'of a person');
    await writeFile(join(path, 'photo.png'), 'of a person');
    for (const name of [old.name, used.name, 'heddle/mine.png', 'photo.png']) await age(name, 2);
    expect(await folder.sweep(new Set([used.name]))).toEqual([old.name]);
    expect(await readdir(join(path, 'heddle'))).toHaveLength(3);
    // Using a file again resets its age.
    await folder.place(used);
    expect(await folder.sweep(new Set())).toEqual([]);
    expect((await stat(join(path, used.name))).size).toBe(used.sizeBytes);
  });

  it('that the engine does not see is reported with its setting', async () => {
    const drive = await ScriptedDrive.start({}, { inputFolder: { path, keepMs: DAY } });
    try {
      const file = contentFile();
      const outcome = await drive.run(new RecordingObserver(), { files: [file], graph: graphWith(file.name) });
      expect(outcome).toHaveProperty('message', expect.stringContaining('configured input folder'));
    } finally {
      await drive.close();
    }
  });

  it('spares the upload', async () => {
    const drive = await ScriptedDrive.start();
    try {
      const root = dirname(await drive.engine.filePath('input', 'any.png'));
      const driver = drive.another({ inputFolder: { path: root, keepMs: DAY } });
      const file = contentFile();
      const workflow = Buffer.from(JSON.stringify(graphWith(file.name)));
      const request = { runId: crypto.randomUUID(), workflow, files: [file] };
      const outcome = await driver.run(request, new RecordingObserver(), new AbortController().signal);
      expect(outcome).toEqual({ kind: 'succeeded' });
      expect(drive.requestsOf('POST', '/upload/image')).toBe(0);
    } finally {
      await drive.close();
    }
  });
});
