// Signals on their way from npm, a shell or a terminal to the program that heddle-run.mjs started.
import { readFileSync, readlinkSync } from 'node:fs';

/** Returns a function that ends the forwarding. */
export function forwardSignals(child, underNpm) {
  const onTerminal = process.stdin.isTTY === true || process.stdout.isTTY === true || process.stderr.isTTY === true;
  // A killed npm or shell sends nothing; without this its child would continue alone.
  const parent = process.ppid;
  const watch = underNpm ? setInterval(() => process.ppid !== parent && stop('SIGTERM'), 500) : undefined;
  watch?.unref();
  // Once: a second signal would interrupt the child's orderly stop.
  const stop = (signal) => (clearInterval(watch), child.kill(signal));
  const goesOn = isStartedByNohup();
  const forward = {
    // Ctrl-C reaches the whole foreground group: forwarding it would look like a second Ctrl-C.
    SIGINT: () => (onTerminal ? undefined : child.kill('SIGINT')),
    SIGTERM: () => stop('SIGTERM'),
    // A closed terminal ends npm too, which under nohup is no reason to stop.
    SIGHUP: () => (goesOn ? clearInterval(watch) : stop('SIGHUP')),
    SIGUSR2: () => child.kill('SIGUSR2'),
  };
  const handlers = Object.entries(forward);
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return () => {
    clearInterval(watch);
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

/** As in libs/platform/telemetry/src/stop-signals.ts, which this file cannot import: it runs before anything is built. */
function isStartedByNohup() {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync('/proc/self/fdinfo/0', 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & 0o3) === 0o1 && readlinkSync('/proc/self/fd/0') === '/dev/null';
  } catch {
    return false;
  }
}
