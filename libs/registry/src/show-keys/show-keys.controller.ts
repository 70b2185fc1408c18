import { Controller, Get } from '@nestjs/common';
import { VersionSigner } from '../sign-versions/version-signer.js';
import type { PublicKeyWire } from '../sign-versions/version-signer.js';

@Controller('keys')
export class ShowKeysController {
  constructor(private readonly signer: VersionSigner) {}

  @Get()
  handle(): { readonly keys: readonly PublicKeyWire[] } {
    return { keys: this.signer.publicKeys() };
  }
}
