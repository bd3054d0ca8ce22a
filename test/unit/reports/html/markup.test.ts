import { describe, expect, it } from "vitest";
import { html, Markup, name, render, trusted } from "../../../../reports/html/markup.ts";

describe("building markup", () => {
  it("escapes every text and leaves markup alone", () => {
    expect(render(html`<p title="${'"x"'}">${"<b>"}${html`<i>${"&"}</i>`}</p>`)).toBe(
      '<p title="&quot;x&quot;">&lt;b&gt;<i>&amp;</i></p>',
    );
  });

  it("writes lists, numbers and nothing", () => {
    expect(render(html`${["a", html`<br>`]}${1.23456}${null}${undefined}${false}${0}`)).toBe("a<br>1.230");
  });

  it("takes no look-alike for markup", () => {
    expect(render(JSON.parse('["<x>"]'))).toBe("&lt;x&gt;");
    expect(() => render(JSON.parse('{"text":"<x>"}'))).toThrow();
  });

  it("bounds what is long and shows what is invisible", () => {
    expect(render("x".repeat(10_000)).length).toBeLessThan(1600);
    expect(render("a\u202eb")).toBe("a\\u202eb");
    expect(name("n".repeat(100))).toBe(`${"n".repeat(60)}… (100 characters)`);
  });

  it("trusts the project's own text", () => {
    expect(trusted("<style>")).toBeInstanceOf(Markup);
    expect(render(trusted("a<b"))).toBe("a<b");
  });
});
