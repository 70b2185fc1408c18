import { describe, expect, it } from 'vitest';
import { transcriptOf, withTranscript } from './transcript-block.ts';
import { formOf } from './run-blocks.ts';
import { Screen } from './screen.ts';

describe('the screen of a transcript', () => {
  it('shows what was drawn last', () => {
    const screen = new Screen();
    screen.write('first\n\r\u001b[2Kbar 1\n\u001b[2Kbar 2\n\u001b[0J');
    screen.write('\u001b[2A\r\u001b[2K\u001b[32mdone\u001b[0m\n\u001b[0Jlast\n');
    expect(screen.text()).toBe('first\ndone\nlast');
  });
});

describe('the form of a transcript', () => {
  it('forgets ids, times and hashes, and nothing else', () => {
    const one =
      'job 0199f2a4 ██ 100 %  succeeded, 1.2 s\n8  image  1.0 KiB  af1349b9f5f9  results/glow.png\n0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10';
    const other =
      'job 0199aaaa ██ 100 %  succeeded, 840 ms\n8  image  1.0 KiB  000000000000  results/glow.png\n0199f2a4-7c11-7d9e-a1f0-000000000000';
    expect(formOf(one)).toBe(formOf(other));
    expect(formOf(one)).not.toBe(formOf(one.replace('glow', 'glare')));
  });
});

describe('the place of a transcript in a page', () => {
  const page =
    '# Heddle\n\n<!-- transcript: node tools/record-transcript.ts --write -->\nold\n<!-- end of transcript -->\n\nmore\n';

  it('holds what was put there', () => {
    const written = withTranscript(page, '$ heddle run\ndone');
    expect(transcriptOf(written)).toBe('$ heddle run\ndone');
    expect(withTranscript(written, 'again')).toContain('\n\nmore\n');
    expect(transcriptOf('no place')).toBe(null);
    expect(() => withTranscript('no place', 'x')).toThrow('no place');
  });
});
