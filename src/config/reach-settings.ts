/** The settings about what hooks may see of this machine and reach from it. */
import { ENVIRONMENT_POLICIES, type EnvironmentPolicy } from '../core/environment.ts';
import { readMap, readOneOf, readWords } from './settings-values.ts';

export interface HttpSettings {
  /** Addresses, ranges and host names that HTTP hooks may ask although their kind may not. */
  readonly allowAddresses?: readonly string[];
}

export const readEnvironment = readMap<Partial<EnvironmentPolicy>>({ policy: readOneOf(ENVIRONMENT_POLICIES), names: readWords });

export const readHttp = readMap<HttpSettings>({ allowAddresses: readWords });
