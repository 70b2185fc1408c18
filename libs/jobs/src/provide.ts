import type { InjectionToken, Provider } from '@nestjs/common';

type Token<T> = (abstract new (...args: never[]) => T) | TypedToken<T>;

/** A token for what is no class of ours; its type travels with it. */
export interface TypedToken<T> {
  readonly symbol: symbol;
  readonly type?: T;
}

/** A class as its own token, with what its constructor takes: the compiler holds the list against the constructor. */
export function provide<Args extends readonly unknown[], T>(
  type: new (...args: [...Args]) => T,
  ...tokens: { readonly [At in keyof Args]: Token<Args[At]> }
): Provider {
  const inject = tokens.map((token) => injectionToken(token as Token<unknown>));
  return { provide: type, inject, useFactory: (...args: unknown[]) => new type(...(args as [...Args])) };
}

function injectionToken(token: Token<unknown>): InjectionToken {
  return typeof token === 'function' ? token : token.symbol;
}
