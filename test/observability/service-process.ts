import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { issueServiceToken, newServiceKeyPair } from '@heddle/platform-service-calls';
import { program } from '@heddle/platform-telemetry/program';
import type { ProgramName } from '@heddle/platform-telemetry/program';
import { send, textOf } from '@heddle/testing-api';
import { freePort } from '@heddle/platform-database';

export interface Reason {
  readonly name: string;
  readonly reason: string;
}

export interface Readiness {
  readonly status: number;
  readonly ready: boolean;
  readonly waiting_for: readonly Reason[];
  readonly degraded: readonly Reason[];
}

const keys = newServiceKeyPair();

/** One service in a separate process, with only the dependencies of its settings */
export class LoneProcess {
  #log = '';
  /** Resolves when the process is ready or has ended. */
  readonly ready: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly opsUrl: string,
  ) {
    child.stderr?.on('data', (chunk: Buffer) => (this.#log = (this.#log + chunk.toString()).slice(-100_000)));
    this.ready = new Promise((done) => {
      child.stdout?.on('data', (text: Buffer) => text.toString().includes(' ready ') && done());
      child.once('exit', () => done());
    });
  }

  static async start(service: ProgramName, settings: Readonly<Record<string, string>>): Promise<LoneProcess> {
    const [ops, calls, bytes, api] = [await freePort(), await freePort(), await freePort(), await freePort()];
    const claims = { service, deploymentId: null, expiresAt: Date.now() };
    const audiences = ['jobs', 'assets', 'validation'];
    const tokens = audiences.map((audience) => issueServiceToken(keys.privateKey, { ...claims, audience }));
    const child = spawn(process.execPath, program(service), {
      env: {
        PATH: process.env['PATH'] ?? '',
        HEDDLE_PORT: String(api),
        HEDDLE_OPS_PORT: String(ops),
        HEDDLE_CALLS_PORT: String(calls),
        HEDDLE_BYTES_PORT: String(bytes),
        HEDDLE_SERVICE_PUBLIC_KEY: keys.publicKey,
        ...(settings['HEDDLE_SERVICE_TOKEN_FILE']
          ? {}
          : { HEDDLE_SERVICE_TOKEN: (await Promise.all(tokens)).join('\n') }),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new LoneProcess(child, `http://127.0.0.1:${ops}`);
  }

  get log(): string {
    return this.#log;
  }

  /** Status of `/livez`; null while nothing listens. */
  async alive(): Promise<number | null> {
    return await send(this.opsUrl, { method: 'GET', target: '/livez' }).then(
      ({ status }) => status,
      () => null,
    );
  }

  async metrics(): Promise<string> {
    return textOf(await send(this.opsUrl, { method: 'GET', target: '/metrics' }));
  }

  async readiness(): Promise<Readiness | null> {
    try {
      const answer = await send(this.opsUrl, { method: 'GET', target: '/readyz' });
      return { status: answer.status, ...(JSON.parse(textOf(answer)) as Omit<Readiness, 'status'>) };
    } catch {
      return null;
    }
  }

  /** Sends SIGTERM, and resolves with the exit code. */
  async stop(): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const ended = new Promise<number | null>((done) => this.child.once('exit', done));
    this.child.kill('SIGTERM');
    return await ended;
  }
}
