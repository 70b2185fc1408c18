import { describe, expect, it } from 'vitest';
import { startLines } from './start-lines.js';

const plain = { env: { NO_COLOR: '1' }, stderr: { columns: 80 } };
const facts = [
  ['data', '/srv/heddle'],
  ['engine', 'built-in'],
] as const;

describe('what a terminal shows at a start', () => {
  it('is version, address and what the process adds, one a line', () => {
    const [title, ...rows] = startLines({ host: '127.0.0.1', allowedHosts: [] }, 8189, facts, plain);
    expect(title).toMatch(/^Heddle \d+\.\d+\.\d+$/);
    expect(rows).toEqual(['  address   http://127.0.0.1:8189', '  data      /srv/heddle', '  engine    built-in']);
  });

  it('names every address and the setting that lets others in where it listens beyond loopback', () => {
    const text = startLines({ host: '192.0.2.7', allowedHosts: ['heddle.lan'] }, 8189, [], plain);
    expect(text.slice(1)).toEqual([
      '  address   http://192.0.2.7:8189',
      '  hosts     only requests to the hosts 127.0.0.1, localhost, [::1], heddle.lan,',
      '            192.0.2.7 are answered; HEDDLE_ALLOWED_HOSTS adds others',
    ]);
    const everywhere = startLines({ host: '0.0.0.0', allowedHosts: [] }, 8189, [], plain).join('\n');
    expect(everywhere).toContain('  address   http://127.0.0.1:8189');
    expect(everywhere).toContain('HEDDLE_ALLOWED_HOSTS');
  });

  it('is no wider than the terminal, save for words that somebody may copy', () => {
    const lines = startLines({ host: '0.0.0.0', allowedHosts: [] }, 8189, facts, plain);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    const folder = `/${'x'.repeat(90)}`;
    expect(startLines({ host: '::1', allowedHosts: [] }, 1, [['data', folder]], plain).join('\n')).toContain(folder);
  });

  it('has colours unless NO_COLOR or a dumb terminal forbids them', () => {
    const shown = (env: Record<string, string>): string =>
      startLines({ host: '::1', allowedHosts: [] }, 1, facts, { env, stderr: {} }).join('\n');
    expect(shown({})).toContain('\u001b[');
    expect(shown({ NO_COLOR: '1' })).not.toContain('\u001b');
    expect(shown({ TERM: 'dumb' })).not.toContain('\u001b');
  });
});
