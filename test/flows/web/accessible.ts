/** What is wrong with a page for people who do not see it, or not as others do, by the rules of WCAG 2.1 AA. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const RUN = "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })";

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/**
 * Boxes whose content is wider than they are, so that a part of it is cut off, or is seen only by scrolling sideways. The page itself hides what is
 * too wide, so its own width says nothing. Text that ends in an ellipsis and tables with a scroll bar of their own are meant so.
 */
const CUT = `[...document.querySelectorAll('body, body *')]
  .filter((box) => {
    const { overflowX, textOverflow, clipPath } = getComputedStyle(box);
    return box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0 && overflowX !== 'visible' && textOverflow !== 'ellipsis' &&
      clipPath === 'none' && !box.matches('.tbl-box, .sr, svg, svg *');
  })
  .map((box) => {
    const end = box.getBoundingClientRect().right;
    const hides = (one) => one !== box && (getComputedStyle(one).overflowX !== 'visible' || hides(one.parentElement));
    const first = [...box.querySelectorAll('*')].find((one) => one.getBoundingClientRect().right > end + 1 && !hides(one.parentElement));
    return [box, first].map((one) => one && one.tagName + '.' + one.className).join(' > ') + ' ' + (box.scrollWidth - box.clientWidth);
  })`;

export async function cutOff(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(CUT)) as readonly string[];
}

/** Returns the violations, and the boxes that are too narrow for what they contain. */
export async function lookAt(page: Page): Promise<{ readonly problems: readonly string[]; readonly cut: readonly string[] }> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(RUN)) as { readonly violations: readonly Violation[] };
  const problems = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
  );
  return { problems, cut: await cutOff(page) };
}
