import { expect, it } from "vitest";
import { follow, noCharges } from "../../../../harness/supervisor/charges.ts";

it("takes charge, and gives it up, of each kind", () => {
  const charges = noCharges();
  follow(charges, { type: "own", pid: 7, startTime: "first" });
  follow(charges, { type: "own", pid: 8, startTime: "x" });
  follow(charges, { type: "own-folder", path: "/tmp/a" });
  follow(charges, { type: "own-folder", path: "/tmp/b" });
  follow(charges, { type: "own-command", command: ["docker", "rm", "x"] });
  follow(charges, { type: "own-command", command: ["umount", "y"] });
  expect([...charges.processes.keys()]).toEqual([7, 8]);

  follow(charges, { type: "disown", pid: 8 });
  follow(charges, { type: "disown-folder", path: "/tmp/a" });
  follow(charges, { type: "disown-command", command: ["docker", "rm", "x"] });
  expect([...charges.processes.values()]).toEqual([{ pid: 7, startTime: "first" }]);
  expect([...charges.folders]).toEqual(["/tmp/b"]);
  expect([...charges.commands.values()]).toEqual([["umount", "y"]]);
});

it("knows the last life of a process id", () => {
  const charges = noCharges();
  follow(charges, { type: "own", pid: 7, startTime: "first" });
  follow(charges, { type: "own", pid: 7, startTime: "second" });
  expect(charges.processes.get(7)).toEqual({ pid: 7, startTime: "second" });
});
