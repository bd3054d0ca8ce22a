import { expect, test } from "vitest";
import { redactArgv, redactValues } from "../../../../harness/config/redact.ts";

test("passwords of servers are redacted, other values stay", () => {
  expect(redactValues("redis", ["redis://user:secret@host:1/0"])).toEqual(["redis://user:***@host:1/0"]);
  expect(redactValues("agents", ["redis://:secret@host:1/0"])).toEqual(["redis://:***@host:1/0"]);
  expect(redactValues("lock", ["./a@b.ts"])).toEqual(["./a@b.ts"]);
});

test("a command line keeps no password, however it was given", () => {
  const secret = "redis://user:secret@host:1/0";
  const argv = [
    "lock",
    "--redis",
    secret,
    `--redis=${secret}`,
    "--workers",
    "4",
    secret,
    "--agents",
    secret,
    "--out",
    "a@b",
  ];
  const shown = redactArgv(argv);
  expect(shown.join(" ")).not.toContain("secret");
  expect(shown.filter((word) => !word.includes("***"))).toEqual([
    "lock",
    "--redis",
    "--workers",
    "4",
    "--agents",
    "--out",
    "a@b",
  ]);
});

test("the token of a run is nobody's to read", () => {
  expect(redactValues("joinToken", ["secret"])).toEqual(["***"]);
  expect(redactArgv(["lock", "--join-token", "secret", "--join-token=secret"]).join(" ")).not.toContain("secret");
});
