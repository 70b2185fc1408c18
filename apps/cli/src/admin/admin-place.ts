import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../api/wire.js';
import type { Arguments } from '../command-line/command.js';
import { envValue, secretValue } from '../command-line/env-value.js';
import { unreadableText } from '../file-error.js';
import { unreachable, wrongUsage } from '../failure.js';
import type { ProcessVariables } from '@heddle/platform-telemetry';

export interface AdminPlace {
  readonly url: string;
  readonly token: string;
}

/** Where the admin API is: as given, else as the service has noted it in its data folder. */
export async function adminPlace(options: Arguments, env: ProcessVariables): Promise<AdminPlace> {
  const url = options.text('admin-url') ?? envValue(env, 'HEDDLE_ADMIN_URL');
  const token = secretValue(env, 'HEDDLE_ADMIN_TOKEN');
  if (url !== null && token !== null) return { url, token };
  const noted = await notedIn(options.text('data') ?? envValue(env, 'HEDDLE_DATA') ?? '.heddle');
  if (url === null) return token === null ? noted : { url: noted.url, token };
  // The noted token belongs to the noted address: it is not sent anywhere else.
  if (url.replace(/\/$/, '') === noted.url) return noted;
  throw wrongUsage(`no token for the admin API at ${url}`, 'set HEDDLE_ADMIN_TOKEN to the token of that service');
}

async function notedIn(folder: string): Promise<AdminPlace> {
  const file = join(folder, 'admin.json');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw unreachable(
      `${unreadableText(file, error)}: no service with an admin API runs on this data folder`,
      'start Heddle on it, name its data folder by --data or HEDDLE_DATA, or set HEDDLE_ADMIN_URL and HEDDLE_ADMIN_TOKEN',
    );
  }
  const note = noteIn(text);
  if (note === null)
    throw unreachable(`${file} does not hold {"url", "token"}`, 'restart the service, which writes it');
  return note;
}

function noteIn(text: string): AdminPlace | null {
  try {
    const note: unknown = JSON.parse(text);
    if (!isRecord(note)) return null;
    const { url, token } = note;
    return typeof url === 'string' && typeof token === 'string' ? { url, token } : null;
  } catch {
    return null;
  }
}
