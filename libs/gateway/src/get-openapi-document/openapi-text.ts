import { Injectable } from '@nestjs/common';
import { openApiDocument, routesOf } from '@heddle/contracts-api-v2';
import { GatewaySettings } from '../settings.js';

/** The document of this surface as JSON, written at the first request. */
@Injectable()
export class OpenApiText {
  #text: string | null = null;

  constructor(private readonly settings: GatewaySettings) {}

  read(): string {
    this.#text ??= JSON.stringify(openApiDocument(this.settings, routesOf(this.settings.surface === 'self-hosted')));
    return this.#text;
  }
}
