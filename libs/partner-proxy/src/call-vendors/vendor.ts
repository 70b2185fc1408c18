import type { TaskState } from '@heddle/partner-proxy-domain';
import { isJsonObject } from '@heddle/platform-http';

/** A result that the client may fetch. An upscaled image has a URL alone. */
export interface Creation {
  readonly id: string;
  readonly url: string;
  readonly coverUrl: string;
}

/** What a vendor says of a task. */
export interface VendorReport {
  readonly state: TaskState;
  /** In Heddle's words; "" unless it failed. */
  readonly errCode: string;
  readonly creations: readonly Creation[];
}

/** The status calls of a vendor, whatever its tasks are. No suite: each vendor has a protocol of its own. */
export interface TaskSource {
  /** @throws VendorFaultError, `unknown` where the vendor has forgotten the task */
  read(vendorTaskId: string): Promise<VendorReport>;
}

/** Ids and URLs stand in paths and in answers. */
export function isVendorTaskId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,128}$/.test(value);
}

/** A URL of a result: http(s), of a length that an answer can carry. */
export function isResultUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 4_096) return false;
  const url = URL.parse(value);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}

export function recordIn(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}
