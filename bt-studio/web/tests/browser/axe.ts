// What axe finds in a page. It is put into a page once, and asked for violations alone: most of its time goes into what
// is in order, and into a page of its own for each question.

import axe from "axe-core";
import type { Page } from "playwright-core";

export interface Asked {
  /** The part of the page that is looked at; all of it if it is omitted. */
  part?: string;
  /** Only these rules. */
  rules?: string[];
}

/** The violations, each as its rule, how much it matters, and the element. */
export async function violationsIn(page: Page, { part, rules }: Asked = {}): Promise<string[]> {
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ([part, rules]) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe;
      const { violations } = await run(part ?? document, {
        resultTypes: ["violations"],
        ...(rules && { runOnly: { type: "rule", values: rules } }),
      });
      return violations.flatMap(({ id, impact, nodes }) =>
        nodes.map(({ html }) => `${id} (${impact}): ${html.slice(0, 180)}`),
      );
    },
    [part, rules] as const,
  );
}
