import { describe, expect, it } from "vitest";
import { ReplyLedger } from "../../../../../../harness/faults/proxy/connection/reply-ledger.ts";
import { encodeRequest } from "../../../../../../harness/faults/proxy/resp/arguments.ts";
import { commandKind } from "../../../../../../harness/faults/proxy/resp/command-kind.ts";
import { ReplyFramer } from "../../../../../../harness/faults/proxy/resp/reply-framer.ts";
import { RequestFramer } from "../../../../../../harness/faults/proxy/resp/request-framer.ts";

/** Sends commands (strings of words) and replies (RESP); tells which command each reply was taken to answer: `undefined` for none. */
function conversation() {
  const ledger = new ReplyLedger();
  const sent = new Map<object, string>();
  let current = "";
  const requests = new RequestFramer((frame) => {
    const mark = { fault: { isOver: false }, action: { kind: "delay-reply", ms: 0 } } as const;
    sent.set(mark, current);
    ledger.expect(commandKind(frame), frame, [mark]);
  });
  let answered: (string | undefined)[] = [];
  const replies = new ReplyFramer((frame) => {
    const mark = ledger.settle(frame)?.marks?.[0];
    answered.push(mark && sent.get(mark));
  });
  return {
    ledger,
    send(...commands: string[]) {
      for (const command of commands) {
        current = command;
        requests.scan(encodeRequest(command.split(" ")));
      }
    },
    receive(text: string) {
      answered = [];
      replies.scan(Buffer.from(text));
      return answered;
    },
  };
}

const array = (...words: string[]) =>
  `*${words.length}\r\n${words.map((word) => (word.startsWith(":") ? `${word}\r\n` : `$${word.length}\r\n${word}\r\n`)).join("")}`;
const push = (...words: string[]) => array(...words).replace("*", ">");

describe("ReplyLedger", () => {
  it("gives replies to commands in order", () => {
    const { send, receive, ledger } = conversation();
    send("SET a 1", "GET a", "PING");
    expect(receive("+OK\r\n$1\r\n1\r\n")).toEqual(["SET a 1", "GET a"]);
    expect(ledger.due).toBe(1);
    expect(receive("+PONG\r\n")).toEqual(["PING"]);
  });

  it("takes one reply for each command of a transaction", () => {
    const { send, receive } = conversation();
    send("MULTI", "SET a 1", "EXEC", "PING");
    expect(receive("+OK\r\n+QUEUED\r\n*1\r\n+OK\r\n+PONG\r\n")).toEqual(["MULTI", "SET a 1", "EXEC", "PING"]);
  });

  it("expects nothing while CLIENT REPLY is OFF, and one reply less after SKIP", () => {
    const { send, receive } = conversation();
    send("CLIENT REPLY OFF", "SET a 1", "SET b 1", "CLIENT REPLY ON", "PING");
    expect(receive("+OK\r\n+PONG\r\n")).toEqual(["CLIENT REPLY ON", "PING"]);
    send("CLIENT REPLY SKIP", "SET a 1", "ECHO 1");
    expect(receive("$1\r\n1\r\n")).toEqual(["ECHO 1"]);
    send("CLIENT REPLY SKIP", "CLIENT REPLY SKIP", "SET a 1", "ECHO 2");
    expect(receive("$1\r\n2\r\n")).toEqual(["ECHO 2"]);
    send("CLIENT GETNAME");
    expect(receive("$-1\r\n")).toEqual(["CLIENT GETNAME"]);
  });

  it("counts one confirmation per channel, and no message as a reply (RESP2)", () => {
    const { send, receive } = conversation();
    send("SUBSCRIBE a b", "PING");
    expect(receive(array("subscribe", "a", ":1"))).toEqual([undefined]);
    expect(receive(array("message", "a", "hello"))).toEqual([undefined]);
    expect(receive(array("subscribe", "b", ":2"))).toEqual(["SUBSCRIBE a b"]);
    expect(receive(array("pong", ""))).toEqual(["PING"]);
    send("UNSUBSCRIBE", "LRANGE l 0 -1");
    expect(receive(array("unsubscribe", "a", ":1"))).toEqual([undefined]);
    expect(receive(array("unsubscribe", "b", ":0"))).toEqual(["UNSUBSCRIBE"]);
    expect(receive(array("message", "a", "no message but a list"))).toEqual(["LRANGE l 0 -1"]);
  });

  it("takes the single confirmation of an UNSUBSCRIBE from nothing", () => {
    const { send, receive } = conversation();
    send("UNSUBSCRIBE", "PING");
    expect(receive("*3\r\n$11\r\nunsubscribe\r\n$-1\r\n:0\r\n+PONG\r\n")).toEqual(["UNSUBSCRIBE", "PING"]);
  });

  it("takes an error as the only answer to a SUBSCRIBE", () => {
    const { send, receive } = conversation();
    send("SUBSCRIBE a b", "PING");
    expect(receive("-NOPERM no\r\n+PONG\r\n")).toEqual(["SUBSCRIBE a b", "PING"]);
  });

  it("counts no push as a reply (RESP3), but for confirmations", () => {
    const { send, receive } = conversation();
    send("HELLO 3", "SUBSCRIBE a", "GET x");
    expect(receive("%1\r\n+proto\r\n:3\r\n")).toEqual(["HELLO 3"]);
    expect(receive(push("invalidate", "x"))).toEqual([undefined]);
    expect(receive(push("subscribe", "a", ":1"))).toEqual(["SUBSCRIBE a"]);
    expect(receive(push("message", "a", "m") + array("message", "a", "list"))).toEqual([undefined, "GET x"]);
  });

  it("counts no MONITOR line as a reply", () => {
    const { send, receive } = conversation();
    send("MONITOR", "PING");
    const line = '+1700000000.123456 [0 127.0.0.1:1] "GET" "x"\r\n';
    expect(receive(`+OK\r\n${line}+PONG\r\n${line}`)).toEqual(["MONITOR", undefined, "PING", undefined]);
  });

  it("forgets subscriptions, MONITOR and CLIENT REPLY at RESET", () => {
    const { send, receive } = conversation();
    send("SUBSCRIBE a");
    receive(array("subscribe", "a", ":1"));
    send("CLIENT REPLY OFF", "RESET", "LRANGE l 0 -1");
    expect(receive(`+RESET\r\n${array("message", "a", "x")}`)).toEqual(["RESET", "LRANGE l 0 -1"]);
  });

  it("lets an error pass that the server sends unasked, and gives up at another reply", () => {
    const { send, receive, ledger } = conversation();
    expect(receive("-ERR max number of clients reached\r\n")).toEqual([undefined]);
    send("PING");
    receive("+PONG\r\n");
    expect(ledger.lostBy).toBeUndefined();
    receive("+OK\r\n");
    expect(ledger.lostBy).toContain("no command");
  });

  it("keeps the place of an answer of the proxy's own", () => {
    const { send, receive, ledger } = conversation();
    send("PING");
    ledger.answer(Buffer.from("-ERR own\r\n"));
    send("GET a");
    expect(ledger.takeAnswer()).toBeUndefined();
    expect(receive("+PONG\r\n")).toEqual(["PING"]);
    expect(String(ledger.takeAnswer())).toBe("-ERR own\r\n");
    expect(receive("$-1\r\n")).toEqual(["GET a"]);
    expect(ledger.marked).toBe(0);
  });
});
