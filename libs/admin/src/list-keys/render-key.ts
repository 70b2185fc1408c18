import type { IssuedKey, KeyView } from '@heddle/contracts-messages';

/** A key as the commands print it; every key of the object is always there (accounts, Command). */
export function keyWire(view: KeyView, key: string | null = null): object {
  return {
    key,
    key_id: view.keyId,
    account: view.account,
    name: view.name,
    scopes: view.scopes,
    created_at: view.createdAt,
    expires_at: view.expiresAt,
    last_used_at: view.lastUsedAt,
    revoked_at: view.revokedAt,
    replaces: view.replaces,
  };
}

export function renderKey(view: KeyView): string {
  return JSON.stringify(keyWire(view));
}

/** The only answers that contain a key. `note` is there if there is something to say. */
export function renderIssuedKey({ key, view, isNewAccount }: IssuedKey): string {
  const note = isNewAccount ? `There was no account ${view.account}: it was made with this key.` : undefined;
  return JSON.stringify({ ...keyWire(view, key.reveal()), note });
}
