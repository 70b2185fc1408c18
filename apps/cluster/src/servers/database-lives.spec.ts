import { describe, expect, it } from 'vitest';
import { DatabaseLives } from './database-lives.js';

function observed() {
  const lines: string[] = [];
  const watch = { changed: () => undefined, say: (line: string) => void lines.push(line), gaveUp: () => undefined };
  const database = { ownerUrl: 'postgresql://heddle@127.0.0.1:5432/heddle', server: undefined };
  const supervised = new DatabaseLives(database, watch);
  return { lives: supervised.lives, lines, supervised };
}

describe('the lives of the embedded PostgreSQL server', () => {
  it('count no restart when only its connections were cut', () => {
    const { lives, lines, supervised } = observed();
    supervised.hear({ kind: 'lost', end: null });
    supervised.hear({ kind: 'reconnected', afterMs: 3 });
    expect(lines).toEqual(['the connection to postgres was lost: connecting again', 'connected to postgres again']);
    expect(lives.status).toMatchObject({ state: 'running', restarts: 0 });
  });

  it('say how the server ended, and count its restart', () => {
    const { lives, lines, supervised } = observed();
    supervised.hear({ kind: 'lost', end: 'SIGKILL' });
    expect(lines).toEqual([expect.stringMatching(/^postgres ended \(SIGKILL\) and is started again in 0\.2 s/)]);
    supervised.hear({ kind: 'restarted', afterMs: 800 });
    expect(lives.status).toMatchObject({ state: 'running', restarts: 1 });
  });
});
