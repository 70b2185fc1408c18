import { Controller, Get } from '@nestjs/common';
import { REGISTRY_ROUTES, registryDocument } from '@heddle/contracts-registry';
import { OwnAddress } from '@heddle/platform-http';

@Controller('openapi.json')
export class ShowDocumentController {
  /** Of the routes below the address of the registry, those of the partner proxy too. */
  @Get()
  handle(@OwnAddress() url: string): object {
    return registryDocument(url, REGISTRY_ROUTES);
  }
}
