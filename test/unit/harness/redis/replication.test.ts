import { expect, it } from "vitest";
import { field } from "../../../../harness/redis/replication.ts";

it("reads one field of INFO, whole and by its full name", () => {
  const info = "# Replication\r\nrole:slave\r\nmaster_host:127.0.0.1\r\nslave0:ip=1,port=2\r\nempty:\r\n";
  expect(field(info, "role")).toBe("slave");
  expect(field(info, "master_host")).toBe("127.0.0.1");
  expect(field(info, "host")).toBeUndefined();
  expect(field(info, "empty")).toBe("");
});
