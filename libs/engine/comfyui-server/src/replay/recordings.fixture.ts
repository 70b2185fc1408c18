import { readFileSync } from 'node:fs';
import type { Generation } from '../generation.js';

/** One recorded request with its answer. */
export interface Exchange {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly json?: unknown;
    readonly body?: string | Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly multipart?: readonly (readonly [string, string, number])[];
  };
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface SocketEvent {
  readonly on: string;
  readonly dir: 'open' | 'send' | 'recv' | 'request' | 'response' | 'closed';
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly status?: number;
  readonly text?: { readonly type: string; readonly data: Readonly<Record<string, unknown>> };
  readonly binary?: { readonly length: number; readonly header_hex: string };
}

export interface Scenario {
  readonly name: string;
  readonly events: readonly SocketEvent[];
}

function lines(name: string): unknown[] {
  const text = readFileSync(new URL(`../../recorded/${name}`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

export function recordedExchanges(version: Generation): ReadonlyMap<string, Exchange> {
  return new Map((lines(`http-${version}.jsonl`) as Exchange[]).map((exchange) => [exchange.name, exchange]));
}

export function recordedScenarios(version: Generation): ReadonlyMap<string, Scenario> {
  return new Map((lines(`ws-${version}.jsonl`) as Scenario[]).map((scenario) => [scenario.name, scenario]));
}

/** Recordings that differ intentionally, each with its reason. */
export function intendedDifferences(version: Generation): ReadonlyMap<string, string> {
  const url = new URL('../../recorded/intended-differences.json', import.meta.url);
  const document = JSON.parse(readFileSync(url, 'utf8')) as {
    readonly reasons: Readonly<Record<string, string>>;
    readonly recordings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  const named = Object.entries(document.recordings[`http-${version}`] ?? {});
  for (const [name, reason] of named) {
    if (document.reasons[reason] === undefined) throw new Error(`${name}: no reason "${reason}"`);
  }
  return new Map(named);
}
