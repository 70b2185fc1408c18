import { empty, json, serverError, type HttpAnswer } from '../http/answer.js';
import type { Call } from '../http/call.js';
import { isFolderType, type ServedFolders } from './engine-folders.js';
import { maskedOriginal } from './masked-original.js';
import { UploadStore, type Upload } from './store-upload.js';

/** `POST /upload/image` and `/upload/mask` (engine.md 1, Files). */
export class UploadRoutes {
  private readonly store: UploadStore;

  constructor(private readonly folders: ServedFolders) {
    this.store = new UploadStore(folders);
  }

  async image(call: Call): Promise<HttpAnswer> {
    const { upload } = await this.read(call);
    return 'status' in upload ? upload : this.keep(upload);
  }

  /** Combines the upload's alpha with the colours of a stored image. */
  async mask(call: Call): Promise<HttpAnswer> {
    const { upload, fields } = await this.read(call);
    if ('status' in upload) return upload;
    const bytes = await maskedOriginal(upload.bytes, fields.get('original_ref'), this.folders);
    return bytes instanceof Uint8Array ? this.keep({ ...upload, bytes }) : bytes;
  }

  private async read(call: Call): Promise<{ upload: Upload | HttpAnswer; fields: ReadonlyMap<string, string> }> {
    const body = await call.body();
    const type = call.header('content-type') ?? '';
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
    const fields = new Map<string, string>();
    for (const [name, value] of form) if (typeof value === 'string') fields.set(name, value);
    const file = form.get('image');
    const folder = fields.get('type') ?? 'input';
    const refused = (upload: HttpAnswer): { upload: HttpAnswer; fields: typeof fields } => ({ upload, fields });
    // The engine looks up the folder of an unknown type and fails with an exception.
    if (!isFolderType(folder)) return refused(serverError());
    if (file === null || typeof file === 'string' || file.name === '') return refused(empty(400));
    const upload: Upload = {
      name: file.name,
      type: folder,
      subfolder: fields.get('subfolder') ?? '',
      overwrite: ['true', '1'].includes(fields.get('overwrite') ?? ''),
      bytes: new Uint8Array(await file.arrayBuffer()),
    };
    return { upload, fields };
  }

  private async keep(upload: Upload): Promise<HttpAnswer> {
    const stored = await this.store.store(upload);
    return stored === null ? empty(400) : json({ ...stored });
  }
}
