import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeRequest } from "../../../../../../harness/faults/proxy/resp/arguments.ts";
import { RequestFramer } from "../../../../../../harness/faults/proxy/resp/request-framer.ts";

function frames(chunks: readonly Buffer[]): { found: string[]; framer: RequestFramer } {
  const found: string[] = [];
  const framer = new RequestFramer((frame) => found.push(frame.bytes.toString("latin1")));
  framer.keepsWhole = true;
  for (const chunk of chunks) framer.scan(chunk);
  return { found, framer };
}

describe("RequestFramer", () => {
  it("finds pipelined requests in one chunk", () => {
    const requests = [encodeRequest(["SET", "a", "1"]), encodeRequest(["GET", "a"])];
    expect(frames([Buffer.concat(requests)]).found).toEqual(requests.map(String));
  });

  it("takes inline commands, empty lines and empty arrays as frames", () => {
    const parts = ["PING\r\n", "\r\n", "*0\r\n", "*-1\r\n", "SET a 'x y'\n"];
    expect(frames([Buffer.from(parts.join(""))]).found).toEqual(parts);
  });

  it("finds the same frames however the bytes are cut", () => {
    const word = fc.oneof(fc.string(), fc.constantFrom("\r\n", "*3\r\n", "$5\r\n", ""));
    const request = fc.oneof(
      fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => encodeRequest(words).toString("latin1")),
      fc.constantFrom("PING\r\n", "\r\n", "*0\r\n"),
    );
    fc.assert(
      fc.property(
        fc.array(request, { maxLength: 8 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 30 })),
        (sent, sizes) => {
          const bytes = Buffer.from(sent.join(""), "latin1");
          const { found, framer } = frames(pieces(bytes, sizes));
          expect(found).toEqual(sent);
          expect(framer.midFrame).toBe(false);
        },
      ),
    );
  });

  it("knows that a frame is unfinished", () => {
    expect(frames([Buffer.from("*2\r\n$3\r\nGE")]).framer.midFrame).toBe(true);
  });

  it("keeps no payload unless asked to", () => {
    const framer = new RequestFramer(() => {});
    framer.scan(Buffer.from("*3\r\n$3\r\nSET\r\n$1\r\na\r\n$10000000\r\n"));
    for (let index = 0; index < 100; index++) framer.scan(Buffer.alloc(50_000));
    const kept = framer.frame.earlier.reduce((sum, { length }) => sum + length, 0);
    expect(kept).toBeLessThan(150_000);
  });

  it.each(["*x\r\n", "*1\r\nGET\r\n", "*1\r\n$-1\r\n"])("gives up at %j", (text) => {
    const { framer, found } = frames([encodeRequest(["PING"]), Buffer.from(text), encodeRequest(["PING"])]);
    expect(found).toHaveLength(1);
    expect(framer.brokenBy).toMatch(/byte|length/);
  });
});

function pieces(bytes: Buffer, sizes: Iterable<number>): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    if (at >= bytes.length) break;
    found.push(bytes.subarray(at, at + size));
    at += size;
  }
  return found;
}
