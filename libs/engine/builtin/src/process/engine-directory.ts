import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'heddle-engine-';

/** Private folder of one engine for files in transit; a folder per run that needs one. */
export class EngineDirectory {
  private constructor(private readonly path: string) {}

  /** Also removes what engines left behind that were killed. */
  static async create(parent = tmpdir()): Promise<EngineDirectory> {
    await removeLeftovers(parent);
    return new EngineDirectory(await mkdtemp(join(parent, `${PREFIX}${process.pid}-`)));
  }

  /** Where a run's folder would be. */
  ofRun(run: number): string {
    return join(this.path, String(run));
  }

  async makeRun(run: number): Promise<string> {
    const path = this.ofRun(run);
    await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  }

  async removeRun(run: number): Promise<void> {
    await rm(this.ofRun(run), { recursive: true, force: true });
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
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
