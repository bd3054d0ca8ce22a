import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeHtml, escapeMarkdown, escapeXml, visible } from "../../../reports/escape.ts";

describe("escapeHtml", () => {
  it("leaves no character that could open a tag, an entity or end an attribute", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(escapeHtml(text).replace(/&(amp|lt|gt|quot|#39);/g, "")).not.toMatch(/[&<>"']/);
      }),
    );
  });
});

describe("visible", () => {
  it("shows what would act: terminal escapes, line breaks, right-to-left overrides, lone surrogates", () => {
    expect(visible("a\u001b[31mb\nc\u202ed\u200b\ud800")).toBe("a\\u001b[31mb\\nc\\u202ed\\u200b\\ud800");
  });

  it("leaves ordinary text of any script alone", () => {
    expect(visible("Grüße 日本語 שלום 👍 café")).toBe("Grüße 日本語 שלום 👍 café");
  });

  it("cuts and says how much there was", () => {
    expect(visible("x".repeat(10_240), 10)).toBe(`${"x".repeat(10)}… (10,240 characters)`);
  });

  it("does not cut a character in two", () => {
    expect(visible("aaa👍👍", 4)).toBe("aaa… (7 characters)");
  });
});

describe("escapeMarkdown", () => {
  it("lets no markup, mention, reference, link or table border through", () => {
    expect(escapeMarkdown("a|b *c* [d](e) <f> @g `h` #1 https://x www.y ~z~ \\")).toBe(
      "a\\|b \\*c\\* \\[d\\](e) &lt;f&gt; &#64;g \\`h\\` &#35;1 https&#58;//x www&#46;y \\~z\\~ \\\\",
    );
  });

  it("leaves ordinary sentences readable", () => {
    expect(escapeMarkdown("Held (4 ×): 11.7 % → 0, at 12:00.")).toBe("Held (4 ×): 11.7 % → 0, at 12:00.");
  });
});

describe("escapeXml", () => {
  it("makes characters visible that XML 1.0 cannot hold, and keeps line breaks", () => {
    expect(escapeXml("a\u0000<b>\n\u0008")).toBe("a\\u0000&lt;b&gt;\n\\u0008");
  });
});
