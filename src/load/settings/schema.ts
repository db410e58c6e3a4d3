/**
 * The JSON Schema of Hookline's own settings, for editors. Each part has the keys of the type that the loader reads by, so a setting without a meaning
 * here does not compile. The words that a value can have are those of the loader.
 */
import {
  EFFECT_FACTS,
  FILE_USES,
  type GuardOverride,
  type GuardSettings,
  PRESET_NAMES,
  PROTECTIONS,
  RULE_SEVERITIES,
} from '../../core/contracts/guard-settings.ts';
import type { JudgeBudget, JudgePrices, JudgeSettings } from '../../core/contracts/judge-settings.ts';
import type { Waiver } from '../../core/contracts/waiver.ts';
import { ENVIRONMENT_POLICIES, type EnvironmentPolicy } from '../../core/values/environment.ts';
import type { JsonObject } from '../../core/values/json.ts';
import type {
  AgentSettings,
  ApprovalSettings,
  AuditSettings,
  CheckpointSettings,
  DoctorSettings,
  HttpSettings,
  LogSettings,
  Settings,
  TrustSettings,
} from './settings.ts';

type Described<T> = { readonly [K in keyof T]-?: JsonObject };

const text = (description: string, more: JsonObject = {}): JsonObject => ({ type: 'string', description, ...more });
/** A text that is not blank. */
const words = (description: string, more: JsonObject = {}): JsonObject => text(description, { pattern: '\\S', ...more });
const texts = (description: string): JsonObject => ({ type: 'array', items: { type: 'string' }, description });
const flag = (description: string): JsonObject => ({ type: 'boolean', description });
const count = (description: string): JsonObject => ({ type: 'integer', minimum: 1, description });
const amount = (description: string): JsonObject => ({ type: 'number', minimum: 0, description });
const oneOf = (description: string, values: readonly string[]): JsonObject => ({ enum: values, description });
const day = (description: string): JsonObject => text(description, { pattern: '^\\d{4}-\\d{2}-\\d{2}', examples: ['2030-01-31'] });

function object<T>(description: string, properties: Described<T>, required: readonly string[] = []): JsonObject {
  return { type: 'object', description, properties, required, additionalProperties: false };
}

export function schema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: "Hookline's settings",
    ...object<Settings>('The settings of a user. In the settings of a project, `.hookline/settings.json`, only `guard` has an effect.', {
      dialects: texts('Load only the hooks of these formats.'),
      readAs: mapOf(text('A format.'), 'A format for each place that several formats can read.'),
      strict: flag('Whether every fault on an event that can be denied denies.'),
      maxHooks: count('The most hooks of a format that has a limit.'),
      audit: audit(),
      trust: object<TrustSettings>('The files that trust in a hook covers.', { ignores: texts('Globs of files that hooks only write.') }),
      log: log(),
      approvals: object<ApprovalSettings>('How held actions are settled.', {
        denials: oneOf('Whether an action that a person denied is denied again while its ticket lives.', ['remember', 'forget']),
        unattended: flag('Lets scripts settle, trust and prune where it is unclear whether a person acts.'),
      }),
      notify: { type: 'array', items: notifier(), description: 'Programs and addresses that tell people about held actions.' },
      interactive: oneOf('Whether a person is there when an agent asks.', ['auto', 'always', 'never']),
      store: text('The address of the store for held actions and the log.'),
      required: texts('Names of hooks that must be able to run.'),
      onError: mapOf(oneOf('The consequence.', ['pass', 'deny', 'ask']), 'The consequence of a fault, by the name or the file of a hook.'),
      shadow: texts('Hooks that run, and whose verdict is only recorded, by name or file.'),
      environment: object<EnvironmentPolicy>('Which variables hooks may see.', {
        policy: oneOf('The rule for variables.', ENVIRONMENT_POLICIES),
        names: texts('Names of variables; `*` matches any part.'),
      }),
      http: object<HttpSettings>('The addresses that hooks may call.', {
        allowAddresses: texts('Addresses, ranges and hosts that are blocked otherwise.'),
      }),
      markContext: flag('Whether context from hooks of a project is put in a frame that names them.'),
      guard: guard(),
      judge: judge(),
      doctor: object<DoctorSettings>('The agents that `hookline doctor` passes over.', {
        ignore: texts('Agents without Hookline on purpose.'),
      }),
      agent: object<AgentSettings>('`hookline agent`.', { model: text('The model, as `provider:model`.') }),
    }),
  };
}

function mapOf(values: JsonObject, description: string): JsonObject {
  return { type: 'object', additionalProperties: values, description };
}

const LOGGED = {
  record: oneOf('The entries that the log keeps.', ['off', 'asked', 'all']),
  onFailure: oneOf('The consequence if the log cannot be written.', ['keep', 'deny']),
  keepDays: count('How many days an entry is kept.'),
};

function log(): JsonObject {
  const webhook = {
    type: 'object',
    required: ['url'],
    properties: { url: text('The address.') },
    description: 'An address for checkpoints.',
  };
  return object<LogSettings>('The log of decisions.', {
    ...LOGGED,
    checkpoints: object<CheckpointSettings>('Where checkpoints of the log are sent.', {
      file: text('A file, to which each checkpoint is appended.'),
      webhook,
      store: text('The address of another store.'),
    }),
  });
}

function audit(): JsonObject {
  const old = (setting: JsonObject): JsonObject => ({ ...setting, deprecated: true });
  const waiver = object<Waiver>(
    'A risk that you accept until a day.',
    {
      hook: words('The name or the digest of a hook.'),
      rules: { ...texts('The rules of the audit.'), minItems: 1 },
      reason: words('Why you accept it.'),
      expires: day('The last day, as an ISO date.'),
    },
    ['hook', 'rules', 'reason', 'expires'],
  );
  return object<AuditSettings>('The audit of hooks.', {
    record: old(LOGGED.record),
    onFailure: old(LOGGED.onFailure),
    keepDays: old(LOGGED.keepDays),
    allowSkip: flag('Whether hooks may run without an audit.'),
    // Comments and other keys of a waiver are no mistake.
    waivers: { type: 'array', items: { ...waiver, additionalProperties: true }, description: 'Findings that you accept.' },
  });
}

function notifier(): JsonObject {
  const timeoutMs = amount('The most milliseconds.');
  const one = (type: string, needed: string | undefined, properties: JsonObject): JsonObject => ({
    type: 'object',
    properties: { type: { const: type, description: 'The kind of notifier.' }, ...properties },
    required: ['type', ...(needed === undefined ? [] : [needed])],
  });
  return {
    anyOf: [
      one('desktop', undefined, { timeoutMs }),
      one('command', 'command', { command: text('A command that gets the notice as its input.'), timeoutMs }),
      one('webhook', 'url', {
        url: text('The address, or `env:NAME`.'),
        secret: { description: 'The key that signs requests.' },
        timeoutMs,
      }),
    ],
  };
}

type WrittenGuard = Pick<GuardSettings, 'preset' | 'packs' | 'overrides' | 'protect' | 'rules'>;

function guard(): JsonObject {
  const override = object<GuardOverride>(
    'Disables a rule for some commands or files until a day.',
    {
      rule: words('The rule, as `hookline guard rules` lists it.'),
      command: text('The command as `hookline guard explain` shows it; `*` matches any text.'),
      path: text('The file that a tool would touch; `*` matches any text.'),
      reason: words('Why.'),
      expires: day('The last day, as an ISO date.'),
    },
    ['rule', 'reason', 'expires'],
  );
  return object<WrittenGuard>('The guard.', {
    preset: oneOf('How strict it is.', PRESET_NAMES),
    packs: texts('Rules for special environments, as `hookline guard rules` lists them.'),
    overrides: { type: 'array', items: override, description: 'Exceptions from rules.' },
    protect: {
      ...mapOf(protection(), 'Decisions on reading, writing and deleting files, by the glob of their paths.'),
      propertyNames: { pattern: '^(?=.*\\S)[^\\[\\]{}!\\\\]+$' },
    },
    rules: {
      type: 'array',
      items: { anyOf: [text('A YAML file with rules, relative to the settings.', { minLength: 1 }), rule()] },
      description: 'Rules of your own, and files with such rules.',
    },
  });
}

function examples(required: readonly string[]): JsonObject {
  const commands = (description: string): JsonObject => ({ ...texts(description), minItems: 1 });
  const properties = { block: commands('Commands that it stops.'), allow: commands('Commands that it does not stop.') };
  return object<typeof properties>('Commands that `hookline guard test` judges.', properties, required);
}

function protection(): JsonObject {
  const uses = Object.fromEntries(FILE_USES.map((use) => [use, oneOf(`The decision if an action would ${use} the file.`, PROTECTIONS)]));
  const properties = { ...uses, reason: words('Why.'), instead: words('The alternative.'), tests: examples([]) };
  return { ...object('The decision on each use.', properties), anyOf: FILE_USES.map((use) => ({ required: [use] })) };
}

/** A rule can only ask for the facts that its effect has. */
function rule(): JsonObject {
  const condition = { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'array', items: { type: 'string' }, minItems: 1 }] };
  const facts = (known: readonly string[]): JsonObject =>
    Object.fromEntries(known.map((fact) => [fact, { ...condition, description: `The fact \`${fact}\`; \`*\` matches any text.` }]));
  const perEffect = Object.entries(EFFECT_FACTS).map(([effect, known]): JsonObject => {
    const properties = { effect: { const: effect, description: 'The effect of the action.' }, ...facts(known) };
    const unless = { type: 'object', properties, additionalProperties: false };
    return {
      properties: {
        match: { type: 'object', properties, required: ['effect'], additionalProperties: false, description: 'When the rule applies.' },
        unless: { anyOf: [unless, { type: 'array', items: unless }], description: 'When it does not.' },
      },
    };
  });
  const properties = {
    id: words('Its name, in lower case with hyphens.', { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
    severity: oneOf('How severe it is.', RULE_SEVERITIES),
    match: { type: 'object', description: 'When the rule applies.' },
    unless: { type: ['object', 'array'], description: 'When it does not.' },
    reason: words('Completes "This action …".'),
    instead: words('The alternative.'),
    tests: examples(['block', 'allow']),
  };
  return { ...object('A rule.', properties, ['id', 'severity', 'match', 'reason', 'instead', 'tests']), anyOf: perEffect };
}

function judge(): JsonObject {
  return object<JudgeSettings>(
    'The model that answers `prompt` and `agent` hooks.',
    {
      model: text('The model, as `provider:model`.', { pattern: '^[^:\\s]+:\\S' }),
      maxTokens: count('The most tokens of one answer.'),
      maxEventBytes: count('The most bytes of an event.'),
      maxSteps: count('How often the model may be asked for one verdict.'),
      budget: object<JudgeBudget>('The most that a session may cost.', {
        tokens: count('Tokens that are read and written together.'),
        money: amount('An amount; it needs `prices`.'),
      }),
      prices: object<JudgePrices>('The prices of a million tokens.', { input: amount('Of the event.'), output: amount('Of the answer.') }),
    },
    ['model'],
  );
}
