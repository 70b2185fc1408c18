export { PartnerProxySettings } from './settings.js';
