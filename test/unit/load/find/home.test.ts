import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { resolveHome } from '../../../../src/load/find/home.ts';

test('a given home takes the XDG folders with it', () => {
  const below = { home: '/h', configFolder: '/h/.config', stateFolder: '/h/.local/state', variables: {} };
  const env = { HOME: '/me', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' };
  expect(resolveHome({ home: '/h' }, env)).toEqual(below);
  expect(resolveHome({}, { ...env, HOOKLINE_HOME: '/h' })).toEqual(below);
  expect(resolveHome({ home: '/h' }, { HOOKLINE_HOME: '/other' })).toEqual(below);
  expect(resolveHome({ home: 'rel' }, {}).home).toBe(resolve('rel'));
});

test('otherwise the XDG variables count, if absolute, and the defaults below the home', () => {
  const given = { HOME: '/me', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' };
  expect(resolveHome({}, given)).toEqual({ home: '/me', configFolder: '/c', stateFolder: '/s', variables: given });
  expect(resolveHome({}, { HOME: '/me', XDG_CONFIG_HOME: 'c', XDG_STATE_HOME: '' })).toMatchObject({
    home: '/me',
    configFolder: '/me/.config',
    stateFolder: '/me/.local/state',
  });
  expect(resolveHome({}, { HOOKLINE_HOME: '' }).home).toBe(homedir());
});
