import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { EngineFile, EngineOutcome } from '@heddle/engine-port';
import { RecordingObserver, type Graph } from '@heddle/testing-engine';
import { afterEach, describe, expect, it } from 'vitest';
import { BuiltinEngine, engineUser, type EngineUser } from './index.js';
import { EngineDirectory } from './process/engine-directory.js';

const isRoot = process.getuid?.() === 0;
const hasSetpriv = spawnSync('setpriv', ['--version']).status === 0;
const skipped = !isRoot;
const title = 'an engine process of a service that is root';

describe.skipIf(skipped)(isRoot ? title : `${title} (skipped: this is not root)`, () => {
  const user = isRoot ? engineUser(null)! : { uid: 0, gid: 0 };
  const folder = mkdtempSync(join(tmpdir(), 'heddle-engine-user-'));
  let engine: BuiltinEngine | null = null;
  let directory: EngineDirectory | null = null;
  afterEach(async () => {
    await engine?.close();
    await directory?.remove();
    [engine, directory] = [null, null];
  });

  it('is another user without rights, who cannot gain any', async () => {
    engine = new BuiltinEngine({ user });
    await engine.prestart();
    const [pid] = childrenOf(process.pid);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name: string): string =>
      new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status)?.[1]?.trim() ?? 'none';
    const four = (id: number): string => Array(4).fill(id).join('\t');
    expect([field('Uid'), field('Gid'), field('Groups')]).toEqual([four(user.uid), four(user.gid), '']);
    expect([field('CapEff'), field('CapPrm')]).toEqual(['0000000000000000', '0000000000000000']);
    if (hasSetpriv) expect(field('NoNewPrivs')).toBe('1');
    // Every thread of it, those of the runtime included.
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      expect(readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8')).toContain(`\nUid:\t${four(user.uid)}\n`);
    }
  });

  it('is nobody who has files: no user, no group', () => {
    const ids = [...idsIn('/etc/passwd'), ...idsIn('/etc/group')];
    expect(user.uid === idOf('heddle-engine') || !ids.includes(user.uid)).toBe(true);
    expect(() => engineUser('postgres-of-nowhere')).toThrow('there is no user postgres-of-nowhere');
    expect(() => engineUser('root')).toThrow('HEDDLE_ENGINE_USER: root is root or may own');
    expect(() => engineUser('nobody')).toThrow('HEDDLE_ENGINE_USER: nobody is root or may own');
  });

  it('reads its inputs and hands on outputs of every size, and leaves no file behind', async () => {
    engine = new BuiltinEngine({ user });
    const observer = new RecordingObserver();
    expect(await run(engine, largeOutput(), observer)).toEqual({ kind: 'succeeded' });
    const picture = observer.outputs[0]!.bytes;
    expect(picture.length).toBeGreaterThan(256 * 1024);
    // A path that the service alone can read: the file is copied for it.
    const secret = join(folder, 'picture.png');
    writeFileSync(secret, picture, { mode: 0o600 });
    const given = {
      name: 'a.png',
      sizeBytes: picture.length,
      open: async () => Readable.from([picture]),
      localPath: secret,
    };
    const again = new RecordingObserver();
    expect(await run(engine, loading('a.png'), again, [given])).toEqual({ kind: 'succeeded' });
    expect(again.outputs).toHaveLength(1);
    const mine = readdirSync(tmpdir()).filter((name) => name.startsWith(`heddle-engine-${process.pid}-`));
    const left = mine.flatMap((name) => readdirSync(join(tmpdir(), name), { recursive: true }).map(String));
    expect(left.filter((name) => !/^process-\d+$/.test(name))).toEqual([]);
  });

  it('names only files of its own as outputs', async () => {
    directory = await EngineDirectory.create({ user });
    const own = await directory.make('1');
    asUser(user, ['sh', '-c', `echo mine > ${own}/out-1; ln -s /etc/shadow ${own}/out-2; mkfifo ${own}/out-3`]);
    const opened = await directory.openOutput(join(own, 'out-1'));
    expect(await opened.readFile('utf8')).toBe('mine\n');
    await opened.close();
    for (const path of ['/etc/shadow', join(own, 'out-2'), join(own, 'out-3'), own]) {
      await expect(directory.openOutput(path), path).rejects.toThrow(/not a file of its own/);
    }
  });

  it('has its files where it can enter, not below a folder of root alone', async () => {
    const closed = mkdtempSync(join(folder, 'closed-'));
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = closed;
    try {
      directory = await EngineDirectory.create({ user });
      const own = await directory.make('1');
      asUser(user, ['sh', '-c', `echo mine > ${own}/out-1`]);
      expect(readFileSync(join(own, 'out-1'), 'utf8')).toBe('mine\n');
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });

  it('cannot put another folder in the place of its own, nor have files removed elsewhere', async () => {
    directory = await EngineDirectory.create({ user });
    const own = await directory.make('1');
    expect(() => asUser(user, ['mv', own, `${own}-away`])).toThrow(/Permission denied/);
    const kept = join(folder, 'kept');
    writeFileSync(kept, 'kept');
    symlinkSync(folder, join(own, 'link'));
    asUser(user, ['sh', '-c', `ln -s ${kept} ${own}/file`]);
    await directory.clear('1', true);
    expect(readFileSync(kept, 'utf8')).toBe('kept');
    expect(readdirSync(join(own, '..'))).toEqual([]);
  });

  it('works if its user cannot read the code', async () => {
    const away = mkdtempSync(join(tmpdir(), 'heddle-of-root-'));
    try {
      chmodSync(away, 0o700);
      // What the child asks: whether it could open its own file.
      const entry = new URL('../dist/child/leave-root.js', import.meta.url);
      execFileSync('cp', [entry.pathname, join(away, 'leave-root.mjs')]);
      const script = `
        import { readFileSync } from 'node:fs';
        import { registerHooks } from 'node:module';
        registerHooks({ resolve: (name, context, next) => {
          if (name !== 'sharp') return next(name, context);
          console.log('the decoder is loaded as', process.getuid());
          return { url: 'data:text/javascript,export default 0', shortCircuit: true };
        } });
        const { leaveRoot } = await import(process.argv[1]);
        await leaveRoot(process.argv[2]);
        console.log('runs as', process.getuid());
        try { readFileSync(process.argv[1]); } catch (error) { console.log(error.code); }
      `;
      const said = execFileSync(process.execPath, [
        '--input-type=module',
        '-e',
        script,
        join(away, 'leave-root.mjs'),
        `${user.uid},${user.gid}`,
      ]).toString();
      expect(said.trim().split('\n')).toEqual(['the decoder is loaded as 0', `runs as ${user.uid}`, 'EACCES']);
    } finally {
      rmSync(away, { recursive: true });
    }
  });
});

describe('an engine process of a service that is not root', () => {
  it('keeps its user, and can gain no rights if setpriv exists', async () => {
    const engine = new BuiltinEngine();
    try {
      await engine.prestart();
      const status = readFileSync(`/proc/${childrenOf(process.pid)[0]}/status`, 'utf8');
      if (hasSetpriv) expect(status).toMatch(/^NoNewPrivs:\s*1$/m);
      expect(status).toMatch(new RegExp(`^Uid:\\s*${process.getuid?.()}\\s`, 'm'));
    } finally {
      await engine.close();
    }
  });
});

function asUser({ uid, gid }: EngineUser, [command, ...args]: readonly string[]): void {
  execFileSync(command!, args, { uid, gid, stdio: 'pipe' });
}

function idsIn(file: string): number[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => Number(line.split(':')[2]));
}

function idOf(name: string): number | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`));
  return line === undefined ? null : Number(line.split(':')[2]);
}

async function run(
  engine: BuiltinEngine,
  graph: Graph,
  observer: RecordingObserver,
  files: readonly EngineFile[] = [],
): Promise<EngineOutcome> {
  const request = { runId: 'r', workflow: Buffer.from(JSON.stringify(graph)), files };
  return await engine.run(request, observer, new AbortController().signal);
}

/** An output too large for a message. */
function largeOutput(): Graph {
  return {
    '1': { class_type: 'EmptyImage', inputs: { width: 9, height: 9, batch_size: 1, color: 0x336699 } },
    '2': {
      class_type: 'ImagePadForOutpaint',
      inputs: { image: ['1', 0], left: 8, top: 0, right: 0, bottom: 8, feathering: 0 },
    },
    '3': {
      class_type: 'ImageScale',
      inputs: { image: ['2', 0], upscale_method: 'bicubic', width: 3000, height: 3000, crop: 'disabled' },
    },
    '4': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'large' } },
  };
}

function loading(name: string): Graph {
  return {
    '1': { class_type: 'LoadImage', inputs: { image: name } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'again' } },
  };
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === pid;
      } catch {
        return false;
      }
    })
    .map(Number);
}
