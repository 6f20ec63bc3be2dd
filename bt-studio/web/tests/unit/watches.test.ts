import { expect, it } from "vitest";
import { MOST_WATCHED, unwatched, watched } from "../../src/model/watches.ts";

it("an expression is watched once, at the end of the list, which keeps the latest", () => {
  expect(watched(["$a", "$b"], "$a")).toEqual(["$b", "$a"]);
  expect(unwatched(["$a", "$b"], "$a")).toEqual(["$b"]);
  const many = [...Array(MOST_WATCHED).keys()].map((number) => `$k${number}`);
  expect(watched(many, "$new")).toEqual([...many.slice(1), "$new"]);
});
