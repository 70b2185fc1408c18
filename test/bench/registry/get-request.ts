/** The bytes of a GET. */
export function getRequest(target: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`GET ${encodeURI(target)} HTTP/1.1\r\n${lines.join('')}\r\n`);
}
