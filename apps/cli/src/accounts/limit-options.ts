import type { Arguments, Option } from '../command-line/command.js';
import { notANumber } from '../command-line/read-arguments.js';

const LIMITS = {
  'queue-depth': 'jobs that may wait',
  running: 'jobs that may run at once',
  streams: 'open event streams',
  'storage-bytes': 'bytes of live assets',
  'read-rate': 'job reads per second',
  'read-burst': 'job reads at once',
};

export const LIMIT_OPTIONS: Readonly<Record<string, Option>> = Object.fromEntries(
  Object.entries(LIMITS).map(([name, meaning]) => [
    name,
    { value: 'N', meaning: `${meaning}; default: as the setting` },
  ]),
);

/** The limits that are given, as the admin API names them; `default` takes the setting again. */
export function limitsIn(options: Arguments): Record<string, number | null> {
  return Object.fromEntries(
    Object.keys(LIMITS).flatMap((name) => {
      const text = options.text(name);
      return text === null ? [] : [[name.replaceAll('-', '_'), limitOf(name, text)]];
    }),
  );
}

function limitOf(name: string, text: string): number | null {
  if (text === 'default') return null;
  const form = name === 'read-rate' ? /^\d+(\.\d+)?$/ : /^\d+$/;
  if (form.test(text) && Number(text) <= Number.MAX_SAFE_INTEGER) return Number(text);
  throw notANumber(name, text, true);
}
