/** Who acted. Hookline finds this out itself; a name that a person gives is kept next to it and never replaces it. */

/** The agent that fired an event, as far as its call shows it. */
export interface Caller {
  /** The id of the host; absent if a program fired the event itself. */
  readonly host?: string;
  /** The version of the host, if it says it. */
  readonly hostVersion?: string;
  /** The name or id of the subagent that acts, if the host says it. */
  readonly agent?: string;
  /** The session or agent that started this one, if the host says it. */
  readonly parent?: string;
}

export interface Who extends Caller {
  /** The name of the account, and its id: the uid, or the name once more where there is none. */
  readonly osUser: string;
  readonly userId: string;
  /** The id is made once for each state folder, so it is stable and says nothing of the hardware. */
  readonly machine: { readonly id: string; readonly name: string };
  readonly project: Project;
  /** The id of one log of one account on one machine. Absent in entries of older versions, and if nothing outlives the process. */
  readonly origin?: string;
}

export interface Project {
  readonly root: string;
  /** The address of the repository, without user information. */
  readonly remote?: string;
  /** The commit that is checked out. */
  readonly commit?: string;
}

/** Whether a person or an agent gave a command that only a person may give, or whether that is unclear. */
export type Finding = 'person' | 'agent' | 'unclear';

/** The one who gave such a command, and how that was found out. */
export interface Actor {
  readonly finding: Finding;
  /** The facts that were found, as sentences: `An agent (process 4711) is above this command`. */
  readonly evidence: readonly string[];
  /** The way that was used: `cli`, `api`, `web`. */
  readonly via: string;
  /** Why it was permitted if the finding alone does not permit it; absent if it does, or if it was refused. */
  readonly by?: 'secret' | 'unattended' | 'embedding';
}

/** A program that embeds Hookline acts with its own authority. */
export const EMBEDDING: Actor = { finding: 'unclear', evidence: ['A program that embeds Hookline did it.'], via: 'api', by: 'embedding' };

/** Returns the account and its machine in words: `ann on laptop`. */
export function accountText({ osUser, machine }: Pick<Who, 'osUser' | 'machine'>): string {
  return `${osUser} on ${machine.name}`;
}

/** Returns the agent in words: `an-agent 2.1, reviewer, started by main`. Empty if a program fired the event itself. */
export function agentText({ host, hostVersion, agent, parent }: Caller): string {
  const product = [host, hostVersion].filter((part) => part !== undefined).join(' ');
  return [product, agent, parent === undefined ? '' : `started by ${parent}`]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');
}

/** The first digits of a commit tell it apart from the others of its repository. */
const SHORT_COMMIT = 12;

/** Returns the repository of a project in words: `https://example.com/x.git at 0123456789ab`. Empty if there is none. */
export function repositoryText({ remote, commit }: Project): string {
  const at = commit === undefined ? '' : `at ${commit.slice(0, SHORT_COMMIT)}`;
  return [remote ?? '', at].filter((part) => part !== '').join(' ');
}
