import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import type { BrowserContext } from 'playwright-core';

const run = promisify(execFile);
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];
const INSTALL_WITHIN_MS = 240_000;

/** The browser contacts no other machine, and test host names resolve to this machine. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP *.example 127.0.0.1',
];

export const NO_CHROMIUM =
  'no Chromium on this machine: install the package chromium, or name one with HEDDLE_CHROMIUM (ALLOW_SKIP=1 leaves these tests out)';

/** Path of a Chromium: HEDDLE_CHROMIUM, or one on this machine; null if there is none. */
export function chromiumHere(): string | null {
  const named = process.env['HEDDLE_CHROMIUM'];
  if (named !== undefined && named !== '') return existsSync(named) ? named : null;
  return PLACES.find((path) => existsSync(path)) ?? null;
}

/** The same; as root, tries to install the package if none is found. */
export async function findChromium(): Promise<string | null> {
  return chromiumHere() ?? ((await install()) ? chromiumHere() : null);
}

/** A browser with its own profile, which `close` removes */
export interface Browser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

export async function openBrowser(program: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'heddle-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: program,
    headless: true,
    args: FLAGS,
    timeout: 60_000,
  });
  context.setDefaultTimeout(45_000);
  return {
    context,
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function install(): Promise<boolean> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.error('no Chromium here: installing the package chromium (a minute or two)');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, timeout: INSTALL_WITHIN_MS, maxBuffer: 64 * 1024 * 1024 };
  const apt = (...words: string[]): Promise<boolean> =>
    run('apt-get', ['-qq', ...words], options).then(
      () => true,
      () => false,
    );
  const words = ['install', '-y', '--no-install-recommends', 'chromium'];
  return (await apt(...words)) || ((await apt('update')) && (await apt(...words)));
}
