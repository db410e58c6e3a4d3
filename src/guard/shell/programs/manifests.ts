/** The parts of a container's description with which it can change the machine that it runs on: in YAML, in JSON and in HCL. */

/** The words of a description, and what they give. */
const GRANTS: readonly (readonly [what: string, words: RegExp])[] = [
  ['a privileged container', /\bprivileged["']?\s*[:=]\s*["']?true\b/i],
  ['the processes or the network of the machine', /\bhost(?:PID|IPC)["']?\s*:\s*["']?true\b|\b(?:pid|ipc)["']?\s*:\s*["']?host\b/],
  [
    'a folder of the system',
    /\bhostPath["']?\s*:\s*(?:\{\s*)?["']?path["']?\s*:\s*["']?(?:\/["'\s,}]|\/(?:etc|root|home|boot|usr|var|proc|sys|dev|run|var\/run|var\/lib\/(?:kubelet|docker))\/?["'\s,}]|[^\s"']*docker\.sock)/,
  ],
  ['a folder of the system', /(?:^|[\s"'[,])(?:\/|\/(?:etc|root|home|boot|usr|proc|sys|dev)\/?|\/var\/run\/docker\.sock|~):\/[\w/.-]*/m],
  ['a folder of the system', /\bsource["']?\s*:\s*["']?(?:\/(?:etc|root|home|boot|usr)?\/?|\/var\/run\/docker\.sock)["']?\s*(?:[,}\n]|$)/],
  ['programs of the machine', /\bdriver["']?\s*[:=]\s*["']?raw_exec\b/],
];
const MOST_TEXT = 64 * 1024;

/** Returns what a description gives to its containers of the machine. */
export function manifestGrants(text: string): readonly string[] {
  const read = text.slice(0, MOST_TEXT);
  return GRANTS.flatMap(([what, words]) => (words.test(read) ? [what] : []));
}
