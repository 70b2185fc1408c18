import { createServer } from 'node:net';
import { portHolder } from './port-holder.js';

/** Another process uses one of our ports; the message names the setting that changes it. */
export class PortTakenError extends Error {}

/** A port, and the setting that chose it. */
interface ChosenPort {
  readonly setting: string;
  readonly host: string;
  readonly port: number;
}

/** Listens on a port; if it is unavailable, names the setting to change. */
export async function listening<T>(setting: string, port: number, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const refusal = portRefusal(error, setting, port);
    throw refusal === null ? error : new PortTakenError(refusal);
  }
}

/** Refuses before anything starts, with one line per unavailable port. Reserves nothing. */
export async function assertPortsFree(ports: readonly ChosenPort[]): Promise<void> {
  const refusals: string[] = [];
  for (const { setting, host, port } of ports) {
    if (port === 0) continue;
    const error = await tried(host, port);
    const refusal = error === null ? null : portRefusal(error, setting, port);
    if (refusal !== null) refusals.push(refusal);
  }
  if (refusals.length > 0) throw new PortTakenError(refusals.join('\n'));
}

function tried(host: string, port: number): Promise<Error | null> {
  const probe = createServer();
  return new Promise((done) => {
    probe.once('error', done);
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => done(null)));
  });
}

/** Why a port cannot be listened on, and which setting changes it; null for another error. */
export function portRefusal(error: unknown, setting: string, port: number): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    const holder = portHolder(port) ?? 'another process';
    return `port ${port} is in use by ${holder}: stop that process, or set ${setting} to another port`;
  }
  if (code === 'EACCES') return `port ${port} needs rights that this user lacks: set ${setting} to 1024 or more`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const host = HOST_SETTINGS[setting] ?? 'HEDDLE_CALLS_HOST';
    return `port ${port} cannot be listened on: ${host} is not an address of this machine (${code})`;
  }
  return null;
}

const HOST_SETTINGS: Readonly<Record<string, string>> = {
  HEDDLE_PORT: 'HEDDLE_HOST',
  HEDDLE_OPS_PORT: 'HEDDLE_OPS_HOST',
};
