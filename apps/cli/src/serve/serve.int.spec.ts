import { expect, it } from 'vitest';
import { runHeddle } from '../heddle-process.fixture.js';

it('prints a JSON line for a start that fails, and says it once', async () => {
  const words = ['serve', '--port', 'abc', '--stop-s', 'never'];
  const plain = await runHeddle(words, {});
  expect({ code: plain.code, out: plain.out }).toEqual({ code: 2, out: '' });
  const { code, err, lines } = await runHeddle([...words, '--json'], {});
  expect({ code, err }).toEqual({ code: 2, err: plain.err });
  const message = plain.err.replace(/^heddle: /gm, '').trimEnd();
  expect(message).toContain('--port');
  expect(lines()).toEqual([{ event: 'error', error: { code: 'usage', message } }]);
});
