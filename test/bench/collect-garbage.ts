import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';

/** Node's inspector listens here after SIGUSR1. */
const INSPECTOR = 'http://127.0.0.1:9229';
const DEADLINE_MS = 10_000;

/**
 * Makes a Node process collect its garbage, through its inspector, and closes the inspector again. What is resident
 * afterwards is what the process holds, without what the calls of the last seconds left behind. Resolves with the bytes of
 * its heap that are in use.
 */
export async function collectGarbage(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await inspectorUrl());
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const answerer = await evaluate(socket, 1, 'process.pid');
  if (answerer !== pid) throw new Error(`process ${String(answerer)} holds ${INSPECTOR}, not process ${pid}`);
  await call(socket, 2, 'HeapProfiler.collectGarbage', {});
  const heapBytes = Number(await evaluate(socket, 3, 'process.memoryUsage().heapUsed'));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.send(request(4, 'Runtime.evaluate', { expression: 'process._debugEnd()' }));
  await closed;
  return heapBytes;
}

async function inspectorUrl(): Promise<string> {
  const end = performance.now() + DEADLINE_MS;
  while (performance.now() < end) {
    try {
      const [target] = (await (await fetch(`${INSPECTOR}/json`)).json()) as { webSocketDebuggerUrl: string }[];
      if (target !== undefined) return target.webSocketDebuggerUrl;
    } catch {
      // The inspector is not open yet.
    }
    await delay(50);
  }
  throw new Error(`no inspector opened at ${INSPECTOR} within ${DEADLINE_MS / 1000} s`);
}

async function evaluate(socket: WebSocket, id: number, expression: string): Promise<unknown> {
  const answer = await call(socket, id, 'Runtime.evaluate', { expression, returnByValue: true });
  return (answer as { result: { value: unknown } }).result.value;
}

async function call(socket: WebSocket, id: number, method: string, params: object): Promise<unknown> {
  const answered = new Promise<unknown>((resolve, reject) => {
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { id?: number; result?: unknown };
      if (message.id === id) resolve(message.result);
    });
    socket.once('close', () => reject(new Error(`the process closed its inspector before it answered ${method}`)));
  });
  socket.send(request(id, method, params));
  return await answered;
}

function request(id: number, method: string, params: object): string {
  return JSON.stringify({ id, method, params });
}
