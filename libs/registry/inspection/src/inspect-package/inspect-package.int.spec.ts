import { mkdtempSync, rmSync } from 'node:fs';
import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { inspectPackage } from './inspect-package.js';

const MAPPING = 'class A:\n    RETURN_TYPES = ()\nNODE_CLASS_MAPPINGS = {"a": A}\n';

describe('an inspection', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'heddle-inspect-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const pack = async (name: string, texts: Readonly<Record<string, string>>): Promise<string> => {
    const zip = new ZipFile();
    for (const [path, text] of Object.entries(texts)) zip.addBuffer(Buffer.from(text), path);
    zip.end();
    const path = join(folder, name);
    await pipeline(zip.outputStream, createWriteStream(path));
    return path;
  };

  it('gives the findings and the classes; several wait for each other', async () => {
    const good = await pack('good.zip', { 'pack/__init__.py': MAPPING });
    const bad = await pack('bad.zip', {
      'pack/__init__.py': `import base64\nexec(base64.b64decode("eA=="))\n${MAPPING}`,
    });
    const [one, other] = await Promise.all([inspectPackage(good), inspectPackage(bad)]);
    expect(one).toMatchObject({ findings: [], extraction: { status: 'success', nodes: [{ wf_node_name: 'a' }] } });
    expect(other.findings).toMatchObject([{ issue_type: 'decoded-exec', line_number: 2 }]);
    expect(other.extraction.status).toBe('success');
  });

  it('finds secrets in text of every kind, and nothing in what is no text', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(3)}\n`;
    const token = `ghp_${'aB3dE5gH7jK9'.repeat(3)}`;
    const path = await pack('secrets.zip', {
      'pack/__init__.py': MAPPING,
      'pack/key.pem': key,
      'pack/.env': `A=1\nTOKEN=${token}\n`,
      'pack/web/a.js': `const token = "${token}";`,
      'pack/sub/pyproject.toml': `token = "${token}"`,
      'pack/README.md': 'No secret.',
      'pack/picture.bin': `\0${token}`,
    });
    const { findings, extraction } = await inspectPackage(path);
    expect(
      findings.map(({ issue_type, file_path, line_number }) => `${issue_type} ${file_path}:${line_number}`),
    ).toEqual([
      'secret pack/key.pem:1',
      'secret pack/.env:2',
      'secret pack/web/a.js:1',
      'secret pack/sub/pyproject.toml:1',
    ]);
    expect(JSON.stringify(findings)).not.toContain(token);
    // Without one top folder, this file does not belong to the root.
    const flat = await pack('flat.zip', { '__init__.py': MAPPING, 'sub/node_list.json': `{"a": "${token}"}` });
    expect((await inspectPackage(flat)).findings).toMatchObject([
      { issue_type: 'secret', file_path: 'sub/node_list.json' },
    ]);
    expect(extraction).toMatchObject({ status: 'success', nodes: [{ wf_node_name: 'a' }] });
  });

  it('rejects a file that cannot be read, and goes on with the next one', async () => {
    await expect(inspectPackage(join(folder, 'none.zip'))).rejects.toThrow(/ENOENT/);
    const good = await pack('next.zip', { '__init__.py': MAPPING });
    expect((await inspectPackage(good)).extraction.status).toBe('success');
  });

  it('ends when it is told to stop, and the next one runs', async () => {
    const good = await pack('stopped.zip', { '__init__.py': MAPPING });
    const stop = new AbortController();
    const stopped = inspectPackage(good, { stop: stop.signal });
    stop.abort();
    await expect(stopped).rejects.toThrow('aborted');
    expect((await inspectPackage(good)).extraction.status).toBe('success');
  });

  it('on whose contents the parser aborts ends with a blocking finding, and the next one runs', async () => {
    const path = await pack('deep.zip', { 'pack/__init__.py': `x=${'('.repeat(400_000)}1${')'.repeat(400_000)}` });
    const { findings, extraction } = await inspectPackage(path);
    expect(findings.some(({ severity }) => severity === 'block')).toBe(true);
    expect(extraction.status).toBe('failed');
    const good = await pack('after-deep.zip', { 'pack/__init__.py': MAPPING });
    expect((await inspectPackage(good)).extraction.status).toBe('success');
  });

  it('that takes too long ends with a blocking finding and the reason, and the next one runs', async () => {
    const modules = Array.from({ length: 1_000 }, (_, index) => [`m${index}.py`, moduleOf(index)] as const);
    const slow = await pack('slow.zip', Object.fromEntries(modules));
    const start = performance.now();
    const { findings, extraction } = await inspectPackage(slow, { milliseconds: 100 });
    expect(performance.now() - start).toBeLessThan(5_000);
    // Either the scan notices that its time is over, and has a finding for each file that is left, or the thread is ended.
    const kinds = new Set(findings.map(({ issue_type, severity }) => `${issue_type} ${severity}`));
    expect([...kinds]).toEqual(['archive block']);
    for (const { message } of findings) expect(message).toMatch(/takes more than 0.1 s|^Was not scanned/);
    expect(extraction.status).toBe('failed');
    const good = await pack('after.zip', { '__init__.py': MAPPING });
    expect((await inspectPackage(good)).extraction.status).toBe('success');
  });

  it('of 1,000 files with a class each finds all, and the process grows by less than 256 MiB', async () => {
    const nodes = Array.from({ length: 1_000 }, (_, index) => [`n${index}.py`, moduleOf(index)] as const);
    const root = nodes.map(
      ([path]) => `from . import ${path.slice(0, -3)}\nNODE_CLASS_MAPPINGS.update(${path.slice(0, -3)}.M)\n`,
    );
    const path = await pack('many.zip', {
      '__init__.py': `NODE_CLASS_MAPPINGS = {}\n${root.join('')}`,
      ...Object.fromEntries(nodes),
    });
    // The thread is warm, as in a service that has had its first package.
    await inspectPackage(await pack('warm.zip', { '__init__.py': MAPPING }));
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
    const { extraction } = await inspectPackage(path, { milliseconds: 60_000 });
    clearInterval(watch);
    expect(extraction.nodes).toHaveLength(1_000);
    expect(most - before).toBeLessThan(256 * 1024 * 1024);
  });
});

const moduleOf = (index: number): string => `class N${index}:
    RETURN_TYPES = ("IMAGE",)
    FUNCTION = "run"
    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"image": ("IMAGE",), "n": ("INT", {"default": ${index}, "min": 0, "max": 1000})}}
    def run(self, image, n):
        for step in range(n):
            image = image * 2 + step
        return (image,)
M = {"N${index}": N${index}}
`;
