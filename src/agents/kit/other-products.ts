/** Products that Hookline recognises, because they start commands or read the files of other agents, but does not answer. */
import type { OtherProduct, Signs } from '../../core/contracts/host.ts';

export const OTHER_PRODUCTS: readonly OtherProduct[] = [
  {
    id: 'vscode',
    title: 'VS Code',
    folder: '.vscode',
    eventKey: 'hookEventName',
    signs: {
      payload: [],
      env: [],
      markers: [],
      project: null,
      programs: [],
      editors: ['code', 'code-insiders', 'codium', 'Code', 'Visual Studio Code.app', '.vscode-server'],
    },
    unleashed: null,
    alsoReads: [
      { host: 'claude-code', scopes: ['user', 'project'] },
      { host: 'copilot', scopes: ['user', 'project'] },
    ],
  },
  {
    id: 'augment',
    title: 'Augment',
    folder: null,
    eventKey: null,
    signs: {
      payload: [],
      env: [],
      markers: ['AUGMENT_HOOK_EVENT'],
      project: 'AUGMENT_PROJECT_DIR',
      programs: ['auggie', '@augmentcode/auggie'],
      editors: [],
    },
    unleashed: null,
    alsoReads: [],
  },
  {
    id: 'crush',
    title: 'Crush',
    folder: null,
    eventKey: null,
    signs: { payload: [], env: [], markers: ['CRUSH'], project: 'CRUSH_PROJECT_DIR', programs: ['crush'], editors: [] },
    unleashed: { words: ['--yolo', '-y'], env: {} },
    alsoReads: [],
  },
  {
    id: 'continue',
    title: 'Continue',
    folder: null,
    eventKey: null,
    signs: { payload: [], env: [], markers: [], project: 'CONTINUE_PROJECT_DIR', programs: ['@continuedev/cli'], editors: [] },
    unleashed: { words: ['--auto', '--allow *'], env: {} },
    alsoReads: [],
  },
];

/** Products of which Hookline knows no more than the names of their programs, and how they are started without their questions. */
export const OTHER_PROGRAMS: readonly ({ readonly title: string } & Pick<Signs, 'programs' | 'editors'> &
  Pick<OtherProduct, 'unleashed'>)[] = [
  {
    title: 'Aider',
    programs: ['aider', 'aider-chat'],
    editors: [],
    unleashed: { words: ['--yes-always', '--yes'], env: { AIDER_YES_ALWAYS: ['*'] } },
  },
  { title: 'Amp', programs: ['amp', '@sourcegraph/amp'], editors: [], unleashed: { words: ['--dangerously-allow-all'], env: {} } },
  { title: 'Goose', programs: ['goose', 'goosed'], editors: [], unleashed: { words: [], env: { GOOSE_MODE: ['auto'] } } },
  {
    title: 'Amazon Q',
    programs: ['qchat', 'kiro-cli'],
    editors: ['kiro', 'Kiro.app'],
    unleashed: { words: ['--trust-all-tools'], env: {} },
  },
  { title: 'OpenHands', programs: ['openhands'], editors: [], unleashed: { words: ['--always-approve', '--llm-approve'], env: {} } },
  { title: 'Plandex', programs: ['plandex'], editors: [], unleashed: null },
  { title: 'Junie', programs: ['junie'], editors: [], unleashed: null },
  { title: 'Kilo Code', programs: ['kilo', 'kilocode', '@kilocode/cli'], editors: [], unleashed: { words: ['--auto'], env: {} } },
  {
    title: 'Open Interpreter',
    programs: ['interpreter', 'open-interpreter'],
    editors: [],
    unleashed: { words: ['-y', '--auto_run'], env: {} },
  },
  { title: 'Zed', programs: [], editors: ['zed', 'zed-editor', 'Zed.app', '.zed_server'], unleashed: null },
  { title: 'Warp', programs: [], editors: ['warp', 'warp-terminal', 'Warp.app'], unleashed: null },
  { title: 'Antigravity', programs: [], editors: ['antigravity', 'Antigravity.app'], unleashed: null },
  {
    title: 'A JetBrains editor',
    programs: [],
    editors: [
      'idea',
      'pycharm',
      'webstorm',
      'phpstorm',
      'goland',
      'rubymine',
      'clion',
      'rider',
      'rustrover',
      'datagrip',
      'studio',
      'fleet',
    ],
    unleashed: null,
  },
];
