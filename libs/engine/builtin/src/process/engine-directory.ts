import { spawnSync } from 'node:child_process';
import { chownSync, constants, mkdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, readdir, rm, rmdir, stat, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineUserError, type EngineUser } from './engine-user.js';

const PREFIX = 'heddle-engine-';

/**
 * Private folder of one engine for files in transit; a folder per run that needs one. Where engine processes are another
 * user, it stays this one's, so that no run can put something else in the place of a run's folder; each of these is theirs.
 */
export class EngineDirectory {
  private readonly prepared = new Set<string>();
  private runs = 0;

  private constructor(
    private readonly path: string,
    private readonly user: EngineUser | undefined,
  ) {}

  /** Also removes what engines left behind that were killed. */
  static async create({
    user,
    parent = parentFor(user),
  }: { parent?: string; user?: EngineUser } = {}): Promise<EngineDirectory> {
    await removeLeftovers(parent);
    const path = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
    if (user !== undefined) await chmod(path, 0o711);
    return new EngineDirectory(path, user);
  }

  /** Engine processes are another user: they read what lies here, and no other file of this user. */
  get isOfOthers(): boolean {
    return this.user !== undefined;
  }

  /**
   * Name of the folder of the next run in a process. Processes of another user keep one folder each: to make one for every run
   * costs a millisecond.
   */
  nameFor(pid: number): string {
    return this.isOfOthers ? `process-${pid}` : String(++this.runs);
  }

  /** Where the folder of this name would be. */
  pathOf(name: string): string {
    return join(this.path, name);
  }

  /** Before a run: an engine process of another user cannot make its folder itself. */
  prepare(name: string): void {
    if (this.user === undefined || this.prepared.has(name)) return;
    mkdirSync(this.pathOf(name), { mode: 0o700 });
    chownSync(this.pathOf(name), this.user.uid, this.user.gid);
    this.prepared.add(name);
  }

  async make(name: string): Promise<string> {
    this.prepare(name);
    const path = this.pathOf(name);
    if (!this.isOfOthers) await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  }

  /** A new file of a run, for its process to read. */
  async createInput(path: string): Promise<FileHandle> {
    const file = await open(path, 'wx', 0o600);
    if (this.user !== undefined) await file.chown(this.user.uid, this.user.gid);
    return file;
  }

  /**
   * A file that an engine process names as its output. Where it is another user, the file must be that user's own: by its
   * path, or a link at it, the process could have this one read what it cannot read itself.
   */
  async openOutput(path: string): Promise<FileHandle> {
    if (this.user === undefined) return await open(path, constants.O_RDONLY);
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const facts = await file.stat();
    if (facts.isFile() && facts.uid === this.user.uid) return file;
    await file.close();
    throw new Error(`the engine process named ${path} as an output, which is not a file of its own`);
  }

  /** After a run; `ended` says that its process is gone. */
  async clear(name: string, ended: boolean): Promise<void> {
    const path = this.pathOf(name);
    if (!this.isOfOthers) return await rm(path, { recursive: true, force: true });
    // Such a process may still write: links are removed, never followed. A folder in the folder, which no engine makes, goes
    // with the whole directory when all processes are gone.
    for (const entry of await readdir(path).catch(() => [])) await unlink(join(path, entry)).catch(() => undefined);
    if (!ended) return;
    this.prepared.delete(name);
    await rmdir(path).catch(() => undefined);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

/** The folder of temporary files, or `/tmp` where the engine's user cannot enter that one, as below a folder of root alone. */
function parentFor(user: EngineUser | undefined): string {
  if (user === undefined) return tmpdir();
  const found = [tmpdir(), '/tmp'].find(
    (folder) => spawnSync('test', ['-x', folder], { ...user, cwd: '/' }).status === 0,
  );
  if (found !== undefined) return found;
  throw new EngineUserError(
    `TMPDIR: engine processes, which are user ${user.uid}, can enter neither ${tmpdir()} nor /tmp: set TMPDIR to a folder that this user can enter`,
  );
}

async function removeLeftovers(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const pid = Number(/^heddle-engine-(\d+)-/.exec(name)?.[1] ?? NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const path = join(parent, name);
    const owner = await stat(path).catch(() => null);
    if (owner?.uid === process.getuid?.()) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not permitted means that it lives, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
