import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { BODY_BUDGET_DEFAULT_BYTES, BodyBudget } from '@heddle/platform-http/body-budget';
import { ConnectionGuard } from '@heddle/platform-http/connection-guard';
import { WebSocketServer } from 'ws';
import type { ServedFolders } from './files/engine-folders.js';
import { fileRoutes } from './files/file-routes.js';
import { featuresOf, type Generation } from './generation.js';
import { empty, send, serverError, type HttpAnswer } from './http/answer.js';
import { Call, MAX_BODY_BYTES, Refused } from './http/call.js';
import { isForeignPage } from './http/origin-guard.js';
import { RouteTable } from './http/route-table.js';
import { informationRoutes } from './information/information-routes.js';
import { jobRoutes } from './jobs/job-routes.js';
import type { PromptCheck } from './prompts/prompt-check.js';
import { PromptHistory } from './prompts/prompt-history.js';
import { PromptQueue } from './prompts/prompt-queue.js';
import { promptRoutes } from './prompts/prompt-routes.js';
import { PromptSubmission } from './prompts/submit-prompt.js';
import type { PromptRunner } from './running/prompt-runner.js';
import { RunQueue, type EndedRun } from './running/run-queue.js';
import { logRoutes } from './sockets/log-routes.js';
import { SocketHub, type Wire } from './sockets/socket-hub.js';

/** Maximum frame from a client, which sends only its feature flags. */
const MAX_FRAME_BYTES = 1024 * 1024;

/** Maximum connections of all kinds; further ones are closed at once, and so are stalled readers after this time. */
const CONNECTIONS = { connections: 1024, unauthenticated: 1024, stalledMs: 30_000 };
/** Room for two uploads of maximum size. */
const TIMES = { headersTimeout: 10_000, requestTimeout: 300_000, connectionsCheckingInterval: 1_000 };

/** Dependencies of the protocol. */
interface ProtocolParts {
  readonly generation: Generation;
  readonly folders: ServedFolders;
  readonly objectInfo: () => string | Promise<string>;
  readonly check: PromptCheck;
  readonly runner: PromptRunner;
  /** Drops results of earlier prompts. */
  readonly freeMemory?: () => void;
  readonly wire?: Wire;
  /** Called at the end of each prompt. */
  readonly onEnded?: (ended: EndedRun) => void;
  /** Called with internal errors; the client sees a bare 500. */
  readonly onError?: (error: unknown) => void;
  /** Called before each request is answered; true if it was handled. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;
  /** True if a WebSocket may be opened now. */
  readonly admitsSockets?: () => boolean;
}

/** The engine's HTTP and WebSocket protocol for a prompt runner (engine.md 1, 2). */
export class ProtocolServer {
  readonly hub: SocketHub;
  readonly runs: RunQueue;
  readonly history = new PromptHistory();
  private readonly queue = new PromptQueue();
  private readonly routes: RouteTable;
  private readonly server: Server;
  private readonly bodies = new BodyBudget(BODY_BUDGET_DEFAULT_BYTES);
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES });

  constructor(private readonly parts: ProtocolParts) {
    const { generation, folders, objectInfo, check, runner, freeMemory, wire, onEnded } = parts;
    this.hub = new SocketHub(
      {
        queueRemaining: () => this.runs.remaining,
        running: () => this.running(),
        features: () => featuresOf(generation, MAX_BODY_BYTES),
      },
      wire,
    );
    const { queue, history, hub } = this;
    const runs = new RunQueue({ queue, history, hub, runner, ...(onEnded ? { onEnded } : {}) });
    this.runs = runs;
    const submission = new PromptSubmission({ generation, check, enqueue: (prompt) => runs.enqueue(prompt) });
    this.routes = new RouteTable([
      ...promptRoutes({ submission, queue, history, runs }),
      ...(generation === '0.33.0' ? jobRoutes({ queue, history, runs }) : []),
      ...informationRoutes({
        generation,
        maxUploadBytes: MAX_BODY_BYTES,
        objectInfo,
        ...(freeMemory ? { freeMemory } : {}),
      }),
      ...logRoutes(hub),
      ...fileRoutes(folders, generation),
    ]);
    this.server = createServer(TIMES, (request, response) => void this.serve(request, response));
    new ConnectionGuard(CONNECTIONS).watch(this.server);
    this.server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
  }

  /** Resolves with the port once connections are accepted; 0 selects a free port. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((done, fail) => {
      this.server.once('error', fail);
      this.server.listen(port, host, () => {
        this.server.off('error', fail);
        done((this.server.address() as AddressInfo).port);
      });
    });
  }

  /** Interrupts the running prompt, closes every connection and frees the port. */
  async close(): Promise<void> {
    const closed = new Promise<void>((done) => this.server.close(() => done()));
    this.hub.terminate();
    this.server.closeAllConnections();
    await this.runs.stop();
    await closed;
  }

  private running(): { clientId: string; nodeId: string } | null {
    const clientId = this.runs.current?.clientId ?? null;
    const nodeId = this.runs.currentNode;
    return clientId === null || nodeId === null ? null : { clientId, nodeId };
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if ((await this.parts.intercept?.(request, response)) === true) return;
      const answer = await this.answer(request, response);
      if (answer !== 'sent') send(response, answer, request.method === 'HEAD');
    } catch (error) {
      if (response.headersSent) response.destroy();
      else send(response, this.answerTo(error), false);
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<HttpAnswer | 'sent'> {
    if (isForeignPage(request.headers)) return empty(403);
    // A path such as `//x` would be parsed as a host.
    const url = URL.parse(`http://engine${request.url ?? '/'}`);
    if (url === null) return empty(400);
    const found = this.routes.find(request.method ?? 'GET', url.pathname);
    if ('status' in found) return found;
    const call = new Call(request, response, url, this.bodies);
    return await call.carryOut(() => found.handle(call, found.parameters));
  }

  private answerTo(error: unknown): HttpAnswer {
    if (error instanceof Refused) return error.answer;
    this.parts.onError?.(error);
    return serverError();
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = URL.parse(`http://engine${request.url ?? '/'}`);
    const known = url !== null && ['/ws', '/api/ws'].includes(url.pathname);
    if (!known || isForeignPage(request.headers) || this.parts.admitsSockets?.() === false) {
      socket.end(
        `HTTP/1.1 ${known ? '403 Forbidden' : '404 Not Found'}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
      );
      return;
    }
    this.sockets.handleUpgrade(request, socket, head, (accepted) => {
      if (!this.hub.accept(accepted, url.searchParams.get('clientId'))) accepted.close(1013, 'too many connections');
    });
  }
}
