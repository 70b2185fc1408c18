/** Data of an answer of the HTTP API; `path` is below `/api/v1/`. Rejects with what Prometheus says. */
export async function askPrometheus<Data>(url: string, path: string): Promise<Data> {
  const answer = await fetch(`${url.replace(/\/+$/, '')}/api/v1/${path}`).catch((error: unknown) => {
    throw new Error(`no answer from ${url}: ${reasonOf(error)}`);
  });
  const body = bodyOf(await answer.text());
  if (body?.error !== undefined) throw new Error(`${url} answers: ${body.error}`);
  if (body?.data === undefined) throw new Error(`${url} is not a Prometheus: it answers ${answer.status}`);
  return body.data as Data;
}

function bodyOf(text: string): { readonly data?: unknown; readonly error?: string } | null {
  try {
    return JSON.parse(text) as { data?: unknown; error?: string };
  } catch {
    return null;
  }
}

/** Fetch hides the reason in `cause`. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
