import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReplyFramer } from "../../../../../../harness/faults/proxy/resp/reply-framer.ts";

function frames(chunks: readonly Buffer[]): { found: string[]; framer: ReplyFramer } {
  const found: string[] = [];
  const framer = new ReplyFramer((frame) => found.push(frame.bytes.toString("latin1")));
  framer.keepsWhole = true;
  for (const chunk of chunks) framer.scan(chunk);
  return { found, framer };
}

const replies = [
  "+OK\r\n",
  "-ERR no\r\n",
  ":-12\r\n",
  "$5\r\nhe\r\no\r\n",
  "$0\r\n\r\n",
  "$-1\r\n",
  "*-1\r\n",
  "*0\r\n",
  "*2\r\n*2\r\n:1\r\n$1\r\na\r\n*0\r\n",
  "_\r\n",
  "#t\r\n",
  ",1.5\r\n",
  "(123456789012345678901234567890\r\n",
  "!9\r\nERR wrong\r\n",
  "=7\r\ntxt:abc\r\n",
  "%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n:2\r\n",
  "~2\r\n:1\r\n:2\r\n",
  ">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$2\r\nhi\r\n",
  "|1\r\n+ttl\r\n:3600\r\n*2\r\n:1\r\n|1\r\n+k\r\n+v\r\n:2\r\n",
];

describe("ReplyFramer", () => {
  it.each(replies)("takes %j as one reply", (reply) => {
    const { found, framer } = frames([Buffer.from(reply, "latin1")]);
    expect(found).toEqual([reply]);
    expect(framer.midFrame).toBe(false);
  });

  it("finds the same replies however the bytes are cut", () => {
    const nested: fc.Arbitrary<string> = fc.letrec<{ reply: string }>((tie) => ({
      reply: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(...replies),
        fc.array(tie("reply"), { maxLength: 4 }).map((parts) => `*${parts.length}\r\n${parts.join("")}`),
        fc.string().map((text) => {
          const bytes = Buffer.from(text);
          return `$${bytes.length}\r\n${bytes.toString("latin1")}\r\n`;
        }),
      ),
    })).reply;
    fc.assert(
      fc.property(
        fc.array(nested, { maxLength: 8 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
        (sent, sizes) => {
          const bytes = Buffer.from(sent.join(""), "latin1");
          const chunks: Buffer[] = [];
          let at = 0;
          for (const size of sizes) {
            if (at >= bytes.length) break;
            chunks.push(bytes.subarray(at, at + size));
            at += size;
          }
          expect(frames(chunks).found).toEqual(sent);
        },
      ),
    );
  });

  it("gives up at what is no reply, and at streamed types, which no server sends", () => {
    expect(frames([Buffer.from("+OK\r\nHTTP/1.1")]).framer.brokenBy).toContain("72");
    expect(frames([Buffer.from("$?\r\n;4\r\n")]).framer.brokenBy).toContain("63");
  });
});
