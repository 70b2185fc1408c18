import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

type Files = Readonly<Record<string, string | Buffer>>;

/** A package with a node class of each name, and more files, as an ordinary tool zips it. */
export async function nodePackage(classes: readonly string[] = [], more: Files = {}): Promise<Buffer> {
  const zip = new ZipFile();
  const files = { '__init__.py': sourceOf(classes), ...more };
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return await buffer(zip.outputStream);
}

function sourceOf(classes: readonly string[]): string {
  const bodies = classes.map(
    (name) => `
class ${name}:
    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"image": ("IMAGE",), "strength": ("FLOAT", {"default": 1.0})}}
    RETURN_TYPES = ("IMAGE", "MASK")
    FUNCTION = "run"
    CATEGORY = "tests"
`,
  );
  return `${bodies.join('')}\nNODE_CLASS_MAPPINGS = {${classes.map((name) => `"${name}": ${name}`).join(', ')}}\n`;
}
