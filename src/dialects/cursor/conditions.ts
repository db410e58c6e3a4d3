/** When a hook applies: on what its event is about, and by its matcher, which looks at something else on every family of events. */
import type { LoadContext } from '../../core/dialect.ts';
import type { Facet } from '../../core/facet.ts';
import type { Condition } from '../../core/hook.ts';
import { type Complaints, type Group, isUsable } from '../../core/loading.ts';
import { type EventName, profile } from './profile.ts';
import { MCP_TOOLS, mcpMatcher, TOOL_EVENTS } from './tools.ts';

/** Events whose matcher is held against a word that never changes. */
const CONSTANTS: { readonly [K in EventName]?: string } = {
  beforeReadFile: 'Read',
  afterFileEdit: 'Write',
  beforeTabFileRead: 'TabRead',
  afterTabFileEdit: 'TabWrite',
  beforeSubmitPrompt: 'UserPromptSubmit',
  stop: 'Stop',
  afterAgentResponse: 'AgentResponse',
  afterAgentThought: 'AgentThought',
};

/** Undefined if the hook can't be used, or never fires: that has then been said. */
export function conditionsFor(
  event: EventName,
  matcher: Group['matcher'],
  context: LoadContext,
  complaints: Complaints,
): readonly Condition[] | undefined {
  const about = aboutTool(event);
  if (!matcher || matcher.source === '*') return about;
  const pattern = patternIn(matcher.source);
  if (!pattern) {
    const message = `The matcher \`${matcher.source}\` is no regular expression: the hook fires every time.`;
    complaints.say('warning', 'matcher-ignored', matcher.at, message, 'Mend it, or leave `matcher` out.');
    return about;
  }
  const source = event.includes('MCP') ? mcpMatcher(matcher.source) : matcher.source;
  if (!isUsable(matcher, context.checkPattern(source), complaints)) return undefined;
  const word = CONSTANTS[event];
  if (word !== undefined) return matchesWord(pattern, word, event, matcher, complaints) ? about : undefined;
  const facet: Facet | null = profile.events[event].facet;
  if (facet === null) {
    const message = `${event} has nothing to match, so the matcher is not looked at: the hook always fires.`;
    complaints.say('info', 'matcher-ignored', matcher.at, message);
    return about;
  }
  const { anchor, missingFacet: missing } = profile.match;
  return [...about, { facet, test: { kind: 'pattern', source, anchor }, missing }];
}

function aboutTool(event: EventName): Condition[] {
  const names = TOOL_EVENTS[event]?.names;
  if (names) return [{ facet: 'tool', test: { kind: 'oneOf', values: names }, missing: 'fails' }];
  if (!event.includes('MCP')) return [];
  return [{ facet: 'tool', test: { kind: 'pattern', source: MCP_TOOLS, anchor: 'search' }, missing: 'fails' }];
}

function patternIn(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}

/** The words are short, so even a pattern that backtracks is done at once. */
function matchesWord(
  pattern: RegExp,
  word: string,
  event: EventName,
  { at }: NonNullable<Group['matcher']>,
  complaints: Complaints,
): boolean {
  if (pattern.test(word)) return true;
  const message = `The matcher of a hook on ${event} is held against \`${word}\`, which it does not match: the hook never fires.`;
  complaints.say('warning', 'matcher-never-fires', at, message, `Leave \`matcher\` out, or write \`${word}\`.`);
  return false;
}
