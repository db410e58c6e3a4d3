/** What is wrong with a page for people who do not see it, or not as others do, by the rules of WCAG 2.1 AA. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const RUN = "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })";

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Returns the violations, and by how many pixels the page is wider than its window. */
export async function lookAt(page: Page): Promise<{ readonly problems: readonly string[]; readonly wider: number }> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(RUN)) as { readonly violations: readonly Violation[] };
  const wider = (await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')) as number;
  const problems = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
  );
  return { problems, wider };
}
