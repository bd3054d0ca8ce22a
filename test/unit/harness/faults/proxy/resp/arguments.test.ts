import { describe, expect, it } from "vitest";
import { encodeRequest, requestArguments } from "../../../../../../harness/faults/proxy/resp/arguments.ts";
import { Command } from "../../../../../../harness/faults/proxy/resp/command.ts";
import { KnownScripts } from "../../../../../../harness/faults/proxy/resp/scripts.ts";

const command = (...words: string[]) => new Command(encodeRequest(words), new KnownScripts());

describe("requestArguments", () => {
  it("gives the words of an array of bulk strings", () => {
    expect(requestArguments(encodeRequest(["SET", "a\r\nb", "", "é"])).map(String)).toEqual(["SET", "a\r\nb", "", "é"]);
  });

  it("gives the whole arguments of a frame that was cut", () => {
    expect(requestArguments(encodeRequest(["SET", "key", "a long value"]).subarray(0, 32)).map(String)).toEqual([
      "SET",
      "key",
    ]);
  });

  it("gives the words of an inline command, unquoted as Redis does", () => {
    expect(requestArguments(Buffer.from(`  SET "a \\x41\\n" 'it\\'s'  x\r\n`)).map(String)).toEqual([
      "SET",
      "a A\n",
      "it's",
      "x",
    ]);
  });
});

describe("Command", () => {
  it("knows its keys", () => {
    expect(command("set", "a", "1").keys).toEqual(["a"]);
    expect(command("DEL", "a", "b").keys).toEqual(["a", "b"]);
    expect(command("EVAL", "return 1", "2", "a", "b", "arg").keys).toEqual(["a", "b"]);
    expect(command("XREADGROUP", "GROUP", "g", "c", "STREAMS", "s", ">").keys).toEqual(["s"]);
    expect(command("PING").keys).toEqual([]);
    expect(command("JSON.SET", "doc", "$", "1").keys).toEqual(["doc"]);
  });

  it("knows the words among its arguments", () => {
    expect(command("SET", "a", "1", "nx").hasWord("NX")).toBe(true);
    expect(command("SET", "nx", "1").hasWord("PX")).toBe(false);
  });

  it("knows the text of an EVALSHA whose script passed before", () => {
    const scripts = new KnownScripts();
    const text = "return redis.call('pexpire', KEYS[1], ARGV[1])";
    scripts.observe(["SCRIPT", "LOAD", text].map((word) => Buffer.from(word)));
    const evalsha = new Command(
      encodeRequest(["EVALSHA", "ecc06dcf9a53a8e75b8ee2a8e5a3a3d3a3a3a3a3", "1", "a"]),
      scripts,
    );
    expect(evalsha.scriptText).toBeUndefined();
    expect(scripts.textOf("ECC06DCF9A53A8E75B8EE2A8E5A3A3D3A3A3A3A3")).toBeUndefined();
    expect(command("EVAL", text, "1", "a").scriptText).toBe(text);
  });
});
